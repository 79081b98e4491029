"""The pages of a release that people read: card, datasheet, change log, licence, citation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pyarrow
from django.template import Context, Engine
from pydantic import BaseModel

from annotation.releases.comparison import Difference
from annotation.releases.formats import yaml_document
from annotation.releases.licences import Licence
from annotation.releases.snapshot import Snapshot
from annotation.releases.stage_facts import StageFacts
from tasks.base import Pipeline

MOST_LINES = 1_000
CHANGELOG_TITLE = "# Changes\n\n"
_engine = Engine(dirs=[str(Path(__file__).parent / "texts")], autoescape=False)


@dataclass(frozen=True)
class Split:
    """One split of the published data: rows, and bytes of its two files and in memory."""

    name: str
    rows: int
    jsonl_bytes: int
    parquet_bytes: int
    memory_bytes: int


@dataclass(frozen=True)
class Description:
    """All that the pages of a release say about it."""

    version: str
    snapshot: Snapshot
    pipeline: Pipeline
    licence: Licence
    splits: list[Split]
    schema: pyarrow.Schema
    statistics: dict
    published: list[str]

    @property
    def date(self) -> str:
        """The day of the last event that the release holds: no clock has a say."""
        return self.snapshot.position.at.date().isoformat()

    @property
    def settings(self) -> BaseModel:
        """The project's choices, in the pipeline's own shape."""
        return self.pipeline.Settings.model_validate(self.snapshot.settings)

    @property
    def id_field(self) -> str:
        return self.schema.names[0]

    @property
    def creators(self) -> list[str]:
        return self.snapshot.contact_people or [f"The {self.snapshot.name} project"]

    @property
    def rows(self) -> int:
        return sum(split.rows for split in self.splits)

    @property
    def summary(self) -> str:
        return one_line(self.pipeline.description)


def card(about: Description) -> str:
    """README.md: what the dataset is, for people, under a header for the Hub."""
    snapshot, figures = about.snapshot, about.statistics["figures"]
    return _render(
        "README.md",
        _shared(about)
        | {
            "header": yaml_document(_header(about)),
            "splits": [{"name": split.name, "rows": counted(split.rows, "row")} for split in about.splits],
            "id_field": about.id_field,
            "has_attempts": "attempts" in snapshot.counts,
            "has_agreement": bool(snapshot.ratings),
            "published": ", ".join(f"`{name}`" for name in about.published),
            "paragraphs": _paragraphs(about.statistics.get("paragraphs")),
            "tables": [{"title": title, "text": table_of(rows)} for title, rows in _by_table(figures).items()],
            "funnel": _funnel(snapshot.funnel),
            "rejected": _counts("reason code", snapshot.rejected_by_code),
            "excluded": _counts("phrase", snapshot.excluded_by_phrase),
            "agreement": _agreement(about.statistics["agreement"]),
            "qualifications": [_qualification(one) for one in snapshot.qualifications],
            "citation": _citation(about),
        },
    )


def _paragraphs(told: Mapping | None) -> str:
    """What of the paragraphs that rows cite is not beside them as it was read; empty: all is."""
    if told is None:
        return ""
    cited, sentences = counted(told["cited"], "paragraph"), []
    if told["missing"]:
        missing = f"{told['missing']:,}"
        sentences.append(f"Of {cited} that rows cite, {missing} are in no corpus that was searched, and left out.")
    if told["differing"]:
        sentences.append(
            f"Of {cited} that rows cite, {told['differing']:,} read differently in the corpora that were searched: "
            "the text is that of the corpus with most answers."
        )
    return " ".join(sentences)


def _qualification(told: Mapping) -> str:
    """A qualification test in a sentence or two."""
    graders = counted(told["graders_wanted"], "grader")
    sentence = (
        f"{one_line(told['qualification'])} ({told['stage']}): {told['passed']:,} of {counted(told['took'], 'worker')} "
        f"who took the test passed. It was read by {graders}, independently, and paid at "
        f"{dollars(told['cents_per_item'])} an item."
    )
    equal, alpha = told["agreement"]["equal"]["value"], told["agreement"]["ordinal"]["value"]
    if equal is None:
        return sentence
    measured = "" if alpha is None else f" (Krippendorff's alpha {alpha:.2f}, ordinal)"
    return f"{sentence} Two graders came to the same verdict on {equal:.0%} of the tests{measured}."


def datasheet(about: Description) -> str:
    crowd = [stage for stage in about.snapshot.stages if stage.crowd]
    splits = ", ".join(f"{split.name} ({split.rows:,})" for split in about.splits)
    return _render(
        "datasheet.md",
        _shared(about)
        | {
            "creators": " and ".join(about.creators),
            "fields": ", ".join(f"`{name}`" for name in about.schema.names),
            "split_list": splits,
            "split_rule": one_line(about.pipeline.split_rule(about.settings)),
            "collected": " to ".join(day.isoformat() for day in about.snapshot.collected or ()),
            "pay": " ".join(f"{stage.title}: {_pay(stage)}" for stage in crowd) or "No crowd stage.",
            "preprocessing": _preprocessing(about.snapshot),
        },
    )


def licence_file(about: Description) -> str:
    licence = about.licence
    return _render(
        "LICENSE",
        {
            "title": licence.title,
            "spdx": licence.spdx,
            "url": licence.url,
            "name": about.snapshot.name,
            "version": about.version,
            "sources": one_line(about.pipeline.sources),
        },
    )


def citation_file(about: Description) -> str:
    """CITATION.cff, version 1.2.0 of that format."""
    people = about.snapshot.contact_people
    fields = {
        "cff-version": "1.2.0",
        "message": "If you use this dataset, please cite it as below.",
        "type": "dataset",
        "title": about.snapshot.name,
        "abstract": about.summary,
        "version": about.version,
        "date-released": about.date,
        "authors": [{"name": name} for name in (people or about.creators)],
    }
    if about.licence.spdx:
        fields["license"] = about.licence.spdx
    return yaml_document(fields)


def changelog(about: Description, difference: Difference | None, notes: str, earlier: str) -> str:
    """What changed, item by item, above what changed before."""
    if difference is None:
        summary, sections = f"First release: {counted(about.rows, 'item')}.", []
    else:
        summary, sections = _summary(difference), list(_sections(difference))
    entry = _render(
        "CHANGELOG.md",
        {
            "version": about.version,
            "date": about.date,
            "notes": notes.strip(),
            "summary": summary,
            "sections": sections,
        },
    )
    return CHANGELOG_TITLE + entry.rstrip() + "\n" + (f"\n{earlier}" if earlier else "")


# --- Parts ----------------------------------------------------------------------------------------


def _render(name: str, values: Mapping) -> str:
    text = _engine.get_template(name).render(Context(values, autoescape=False))
    return "\n".join(line.rstrip() for line in text.rstrip().splitlines()) + "\n"


def _shared(about: Description) -> dict:
    snapshot = about.snapshot
    return {
        "name": one_line(snapshot.name),
        "description": about.summary,
        "version": about.version,
        "date": about.date,
        "items": counted(about.rows, "item"),
        "split_words": counted(len(about.splits), "split"),
        "judgements": counted(snapshot.counts["judgements"], "answer"),
        "workers": counted(snapshot.workers, "worker"),
        "reviewers": counted(snapshot.reviewers, "expert") if snapshot.reviewers else "",
        "stages": [_stage(stage) for stage in snapshot.stages],
        "licence": f"[{about.licence.title}]({about.licence.url})" if about.licence.url else about.licence.title,
        "sources": one_line(about.pipeline.sources),
    }


def _stage(stage: StageFacts) -> dict:
    checks = [f"`{check['name']}` (version {check['version']}, {check['level']})" for check in stage.checks]
    changes = [f"{name} on {change['on']}" for change in stage.changes for name in change["changed"]]
    return {
        "name": stage.name,
        "title": one_line(stage.title),
        "description": one_line(stage.description),
        "terms": _terms(stage),
        "corpora": "; ".join(_corpus(corpus) for corpus in stage.corpora),
        "checks": ", ".join(checks),
        "changes": ", ".join(changes),
    }


def _terms(stage: StageFacts) -> str:
    terms = stage.terms
    crowd = (
        f"{counted(terms['answers_per_item'], 'worker')} an item, {counted(terms['items_per_hit'], 'item')} a HIT, "
        f"{dollars(terms['reward_cents'])} a HIT. {_pay(stage)}"
        if stage.crowd
        else "Done by experts."
    )
    review = {
        "all": "What adds up goes to an expert, who decides",
        "disputed": "What is disputed goes to an expert, who decides",
        "none": "Outcomes are not reviewed",
    }[stage.review]
    blind = (
        f"; {stage.blind_share:.0%} of it to a second one as well, blindly"
        if stage.blind_share and stage.review != "none"
        else ""
    )
    return f"{crowd} {review}{blind}."


def _corpus(corpus: Mapping) -> str:
    name = "a corpus that is here no more"
    if corpus["name"]:
        size = f"{counted(corpus['paragraphs'], 'paragraph')} of {counted(corpus['pages'], 'page')}"
        name = f"{corpus['name']} ({size})"
    return f"{name}, content hash `{corpus['digest']}`, for {counted(corpus['judgements'], 'answer')}"


def _pay(stage: StageFacts) -> str:
    pay = stage.pay
    if pay["median"] is None:
        return "No working times were measured."
    return (
        f"Pay by measured working time: median {dollars(pay['median'])} an hour, "
        f"quartiles {dollars(pay['low'])} and {dollars(pay['high'])} ({counted(pay['count'], 'HIT')} done)."
    )


def _preprocessing(snapshot: Snapshot) -> str:
    excluded = snapshot.counts["excluded"]
    filtered = f"A filter excluded {counted(excluded, 'item')} before any worker saw them. " if excluded else ""
    return (
        f"{filtered}Answers were aggregated by the rules of the pipeline and reviewed; "
        f"{counted(snapshot.counts['rejected'], 'item')} were rejected."
    )


def _citation(about: Description) -> str:
    own = f"Cite this release by `CITATION.cff` (version {about.version})."
    method = about.pipeline.citation.strip()
    return f"{own}\n\nThe method is that of:\n\n```\n{method}\n```" if method else own


def _header(about: Description) -> dict:
    """The Hub's metadata. `configs` maps splits to files, so that no loading script is needed."""
    rows = about.rows
    annotators = ["crowdsourced"] if about.snapshot.workers else []
    return {
        "pretty_name": about.snapshot.name,
        "license": about.licence.hub,
        "language": about.pipeline.languages,
        "annotations_creators": annotators + (["expert-generated"] if about.snapshot.reviewers else []),
        "language_creators": ["crowdsourced", "found"],
        "size_categories": [_size_category(rows)],
        "source_datasets": ["extended"],
        "task_categories": about.pipeline.task_categories,
        "tags": ["crowdsourcing", "reasoning", about.snapshot.pipeline.replace("_", "-")],
        "configs": [
            {
                "config_name": "default",
                "data_files": [{"split": split.name, "path": f"data/{split.name}.parquet"} for split in about.splits],
            }
        ],
        "dataset_info": {
            "features": [_feature(column) for column in about.schema],
            "splits": [
                {"name": split.name, "num_bytes": split.memory_bytes, "num_examples": split.rows}
                for split in about.splits
            ],
            "download_size": sum(split.parquet_bytes for split in about.splits),
            "dataset_size": sum(split.memory_bytes for split in about.splits),
        },
    }


