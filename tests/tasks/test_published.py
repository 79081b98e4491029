"""The files of published datasets are found under the names that people have them by."""

import gzip

import pytest

from tasks import published


@pytest.mark.parametrize("name", ["ARC-Easy-train.jsonl", "ARC-Easy-Train.jsonl", "arc-easy-train.jsonl.gz"])
def test_a_file_is_found_in_any_case_and_gzipped_or_not(tmp_path, name):
    content = "naïve\n".encode()
    (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    assert published.need(tmp_path, "ARC-Easy-train.jsonl").name == name
    assert published.text(tmp_path, "ARC-Easy-train.jsonl") == "naïve\n"


def test_what_is_not_there_is_missed_by_its_plain_name(tmp_path):
    (tmp_path / "train.jsonl.bak").touch()
    assert published.find(tmp_path, "train.jsonl") is None
    with pytest.raises(FileNotFoundError) as missing:
        published.text(tmp_path / "nowhere", "train.jsonl")
    assert missing.value.filename == str(tmp_path / "nowhere" / "train.jsonl")
