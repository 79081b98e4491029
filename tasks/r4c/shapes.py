"""What R4C's stages pass on: a question with its articles, and derivation steps that cite their sentences.

Texts are kept as HotpotQA has them, HTML entities in titles included (`Ant &amp; Dec`), because released
derivations name articles that way; what people see goes through `shown`.
"""

import html

from tasks.base import Shape
from tasks.metrics.alignment import Triplet


class Article(Shape):
    """A supporting article: sentences are numbered from 0, empty ones included."""

    title: str
    sentences: list[str]


class Sentence(Shape):
    """A place in the articles."""

    title: str
    sentence: int


class Question(Shape):
    """An instance of the reading-comprehension dataset; `supporting_facts` may be unknown."""

    question: str
    answer: str
    articles: list[Article]
    supporting_facts: list[Sentence] = []
    candidates: list[str] = []

    def article(self, title: str) -> Article | None:
        """The article of this title, as HotpotQA writes it or as people read it."""
        exact = next((article for article in self.articles if article.title == title), None)
        return exact or next((article for article in self.articles if shown(article.title) == shown(title)), None)

    def sentence(self, place: Sentence) -> str | None:
        """The text of a cited sentence, or None where there is none."""
        article = self.article(place.title)
        if article is None or not 0 <= place.sentence < len(article.sentences):
            return None
        return article.sentences[place.sentence]


class DerivationStep(Shape):
    """A relational fact and the sentence that it is drawn from; in a draft any part may still be missing."""

    title: str = ""
    sentence: int = -1
    head: str = ""
    relation: str = ""
    tail: str = ""

    @property
    def triplet(self) -> Triplet:
        return self.head, self.relation, self.tail

    @property
    def cited(self) -> Sentence:
        return Sentence(title=self.title, sentence=self.sentence)

    def published(self) -> list:
        """`[title, sentence, [head, relation, tail]]`, the form of the release."""
        return [self.title, self.sentence, list(self.triplet)]


def shown(text: str) -> str:
    """A text of HotpotQA as people should read it: entities resolved, blanks at the ends gone."""
    return html.unescape(text).strip()
