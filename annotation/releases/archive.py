"""A release as one zip file, streamed while it is packed: the same release gives the same entries in the same order."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator

from annotation.releases.models import Release
from annotation.releases.storage import MANIFEST, Folder, ReleaseUnreadable, open_folder

CHUNK = 1 << 18
# The earliest time that the format knows: a file's age is no part of a release.
NO_TIME = (1980, 1, 1, 0, 0, 0)
_PACKED_ALREADY = (".parquet",)


class _Pipe(io.RawIOBase):
    """Holds what the packer wrote until it is sent. Can't seek, so the packer writes straight ahead."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, part) -> int:
        self._parts.append(bytes(part))
        return len(part)

    def taken(self) -> bytes:
        sent, self._parts = b"".join(self._parts), []
        return sent


def archive_name(release: Release) -> str:
    return f"{release.project.slug}-{release.version}"


def stream_zip(release: Release) -> Iterator[bytes]:
    """The parts of the zip file of a finished release; everything lies in one folder in it.

    Raises ReleaseUnreadable before the first part where the release is not in its place.
    """
    if release.state != Release.State.READY:
        raise ValueError(f"only a finished release can be downloaded, {release.version} is {release.state}")
    folder = open_folder(release.location)
    if MANIFEST not in folder.names():
        raise ReleaseUnreadable(f"{MANIFEST} is missing: {release.location} holds no release, or a broken one")
    return zip_of(folder, archive_name(release))


def zip_of(folder: Folder, top: str) -> Iterator[bytes]:
    pipe = _Pipe()
    with zipfile.ZipFile(pipe, "w") as packer:
        for name in folder.names():
            entry = zipfile.ZipInfo(f"{top}/{name}", NO_TIME)
            entry.compress_type = zipfile.ZIP_STORED if name.endswith(_PACKED_ALREADY) else zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            entry.create_system = 3
            with folder.open(name) as source, packer.open(entry, "w", force_zip64=True) as target:
                while part := source.read(CHUNK):
                    target.write(part)
                    if sent := pipe.taken():
                        yield sent
    yield pipe.taken()
