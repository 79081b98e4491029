"""How the API describes itself: groups by what an address is about, one line of summary from each docstring."""

from __future__ import annotations

from drf_spectacular.openapi import AutoSchema


class Described(AutoSchema):
    def get_tags(self) -> list[str]:
        """`projects/{slug}/stages/{name}/quote` is about stages."""
        parts = [part for part in self.path.removeprefix("/api/v1/").split("/") if not part.startswith("{")]
        return [parts[1] if len(parts) > 1 and parts[1] not in ("state", "compare") else _whole(parts)]

    def get_summary(self) -> str:
        """What it does, in the first sentence of its docstring; else its own name in words."""
        said = (self.get_description() or "").strip().split("\n\n")[0].split(". ")[0].rstrip(".").replace("\n", " ")
        return said or self.get_operation_id().replace("_", " ").capitalize()


def _whole(parts: list[str]) -> str:
    return "releases" if parts[-1] == "compare" else parts[0]
