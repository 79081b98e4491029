"""Where releases lie: a folder, or a bucket of S3 (`settings.RELEASE_STORAGE`).

A release is built in a workspace that nobody lists, and comes to its place whole: by one rename in a
folder; in a bucket with the manifest as the last object, before which the rest counts for nothing.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Callable, Collection, Iterator
from functools import cached_property
from pathlib import Path
from typing import BinaryIO, Protocol

from django.conf import settings
from django.utils.crypto import get_random_string

MANIFEST = "manifest.json"
BUCKET = "s3://"
WORKSPACES = ".building"
LEFT_OVER = ".left-over"


class ReleaseUnreadable(Exception):
    """A release that is not in its place, or whose files can't be read as one. The message says which, and why."""


class Folder(Protocol):
    """The files of one release, wherever they lie. Names use `/` and come sorted.

    What is not there, or can't be read, raises ReleaseUnreadable.
    """

    location: str

    def names(self) -> list[str]: ...

    def open(self, name: str) -> BinaryIO: ...

    def size(self, name: str) -> int: ...


class LocalFolder:
    """A release's files in a folder on disk."""

    def __init__(self, path: Path | str):
        self.path = Path(path)
        self.location = str(self.path)

    def names(self) -> list[str]:
        return sorted(path.relative_to(self.path).as_posix() for path in self.path.rglob("*") if path.is_file())

    def open(self, name: str) -> BinaryIO:
        with _told(name):
            return (self.path / name).open("rb")

    def size(self, name: str) -> int:
        with _told(name):
            return (self.path / name).stat().st_size


@contextlib.contextmanager
def _told(name: str) -> Iterator[None]:
    """What the system says of a file, in our words."""
    try:
        yield
    except FileNotFoundError:
        raise ReleaseUnreadable(f"{name} is missing") from None
    except OSError as fault:
        raise ReleaseUnreadable(f"{name} can't be read: {fault.strerror or fault}") from None


class BucketFolder:
    """A release's files under a prefix of a bucket, listed once."""

    def __init__(self, location: str):
        self.location = location.rstrip("/")
        self._bucket, _, prefix = self.location.removeprefix(BUCKET).partition("/")
        self._prefix = f"{prefix}/" if prefix else ""
        self._client = _s3()

    def names(self) -> list[str]:
        return sorted(self._sizes)

    def size(self, name: str) -> int:
        if name not in self._sizes:
            raise ReleaseUnreadable(f"{name} is missing")
        return self._sizes[name]

    def open(self, name: str) -> BinaryIO:
        """The object as a file that can seek (a copy that the system removes when it is closed)."""
        copy = tempfile.TemporaryFile()  # noqa: SIM115 - the caller closes it
        try:
            with _told_of_bucket(name):
                self._client.download_fileobj(self._bucket, self._prefix + name, copy)
        except ReleaseUnreadable:
            copy.close()
            raise
        copy.seek(0)
        return copy

    @cached_property
    def _sizes(self) -> dict[str, int]:
        with _told_of_bucket(self.location):
            pages = self._client.get_paginator("list_objects_v2").paginate(Bucket=self._bucket, Prefix=self._prefix)
            return {
                entry["Key"].removeprefix(self._prefix): entry["Size"]
                for page in pages
                for entry in page.get("Contents", [])
            }


@contextlib.contextmanager
def _told_of_bucket(name: str) -> Iterator[None]:
    """What S3 says, in our words: only what is not there is missing, no access or no answer is something else."""
    from botocore.exceptions import BotoCoreError, ClientError  # slow to import

    try:
        yield
    except ClientError as fault:
        said = fault.response.get("Error", {})
        if said.get("Code") in ("404", "NoSuchKey", "NoSuchBucket"):
            raise ReleaseUnreadable(f"{name} is missing") from None
        raise ReleaseUnreadable(f"{name} can't be read: {said.get('Message') or said.get('Code') or fault}") from None
    except BotoCoreError as fault:
        raise ReleaseUnreadable(f"{name} can't be read: {fault}") from None


