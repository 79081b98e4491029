"""Croissant 1.1 metadata of a release, with the responsible-AI fields that can be computed."""

from __future__ import annotations

import mimetypes
from collections.abc import Iterable
from typing import Any

import pyarrow

from annotation.releases.documents import Description, counted, one_line
from annotation.releases.stage_facts import StageFacts

CONFORMS_TO = ["http://mlcommons.org/croissant/1.1", "http://mlcommons.org/croissant/RAI/1.0"]
CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "arrayShape": "cr:arrayShape",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "containedIn": "cr:containedIn",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "description": {"@container": "@language"},
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isArray": "cr:isArray",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "name": {"@container": "@language"},
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
# Files that carry no data of the record sets, or that say what the metadata itself says.
_UNLISTED = {"croissant.json", "manifest.json"}
_TYPES = {"string": "sc:Text", "int64": "sc:Integer", "double": "sc:Float", "bool": "sc:Boolean"}
_ENCODINGS = {
    "jsonl": "application/jsonlines",
    "json": "application/json",
    "parquet": "application/vnd.apache.parquet",
    "md": "text/markdown",
    "csv": "text/csv",
    "html": "text/html",
    "cff": "application/yaml",
}
SPLIT_KINDS = {
    "train": "cr:TrainingSplit",
    "dev": "cr:ValidationSplit",
    "validation": "cr:ValidationSplit",
    "test": "cr:TestSplit",
}


def metadata(about: Description, files: dict[str, dict]) -> dict:
    """The JSON-LD document. `files`: name → {"sha256", "bytes"} of every file that is already written."""
    return {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": CONFORMS_TO,
        "name": about.snapshot.name,
        "description": about.summary,
        "url": f"urn:crowdwright:{about.snapshot.slug}:{about.version}",
        "version": about.version,
        "license": about.licence.url or about.licence.title,
        "creator": [{"@type": _kind_of_creator(about), "name": name} for name in about.creators],
        "datePublished": about.date,
        "inLanguage": about.pipeline.languages,
        "keywords": ["crowdsourcing", "question answering", about.snapshot.pipeline.replace("_", "-")],
        "isLiveDataset": False,
        **({"citeAs": about.pipeline.citation.strip()} if about.pipeline.citation.strip() else {}),
        "distribution": [_file(name, facts) for name, facts in sorted(files.items()) if name not in _UNLISTED],
        "recordSet": [_splits(about), *(_rows(about, split.name) for split in about.splits)],
        **responsible_ai(about),
    }


def responsible_ai(about: Description) -> dict[str, Any]:
    """What Croissant's RAI vocabulary asks and our tables know."""
    snapshot = about.snapshot
    crowd = [stage for stage in snapshot.stages if stage.crowd]
    span = [f"{day.isoformat()}T00:00:00" for day in snapshot.collected or ()]
    found = {
        "rai:dataCollection": (
            f"{counted(snapshot.counts['judgements'], 'answer')} by {counted(snapshot.workers, 'paid worker')} to "
            f"questions on web pages, aggregated by rule, decided by {counted(snapshot.reviewers, 'expert')}."
        ),
        "rai:dataCollectionType": ["Crowdsourcing", "Experts"] if snapshot.reviewers else ["Crowdsourcing"],
        "rai:dataCollectionTimeframe": span,
        "rai:dataCollectionRawData": one_line(about.pipeline.sources),
        "rai:dataCollectionMissingData": (
            f"{counted(snapshot.counts['excluded'], 'item')} excluded by the filter and "
            f"{counted(snapshot.counts['rejected'], 'item')} rejected, each with its reason under raw/."
        ),
        "rai:dataPreprocessingProtocol": [
            f"{stage.name}: {stage.task_type} with settings {dict(sorted(stage.settings.items()))}"
            for stage in snapshot.stages
        ],
        "rai:dataAnnotationProtocol": [_protocol(stage) for stage in snapshot.stages],
        "rai:dataAnnotationPlatform": ["Crowdwright, over a marketplace that speaks the Mechanical Turk protocol"],
        "rai:dataAnnotationAnalysis": [
            f"{_what(entry)}: {entry['measure']} {entry['value']} (n = {entry['n']})"
            for entry in about.statistics["agreement"]
            if entry["value"] is not None
        ],
        "rai:annotationsPerItem": ", ".join(f"{stage.name}: {stage.terms['answers_per_item']}" for stage in crowd),
        "rai:machineAnnotationTools": sorted(
            {f"check {check['name']} version {check['version']}" for stage in snapshot.stages for check in stage.checks}
        ),
        "rai:personalSensitiveInformation": [
            "None was asked for. Workers and reviewers appear under pseudonyms that hold within this project only."
        ],
    }
    return {name: value for name, value in found.items() if value}


