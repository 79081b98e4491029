"""Why an expert rejects: codes that a task type offers, kept with what the expert wrote, and read in words."""

from functools import cache

from tasks import registry


def in_words(reason: str) -> str:
    """A kept reason as a person reads it: the words of its code, then what the expert wrote."""
    code, _, text = reason.partition(": ")
    if code not in _words():
        return reason
    return f"{_words()[code]} – {text}" if text else _words()[code]


@cache
def _words() -> dict[str, str]:
    """By code, of every task type: the same code means the same in all (a test of contracts holds them to it)."""
    return {code: words for kind in registry.task_types().values() for code, words in kind.reasons.items()}
