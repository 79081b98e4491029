"""An index on an OpenSearch server, for collections and loads beyond one machine. Plain HTTP: six requests are all.

A corpus is an index of its own behind an alias that bears its digest. It is filled under a name that
nobody searches, and the alias set in one step.
"""

from __future__ import annotations

import functools
import json
import re
import secrets
import threading
import time
from collections.abc import Iterable
from typing import Any
from urllib.parse import quote, urlsplit, urlunsplit

import requests

from annotation.corpus.asking import LONGEST_WORD, Asked
from annotation.corpus.base import MOST_OF_A_PAGE, WEIGHTS, Builder, Index, IndexFailed, IndexMissing
from annotation.corpus.paragraphs import SEPARATOR, Paragraph, page_term, title_of

# Goes up when an index of before can no longer be read; such a corpus is imported again.
FORMAT = 1
BULK_BYTES = 4_000_000
SECONDS_TO_ANSWER = 10
SECONDS_TO_TAKE_IN = 120
SECONDS_UNTIL_ABANDONED = 24 * 3600
# What Lucene's patterns would read as more than itself.
_PATTERN_SIGN = re.compile(r'([.?+*|{}\[\]()"\\#@&<>~^$\-])')
_WORDS = {"type": "text", "analyzer": "words"}
_INDEX = {
    "settings": {
        "index": {"number_of_shards": 1, "refresh_interval": "-1"},
        "analysis": {
            # The same words as those of the embedded index: letters and digits, without case and accents, stemmed.
            "char_filter": {
                "letters": {"type": "pattern_replace", "pattern": "[^\\p{L}\\p{N}]", "replacement": " "},
            },
            "filter": {
                "not_long": {"type": "length", "min": 1, "max": LONGEST_WORD},
                "stems": {"type": "stemmer", "language": "english"},
            },
            "analyzer": {
                "words": {
                    "type": "custom",
                    "char_filter": ["letters"],
                    "tokenizer": "whitespace",
                    "filter": ["not_long", "lowercase", "asciifolding", "stems"],
                }
            },
        },
    },
    "mappings": {
        "dynamic": False,
        "properties": {
            "id": {"type": "keyword"},
            "page": {"type": "keyword"},
            **dict.fromkeys(WEIGHTS, _WORDS),
        },
    },
}


class Server:
    """Where the server is, and requests to it. One connection pool a thread."""

    def __init__(self, url: str):
        parts = urlsplit(url)
        self.prefix = parts.path.strip("/").replace("/", "-") or "crowdwright"
        self.host = parts.hostname or ""
        self._base = urlunsplit((parts.scheme, parts.netloc, "", "", ""))
        self._here = threading.local()

    def alias(self, digest: str) -> str:
        return f"{self.prefix}-corpus-{digest[:40]}-{FORMAT}"

    def call(
        self, method: str, path: str, body: Any = None, *, seconds: int = SECONDS_TO_ANSWER, lines: bytes = b""
    ) -> Any:
        """The answer as JSON; None for 404. Raises IndexFailed, whose message never holds the server's password."""
        kind = "application/x-ndjson" if lines else "application/json"
        content = lines or (json.dumps(body).encode() if body is not None else None)
        headers = {"Content-Type": kind} if content else {}
        try:
            response = self._session().request(
                method, f"{self._base}/{path}", data=content, headers=headers, timeout=seconds
            )
            if response.status_code == 404:
                return None
            answer = response.json() if response.content else {}
        except requests.RequestException as error:
            raise IndexFailed(f"OpenSearch at {self.host} can't be reached: {type(error).__name__}") from None
        if not response.ok:
            reason = answer.get("error", answer) if isinstance(answer, dict) else answer
            reason = reason.get("reason", reason) if isinstance(reason, dict) else reason
            raise IndexFailed(f"OpenSearch at {self.host} refused {method} ({response.status_code}): {reason}"[:500])
        return answer

    def _session(self) -> requests.Session:
        if not hasattr(self._here, "session"):
            self._here.session = requests.Session()
        return self._here.session


@functools.lru_cache(maxsize=8)
def server_at(url: str) -> Server:
    return Server(url)


def is_there(server: Server, digest: str) -> bool:
    """Raises IndexFailed where the server does not answer."""
    return server.call("GET", f"_alias/{server.alias(digest)}") is not None


def remove(server: Server, digest: str) -> None:
    for name in server.call("GET", f"_alias/{server.alias(digest)}") or {}:
        server.call("DELETE", quote(name))


