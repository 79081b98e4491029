"""What can be wrong with an answer and its derivation.

`item` is a `Question`; `answer` has a `choice` (a candidate, or `neither`) and `steps` (`DerivationStep`s).
"""

import itertools

from tasks.checks.graphs import components
from tasks.checks.verbs import holds_a_verb
from tasks.r4c.candidates import NEITHER, OPPOSITES
from tasks.r4c.shapes import DerivationStep, Question, shown
from tasks.text import comparable, content_words, in_short, unwelcome_character

MOST_STEPS = 30
MOST_CHARACTERS = 500


def steps_of(answer) -> list[tuple[int, DerivationStep]]:
    """The numbered steps that are ever read: no check works on more."""
    return list(enumerate(answer.steps[: 2 * MOST_STEPS], 1))


def ends_here(answer) -> bool:
    """Whoever chooses "neither" has nothing to derive: nothing is asked of their steps but that they can be stored."""
    return answer.choice == NEITHER


def steps_asked_for(answer) -> list[tuple[int, DerivationStep]]:
    return [] if ends_here(answer) else steps_of(answer)


def complete_steps(answer) -> list[tuple[int, DerivationStep]]:
    return [(number, step) for number, step in steps_asked_for(answer) if all(part.strip() for part in step.triplet)]


def no_answer_chosen(item, answer, context):
    return None if answer.choice else "Please choose the answer, or “neither”."


def no_step(item, answer, context):
    if answer.steps or ends_here(answer):
        return None
    return "Please write at least one step: click a sentence and fill in head, relation and tail."


def leaves_a_part_empty(item, answer, context):
    for number, step in steps_asked_for(answer):
        for name, part in zip(("head", "relation", "tail"), step.triplet, strict=True):
            if not part.strip():
                return f"Step {number} has no {name}."
    return None


def cites_no_sentence(item: Question, answer, context):
    for number, step in steps_asked_for(answer):
        if item.sentence(step.cited) is None:
            return f"Step {number} belongs to no sentence. Please choose the sentence that it is drawn from."
    return None


def too_many_steps(item, answer, context):
    number = len(answer.steps)
    return f"At most {MOST_STEPS} steps are taken, there are {number}." if number > MOST_STEPS else None


def part_is_too_long(item, answer, context):
    for number, step in steps_of(answer):
        if any(len(part) > MOST_CHARACTERS for part in step.triplet):
            return f"A part of step {number} has more than {MOST_CHARACTERS} characters. Please enter a phrase."
    return None


def holds_unwelcome_characters(item, answer, context):
    for number, step in steps_of(answer):
        if found := unwelcome_character("".join(step.triplet) + step.title):
            return f"Step {number} holds a character that can't be stored ({found}). Please type it again."
    return None


def repeats_a_step(item, answer, context):
    seen: dict[tuple[str, ...], int] = {}
    for number, step in complete_steps(answer):
        form = tuple(comparable(part) for part in step.triplet)
        if form in seen:
            return f"Step {number} says the same as step {seen[form]}."
        seen[form] = number
    return None


def relation_lacks_a_verb(item, answer, context):
    for number, step in complete_steps(answer):
        if not holds_a_verb(step.relation):
            return f"The relation of step {number}, “{in_short(step.relation)}”, seems to have no verb."
    return None


def entity_occurs_nowhere(item: Question, answer, context):
    """Head and tail are usually named in the articles; a phrase of one's own is allowed."""
    text = _Text(" ".join([item.question, *_article_texts(item)]))
    for number, step in complete_steps(answer):
        for name, part in (("head", step.head), ("tail", step.tail)):
            if not text.holds(part):
                return f"The {name} of step {number}, “{in_short(part)}”, stands nowhere in the articles."
    return None


def sentence_names_neither(item: Question, answer, context):
    for number, step in complete_steps(answer):
        sentence = item.sentence(step.cited)
        if sentence is None:
            continue
        text = _Text(f"{shown(step.title)} {sentence}")
        if not text.holds(step.head) and not text.holds(step.tail):
            return f"The sentence of step {number} names neither its head nor its tail. Is it the right one?"
    return None


def uses_one_article_only(item: Question, answer, context):
    """Where the supporting facts lie in several articles, a derivation that stays in one is too short."""
    gold = {fact.title for fact in item.supporting_facts}
    cited = {step.title for _, step in steps_asked_for(answer) if step.title}
    if len(gold) > 1 and len(cited) == 1:
        return "All steps come from one article, but the question needs two. Which step is missing?"
    return None


def steps_hang_apart(item: Question, answer, context):
    """Steps hang together where they share a content word of head or tail, or one that the question holds.

    Two things that a question compares ("Were A and B of the same nationality?") are joined by it.
    """
    steps = complete_steps(answer)
    entities = {number: content_words(f"{step.head} {step.tail}") for number, step in steps}
    asked = content_words(item.question)
    joined = [
        (one, other)
        for one, other in itertools.combinations(entities, 2)
        if entities[one] & entities[other] or (entities[one] & asked and entities[other] & asked)
    ]
    if len(components(entities, joined)) > 1:
        return "Some steps have nothing in common with the others. Is a step between them missing?"
    return None


def never_reaches_the_answer(item: Question, answer, context):
    """Some head or tail should name the answer; yes and no are reached by comparing."""
    steps = complete_steps(answer)
    wanted = content_words(answer.choice)
    if not steps or not wanted or answer.choice.lower() in OPPOSITES:
        return None
    said = frozenset().union(*(content_words(" ".join(step.triplet)) for _, step in steps))
    return None if wanted & said else f"No step names the answer, “{in_short(answer.choice)}”."


def _article_texts(item: Question) -> list[str]:
    return [text for article in item.articles for text in (shown(article.title), *article.sentences)]


class _Text:
    """A text that phrases are looked for in, read once."""

    def __init__(self, text: str) -> None:
        self.folded = " ".join(text.lower().split())
        self.content = content_words(text)

    def holds(self, phrase: str) -> bool:
        """Whether a phrase stands in the text, or more than half of its content words do."""
        if " ".join(phrase.lower().split()).strip(" .,") in self.folded:
            return True
        wanted = content_words(phrase)
        return not wanted or 2 * len(wanted & self.content) > len(wanted)
