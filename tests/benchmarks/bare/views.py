"""Read one row, write one row."""

from django.http import HttpRequest, HttpResponse

from tests.benchmarks.bare.models import Note


def read(request: HttpRequest, pk: int) -> HttpResponse:
    return HttpResponse(Note.objects.get(pk=pk).text)


def write(request: HttpRequest, pk: int) -> HttpResponse:
    Note.objects.filter(pk=pk).update(text=request.POST["text"])
    return HttpResponse("written")
