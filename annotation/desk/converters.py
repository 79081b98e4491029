"""What may stand in an address: anything else is not found before any database is asked."""

from __future__ import annotations

from django.urls import register_converter


class Text:
    """A part of an address that is a text of a certain form."""

    regex = "[^/]+"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


class Version(Text):
    """A release's version, or the provisional one of a release that is being built."""

    regex = "[A-Za-z0-9.-]{1,20}"


class Username(Text):
    """The name of an account, as Django allows it."""

    regex = r"[\w.@+-]{1,150}"


class Pseudonym(Text):
    """What a worker is called in a project's releases."""

    regex = "w-[a-z0-9]{1,18}"


register_converter(Pseudonym, "pseudonym")
register_converter(Version, "version")
register_converter(Username, "username")
