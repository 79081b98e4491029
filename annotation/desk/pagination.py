from rest_framework.pagination import CursorPagination


class Cursor(CursorPagination):
    """Pages by id, so that rows that come in between never shift a page."""

    ordering = "id"
    page_size_query_param = "page_size"
    max_page_size = 1000
