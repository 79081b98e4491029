from rest_framework.exceptions import NotFound
from rest_framework.pagination import CursorPagination

from annotation.desk.numbers import whole_number


class Cursor(CursorPagination):
    """Pages by id, so that rows that come in between never shift a page."""

    ordering = "id"
    page_size_query_param = "page_size"
    max_page_size = 1000

    def decode_cursor(self, request):
        """A cursor is anybody's text: one that names no id is no cursor."""
        cursor = super().decode_cursor(request)
        if cursor is not None and cursor.position is not None and whole_number(cursor.position) is None:
            raise NotFound(self.invalid_cursor_message)
        return cursor
