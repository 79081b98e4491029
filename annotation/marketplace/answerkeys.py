"""AnswerKey documents: how a test's answers become a score."""

from dataclasses import dataclass

from lxml import etree

from annotation.marketplace import forms
from annotation.marketplace.documents import child, children, local_name, parse
from annotation.marketplace.errors import Refusal

MOST = 1_000_000_000  # of any number in a key, either way
MOST_VALUE = 2**31 - 1  # of a qualification


@dataclass(frozen=True)
class Option:
    """Answers (all of these selections, no others) that are worth a score."""

    selections: frozenset[str]
    score: int


@dataclass(frozen=True)
class AnswerKey:
    """Scores per question, and how their sum becomes the qualification's value."""

    options: dict[str, tuple[Option, ...]]
    defaults: dict[str, int]
    # ("percentage", maximum), ("scale", multiplier) or ("ranges", ((low, high, value), ...), out of range)
    mapping: tuple


def _wrong(message: str) -> Refusal:
    return Refusal(f"AnswerKey: {message}", "XMLParseError")


def _only(element: etree._Element, name: str) -> str:
    found = child(element, name)
    if found is None:
        raise _wrong(f"{local_name(element)} needs {name}.")
    return (found.text or "").strip()


def _number(element: etree._Element, name: str, kind: type = int):
    text = _only(element, name)
    try:
        number = kind(text)
    except ValueError as error:
        raise _wrong(f"{name} must be a number; found {text[:20]!r}.") from error
    if not abs(number) <= MOST:  # written so that it is true of what is no number, too
        raise _wrong(f"{name} must be a number between -{MOST} and {MOST}; found {text[:20]!r}.")
    return number


def read(text: str, form: forms.Form) -> AnswerKey:
    """Read a key and check that it speaks of the form's questions."""
    root = parse(text, "AnswerKey")
    if local_name(root) != "AnswerKey":
        raise _wrong(f"expected AnswerKey, found {local_name(root)}.")
    known = {asked.identifier: asked for asked in form.questions}
    options, defaults = {}, {}
    for question in children(root, "Question"):
        identifier = _only(question, "QuestionIdentifier")
        if identifier not in known:
            raise _wrong(f"the test has no question {identifier}.")
        options[identifier] = tuple(_option(option, known[identifier]) for option in children(question, "AnswerOption"))
        if children(question, "DefaultScore"):
            defaults[identifier] = _number(question, "DefaultScore")
    return AnswerKey(options, defaults, _mapping(root))


def _option(element: etree._Element, asked: forms.Asked) -> Option:
    names = frozenset((one.text or "").strip() for one in children(element, "SelectionIdentifier"))
    known = {selection.identifier for selection in asked.selections}
    if unknown := sorted(names - known):
        raise _wrong(f"question {asked.identifier} has no selection {unknown[0]}.")
    return Option(names, _number(element, "AnswerScore"))


def _mapping(root: etree._Element) -> tuple:
    found = child(root, "QualificationValueMapping")
    if found is None:
        return ("scale", 1.0)
    for way in children(found):
        match local_name(way):
            case "PercentageMapping":
                return ("percentage", _number(way, "MaximumSummedScore"))
            case "ScaleMapping":
                return ("scale", _number(way, "SummedScoreMultiplier", float))
            case "RangeMapping":
                ranges = tuple(
                    (
                        _number(one, "InclusiveLowerBound"),
                        _number(one, "InclusiveUpperBound"),
                        _number(one, "QualificationValue"),
                    )
                    for one in children(way, "SummedScoreRange")
                )
                return ("ranges", ranges, _number(way, "OutOfRangeQualificationValue"))
    raise _wrong("QualificationValueMapping must hold PercentageMapping, ScaleMapping or RangeMapping.")


def score(key: AnswerKey, given: forms.Given) -> int:
    """The value that these answers earn."""
    total = 0
    for identifier, options in key.options.items():
        chosen = frozenset(given.selections.get(identifier, ()))
        total += next(
            (option.score for option in options if option.selections == chosen), key.defaults.get(identifier, 0)
        )
    return max(-MOST_VALUE, min(MOST_VALUE, _mapped(total, key.mapping)))


def _mapped(total: int, mapping: tuple) -> int:
    if mapping[0] == "percentage":
        return round(100 * total / mapping[1]) if mapping[1] else 0
    if mapping[0] == "scale":
        return int(total * mapping[1])
    _, ranges, outside = mapping
    return next((value for low, high, value in ranges if low <= total <= high), outside)