class OpenSearchIndex(Index):
    """Asks the server for one corpus."""

    def __init__(self, name: str, digest: str, server: Server):
        super().__init__(name, digest)
        self._server, self._alias = server, server.alias(digest)
        if not is_there(server, digest):
            raise IndexMissing(
                f"the index of corpus {name} is not on the OpenSearch server at {server.host}: import the same "
                f"files again (./crowdwright corpus import {name} FILE...)"
            )

    def _search(self, asked: Asked, limit: int, offset: int) -> tuple[int, list[tuple[Paragraph, float]]]:
        query = {
            "bool": {
                "must": [_anywhere(phrase, "match_phrase") for phrase in asked.typed_phrases],
                "should": [_anywhere(word, "match") for word in asked.typed_words],
            }
        }
        found = self._ask({"query": query, "size": limit, "from": offset, "track_total_hits": True})["hits"]
        return found["total"]["value"], [(_paragraph(hit["_source"]), hit["_score"]) for hit in found["hits"]]

    def _titles(self, key: str, limit: int) -> list[str]:
        if not key:
            return []
        pattern = _PATTERN_SIGN.sub(r"\\\1", key)
        kinds = {"exact": f"{pattern}{SEPARATOR}.*", "longer": f"{pattern}.*"}
        aggregations = {
            name: {"terms": {"field": "page", "size": 2 * limit, "include": include}} for name, include in kinds.items()
        }
        answer = self._ask({"query": {"prefix": {"page": key}}, "size": 0, "aggs": aggregations})["aggregations"]
        terms = [bucket["key"] for name in kinds for bucket in answer[name]["buckets"]]
        return list(dict.fromkeys(map(title_of, terms)))[:limit]

    def _paragraphs(self, ids: list[str]) -> Iterable[Paragraph]:
        return self._all({"terms": {"id": ids}}, len(ids))

    def _page(self, title: str) -> Iterable[Paragraph]:
        return self._all({"term": {"page": page_term(title)}}, MOST_OF_A_PAGE)

    def _all(self, query: dict, size: int) -> list[Paragraph]:
        found = self._ask({"query": {"bool": {"filter": [query]}}, "size": size})
        return [_paragraph(hit["_source"]) for hit in found["hits"]["hits"]]

    def _ask(self, body: dict) -> dict:
        answer = self._server.call("POST", f"{self._alias}/_search", body)
        if answer is None:
            raise IndexFailed(f"the index of corpus {self.name} has gone from the OpenSearch server")
        return answer


def _anywhere(text: str, kind: str) -> dict:
    """A word or a phrase in heading or text."""
    return {
        "bool": {
            "should": [{kind: {field: {"query": text, "boost": weight}}} for field, weight in WEIGHTS.items()],
            "minimum_should_match": 1,
        }
    }


def _paragraph(source: dict) -> Paragraph:
    return Paragraph(
        source["id"], source["title"], source["section"], tuple(source["headers"]), source["number"], source["text"]
    )


class OpenSearchBuilder(Builder):
    """Fills an index under a name of its own; leftovers of imports that were killed a day ago are removed."""

    def __init__(self, server: Server):
        self._server = server
        self._remove_abandoned()
        self._name = f"{server.prefix}-unfinished-{int(time.time())}-{secrets.token_hex(4)}"
        self._lines, self._bytes = [], 0
        self._is_published = False
        server.call("PUT", self._name, _INDEX, seconds=SECONDS_TO_TAKE_IN)

    def add(self, paragraph: Paragraph, record: bytes) -> None:
        searched = {"page": page_term(paragraph.title), "heading": [paragraph.title, paragraph.section]}
        line = json.dumps({**paragraph._asdict(), **searched}, ensure_ascii=False).encode()
        self._lines += [b'{"index":{}}', line]
        self._bytes += len(line)
        if self._bytes >= BULK_BYTES:
            self._send()

    def _send(self) -> None:
        if not self._lines:
            return
        lines = b"\n".join(self._lines) + b"\n"
        answer = self._server.call("POST", f"{self._name}/_bulk", lines=lines, seconds=SECONDS_TO_TAKE_IN)
        if answer is None or answer["errors"]:
            failed = next((item["index"] for item in (answer or {}).get("items", []) if "error" in item["index"]), {})
            reason = json.dumps(failed.get("error", "the index is gone"))
            raise IndexFailed(f"OpenSearch did not take a paragraph in: {reason[:300]}")
        self._lines, self._bytes = [], 0

    def publish(self, digest: str) -> None:
        self._send()
        self._server.call("PUT", f"{self._name}/_settings", {"index": {"refresh_interval": "1s"}})
        self._server.call("POST", f"{self._name}/_refresh", seconds=SECONDS_TO_TAKE_IN)
        if not is_there(self._server, digest):
            alias = {"add": {"index": self._name, "alias": self._server.alias(digest)}}
            self._server.call("POST", "_aliases", {"actions": [alias]})
            self._is_published = True

    def discard(self) -> None:
        if not self._is_published:
            self._server.call("DELETE", self._name)

    def _remove_abandoned(self) -> None:
        """Indexes that no alias names, begun more than a day ago."""
        begun = re.compile(re.escape(self._server.prefix) + r"-unfinished-(\d+)-")
        standing = self._server.call("GET", f"{self._server.prefix}-unfinished-*/_alias") or {}
        for name, facts in standing.items():
            match = begun.match(name)
            if match and not facts["aliases"] and time.time() - int(match[1]) > SECONDS_UNTIL_ABANDONED:
                self._server.call("DELETE", name)
