"""What a release's manifest and statistics must hold for anything to be made of them. Others may have touched them."""

from __future__ import annotations

from typing import Annotated, TypeVar

from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError

from annotation.releases.storage import MANIFEST, Folder, ReleaseUnreadable
from tasks.base import problems_of

STATISTICS = "stats.json"
SPLIT_NAME = r"^[a-z0-9][a-z0-9_\-]{0,19}$"


class _Stored(BaseModel):
    """Numbers are numbers and texts are texts; what else stands there is no concern of ours."""

    model_config = ConfigDict(strict=True, extra="ignore")


class FileFacts(_Stored):
    sha256: str
    bytes: int


class Previous(_Stored):
    """The release before."""

    version: str
    manifest_sha256: str


class Manifest(_Stored):
    version: str
    id_field: str
    splits: dict[Annotated[str, StringConstraints(pattern=SPLIT_NAME)], int]
    files: dict[str, FileFacts]
    previous: Previous | None = None


class Figure(_Stored):
    table: str
    row: str
    column: str
    value: float | int | None


class Statistics(_Stored):
    splits: dict[str, int]
    counts: dict[str, int]
    figures: list[Figure]


_Shape = TypeVar("_Shape", bound=_Stored)


def manifest_of(folder: Folder) -> Manifest:
    """Raises ReleaseUnreadable."""
    return _read(folder, MANIFEST, Manifest)


def statistics_of(folder: Folder) -> Statistics:
    """Raises ReleaseUnreadable."""
    return _read(folder, STATISTICS, Statistics)


def _read(folder: Folder, name: str, shape: type[_Shape]) -> _Shape:
    with folder.open(name) as handle:
        content = handle.read()
    try:
        return shape.model_validate_json(content)
    except ValidationError as error:
        raise ReleaseUnreadable(f"{name} is not a release's: {problems_of(error)}") from None