def _what(entry: dict) -> str:
    return f"{entry['stage']}.{entry['field']}" if entry["stage"] else entry["field"]


def _protocol(stage: StageFacts) -> str:
    return f"{stage.name}: {one_line(stage.description)} Instructions as shown: instructions/{stage.name}/."


def _kind_of_creator(about: Description) -> str:
    return "sc:Person" if about.snapshot.contact_people else "sc:Organization"


def _file(name: str, facts: dict) -> dict:
    return {
        "@type": "cr:FileObject",
        "@id": name,
        "name": name,
        "contentUrl": name,
        "contentSize": f"{facts['bytes']} B",
        "encodingFormat": _encoding(name),
        "sha256": facts["sha256"],
    }


def _encoding(name: str) -> str:
    return _ENCODINGS.get(name.rpartition(".")[2]) or mimetypes.types_map.get(
        f".{name.rpartition('.')[2]}", "text/plain"
    )


def _splits(about: Description) -> dict:
    """The splits as a record set of their own, so that they are named and typed once."""
    known = [split.name for split in about.splits]
    return {
        "@type": "cr:RecordSet",
        "@id": "splits",
        "name": "splits",
        "description": "The splits of the dataset.",
        "dataType": "cr:Split",
        "key": {"@id": "splits/name"},
        "field": [
            {"@type": "cr:Field", "@id": "splits/name", "name": "splits/name", "dataType": "sc:Text"},
            {"@type": "cr:Field", "@id": "splits/url", "name": "splits/url", "dataType": ["sc:URL", "wd:Q3985153"]},
        ],
        "data": [{"splits/name": name, "splits/url": SPLIT_KINDS.get(name, "cr:Split")} for name in known],
    }


def _rows(about: Description, split: str) -> dict:
    return {
        "@type": "cr:RecordSet",
        "@id": split,
        "name": split,
        "description": f"The rows of the split {split}.",
        "key": {"@id": f"{split}/{about.id_field}"},
        "field": list(_fields(about.schema, split, f"data/{split}.jsonl")),
    }


def _fields(schema: Iterable[pyarrow.Field], parent: str, file: str) -> Iterable[dict]:
    for column in schema:
        yield _field(column, f"{parent}/{column.name}", {"@id": file}, column.name, "$")


def _field(part: pyarrow.Field, name: str, file: dict, column: str, path: str) -> dict:
    """A field of a record set: a column of the file, or a part of what stands in one."""
    source = {"fileObject": file, "extract": {"column": column}}
    if path != "$":
        source["transform"] = {"jsonPath": path}
    field = {"@type": "cr:Field", "@id": name, "name": name, "source": source}
    kind = part.type
    if pyarrow.types.is_list(kind):
        field |= {"isArray": True, "arrayShape": "-1"}
        kind, path = kind.value_type, f"{path}[*]"
    if not pyarrow.types.is_struct(kind):
        return field | {"dataType": _TYPES.get(str(kind), "sc:Text")}
    inner = [kind.field(place) for place in range(kind.num_fields)]
    return field | {
        "subField": [_field(deeper, f"{name}/{deeper.name}", file, column, f"{path}.{deeper.name}") for deeper in inner]
    }