def open_folder(location: str | Path) -> Folder:
    """The release at a location. Raises ReleaseUnreadable where there is none."""
    if str(location).startswith(BUCKET):
        return BucketFolder(str(location))
    if not Path(location).is_dir():
        raise ReleaseUnreadable(f"no release folder at {location}")
    return LocalFolder(location)


class FolderStorage:
    """Releases as folders under one root: `<root>/<project>/<version>/`."""

    def __init__(self, root: Path | str):
        self.root = Path(root).resolve()

    @contextlib.contextmanager
    def workspace(self, label: str, living: Callable[[], Collection[str]] = tuple) -> Iterator[Path]:
        """A folder on the same file system. Those whose label is not among the living builders' are cleared away."""
        parent = self.root / WORKSPACES
        parent.mkdir(parents=True, exist_ok=True)
        found = list(parent.iterdir())
        # Asked after looking: a builder claims its release before it makes its folder, so none found is missed.
        alive = living()
        for other in found:
            if other.name.partition(".")[0] not in alive:
                shutil.rmtree(other, ignore_errors=True)
        path = parent / f"{label}.{get_random_string(8)}"
        path.mkdir()
        try:
            yield path
        finally:
            shutil.rmtree(path, ignore_errors=True)

    def location(self, name: str) -> str:
        return str(self.root / name)

    def publish(self, folder: Path, name: str) -> str:
        """Moves a finished folder to its place in one step. What lies there was never listed: it is set aside."""
        target = self.root / name
        target.parent.mkdir(parents=True, exist_ok=True)
        _sync_tree(folder)
        if target.exists():
            aside = self.root / LEFT_OVER / f"{name.replace('/', '-')}.{get_random_string(8)}"
            aside.parent.mkdir(exist_ok=True)
            target.rename(aside)
        folder.rename(target)
        _sync(target.parent)
        return str(target)


class BucketStorage:
    """Releases under a prefix of an S3 bucket: `s3://bucket/prefix/<project>/<version>/`."""

    def __init__(self, address: str):
        self.address = address.rstrip("/")
        self._bucket, _, self._prefix = self.address.removeprefix(BUCKET).partition("/")

    @contextlib.contextmanager
    def workspace(self, label: str, living: Callable[[], Collection[str]] = tuple) -> Iterator[Path]:
        """A folder that the system clears away in its own time, if we don't."""
        with tempfile.TemporaryDirectory(prefix=f"crowdwright-{label}-") as path:
            yield Path(path)

    def location(self, name: str) -> str:
        return f"{self.address}/{name}"

    def publish(self, folder: Path, name: str) -> str:
        client, prefix = _s3(), f"{self._prefix}/{name}" if self._prefix else name
        local, left = LocalFolder(folder), BucketFolder(self.location(name)).names()
        names = local.names()
        # Without its manifest, what an earlier attempt left there is no release.
        for file in sorted(left, key=lambda file: file != MANIFEST):
            client.delete_object(Bucket=self._bucket, Key=f"{prefix}/{file}")
        for file in sorted(names, key=lambda file: file == MANIFEST):
            client.upload_file(str(folder / file), self._bucket, f"{prefix}/{file}")
        return self.location(name)


def release_storage() -> FolderStorage | BucketStorage:
    """The storage that the settings name."""
    address = settings.RELEASE_STORAGE
    return BucketStorage(address) if address.startswith(BUCKET) else FolderStorage(address)


def _s3():
    import boto3  # slow to import, and most set-ups have no bucket

    return boto3.client("s3")


def _sync_tree(folder: Path) -> None:
    """Nothing of the folder is left in a cache when it gets its name."""
    for parent, _, names in os.walk(folder, topdown=False):
        for name in names:
            _sync(Path(parent) / name)
        _sync(Path(parent))


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