def _feature(column: pyarrow.Field) -> dict:
    return {"name": column.name, **_feature_type(column.type)}


def _feature_type(kind: pyarrow.DataType) -> dict:
    if pyarrow.types.is_list(kind):
        inner = _feature_type(kind.value_type)
        return {"list": inner["dtype"] if inner.keys() == {"dtype"} else inner.get("struct", inner)}
    if pyarrow.types.is_struct(kind):
        return {"struct": [_feature(kind.field(place)) for place in range(kind.num_fields)]}
    return {"dtype": {"double": "float64"}.get(str(kind), str(kind))}


def _size_category(rows: int) -> str:
    steps = [(1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M")]
    return next((name for limit, name in steps if rows < limit), "n>1M")


# --- Tables ---------------------------------------------------------------------------------------


def _by_table(figures: Iterable[dict]) -> dict[str, list[dict]]:
    tables: dict[str, list[dict]] = {}
    for figure in figures:
        tables.setdefault(figure["table"], []).append(figure)
    return tables


def table_of(figures: list[dict]) -> str:
    """The figures of one table, rows down and columns across."""
    rows = list(dict.fromkeys(figure["row"] for figure in figures))
    columns = list(dict.fromkeys(figure["column"] for figure in figures))
    cells = {(figure["row"], figure["column"]): _figure(figure) for figure in figures}
    body = [[row, *(cells.get((row, column), "") for column in columns)] for row in rows]
    return _table(["", *columns], body)


def _figure(figure: dict) -> str:
    text = _number(figure["value"])
    if figure.get("low") is not None and figure.get("high") is not None:
        text += f" [{_number(figure['low'])}, {_number(figure['high'])}]"
    return text


def _number(value: float | int | None) -> str:
    if value is None:
        return "—"
    return f"{value:,}" if isinstance(value, int) else f"{value:,.3g}" if abs(value) < 0.1 else f"{value:,.2f}"


def _funnel(steps: list[dict]) -> str:
    rows = [
        [step["stage"], step["label"], f"{step['reached']:,}", f"{step['lost']:,}" if step["lost"] else ""]
        for step in steps
    ]
    return _table(["stage", "step", "items", "lost before it"], rows)


def _counts(title: str, counts: Mapping[str, int]) -> str:
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return _table([title, "items"], [[name or "(none)", f"{count:,}"] for name, count in ordered]) if counts else ""


def _agreement(entries: list[dict]) -> str:
    rows = [[entry["stage"], entry["field"], entry["measure"], _figure(entry), f"{entry['n']:,}"] for entry in entries]
    return _table(["stage", "what", "measure", "value", "items"], rows) if rows else ""


def _table(heads: list[str], rows: list[list[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(_cell(cell) for cell in line) + " |" for line in lines)


def _cell(text: str) -> str:
    return one_line(text).replace("|", "\\|")


# --- Changes --------------------------------------------------------------------------------------


def _summary(difference: Difference) -> str:
    parts = [
        f"{len(entries):,} {word}"
        for word in ("added", "removed", "changed", "moved")
        if (entries := getattr(difference, word))
    ]
    what = f"Items: {', '.join(parts)}." if parts else "The items are the same; only packaging changed."
    return f"Since {difference.before}. {what}"


def _sections(difference: Difference) -> Iterable[dict]:
    texts = {
        "Removed": [f"`{entry['id']}` ({entry['split']})" for entry in difference.removed],
        "Moved": [f"`{entry['id']}` from {entry['from']} to {entry['to']}" for entry in difference.moved],
        "Changed": [f"`{entry['id']}`: {', '.join(entry['fields'])}" for entry in difference.changed],
        "Added": [f"`{entry['id']}` ({entry['split']})" for entry in difference.added],
    }
    for title, lines in texts.items():
        if lines:
            more = [f"and {len(lines) - MOST_LINES:,} more"] if len(lines) > MOST_LINES else []
            yield {"title": title, "lines": lines[:MOST_LINES] + more}


# --- Words ----------------------------------------------------------------------------------------


def one_line(text: str) -> str:
    return " ".join(text.split())


def counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def dollars(cents: int) -> str:
    return f"${cents / 100:,.2f}"
