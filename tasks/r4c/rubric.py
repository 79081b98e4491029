"""By what a trial derivation is read. The paper identifies competent workers by hand and names no criteria.

Each question here is one that the paper asks of derivations elsewhere: its filter (the right answer), its
derivability judgement (each step from the sentence that it cites), its answerability judgement (the steps alone
lead to the answer), and its task (entities and relations in triplets, nothing besides what the answer needs).
"""

from tasks.base import Criterion

DERIVATION_RUBRIC = (
    Criterion(
        "right_answer",
        "Is the answer right, or rightly “neither”?",
        ("wrong more than once", "wrong once", "right throughout"),
    ),
    Criterion(
        "derivable",
        "Does each step follow from the sentence that it cites?",
        ("most don’t, or cite another sentence", "one or two don’t", "all do"),
    ),
    Criterion(
        "answerable",
        "Do the steps alone lead to the answer?",
        ("they don’t arrive", "with a leap in between", "they do"),
    ),
    Criterion(
        "readable",
        "Do head, relation and tail read as statements, with entities by their names?",
        ("fragments or pronouns", "some are hard to read", "they do"),
    ),
    Criterion(
        "minimal",
        "Is there nothing besides what the answer needs?",
        ("mostly beside the point", "a step too many", "nothing besides"),
    ),
)
