"""Releases in a bucket of S3: the same files, the manifest last."""

import boto3
import pytest
from botocore.exceptions import ClientError
from moto import mock_aws

from annotation.releases import actions, archive, comparison, storage, verification
from annotation.releases.models import Release

BUCKET = "datasets"


@pytest.fixture
def bucket(settings, monkeypatch):
    for name, value in {
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_DEFAULT_REGION": "us-east-1",
    }.items():
        monkeypatch.setenv(name, value)
    settings.RELEASE_STORAGE = f"s3://{BUCKET}/crowd"
    with mock_aws():
        client = boto3.client("s3")
        client.create_bucket(Bucket=BUCKET)
        yield client


def test_a_release_in_a_bucket_is_built_verified_compared_and_packed(bucket, project, reword):
    release = actions.build(project=project, created_by="user:1")
    assert release.location == f"s3://{BUCKET}/crowd/forces/1.0.0"
    assert verification.verify_release(release) == []
    key = reword(project, "Which force is it?")
    newer = actions.build(project=project, created_by="user:1")
    assert [entry["id"] for entry in comparison.diff(release, newer).changed] == [key]
    assert b"".join(archive.stream_zip(newer))[:2] == b"PK"


def test_the_bytes_are_those_of_a_folder(bucket, project, settings, tmp_path):
    there = actions.build(project=project, created_by="user:1")
    Release.objects.all().delete()
    settings.RELEASE_STORAGE = str(tmp_path / "here")
    assert actions.build(project=project, created_by="user:1").manifest_sha256 == there.manifest_sha256


def test_a_changed_object_is_found(bucket, project):
    release = actions.build(project=project, created_by="user:1")
    bucket.put_object(Bucket=BUCKET, Key="crowd/forces/1.0.0/LICENSE", Body=b"free for all")
    [problem] = verification.verify_release(release)
    assert problem.startswith("LICENSE has")


def test_the_manifest_comes_last(bucket, project, monkeypatch):
    """An upload that ends half-way leaves no manifest, so nothing that could be taken for a release."""
    upload, sent = storage._s3().__class__.upload_file, []

    def until_the_line_breaks(client, path, bucket_name, key, *args, **kwargs):
        if len(sent) == 8:
            raise OSError("the line broke")
        sent.append(key)
        return upload(client, path, bucket_name, key, *args, **kwargs)

    client = boto3.client("s3")
    monkeypatch.setattr(storage, "_s3", lambda: client)
    monkeypatch.setattr(client, "upload_file", lambda *a, **k: until_the_line_breaks(client, *a, **k))
    with pytest.raises(OSError, match="the line broke"):
        actions.build(project=project, created_by="user:1")
    assert sent
    assert not any(key.endswith("manifest.json") for key in sent)
    monkeypatch.undo()
    release = actions.build(project=project, version="1.0.0", created_by="user:1")
    assert verification.verify_release(release) == []


def test_an_object_that_may_not_be_read_is_not_called_missing(bucket, project, monkeypatch):
    release = actions.build(project=project, created_by="user:1")
    client = boto3.client("s3")

    def refused(*arguments, **options):
        raise ClientError({"Error": {"Code": "403", "Message": "Access Denied"}}, "GetObject")

    monkeypatch.setattr(client, "download_fileobj", refused)
    monkeypatch.setattr(storage, "_s3", lambda: client)
    [problem] = verification.verify_release(release)
    assert problem.startswith("manifest.json can't be read: Access Denied")


def test_a_bucket_that_is_gone_is_told_in_words(bucket, settings):
    with pytest.raises(storage.ReleaseUnreadable, match="s3://nowhere/forces is missing"):
        storage.open_folder("s3://nowhere/forces").names()


def test_a_folder_is_listed_once(bucket, project, monkeypatch):
    release = actions.build(project=project, created_by="user:1")
    client, asked = boto3.client("s3"), []
    paginator = client.get_paginator
    monkeypatch.setattr(client, "get_paginator", lambda name: asked.append(name) or paginator(name))
    monkeypatch.setattr(storage, "_s3", lambda: client)
    assert verification.verify_release(release) == []
    assert asked == ["list_objects_v2"]
