"""A small corpus to test with, all of it made up: mills, rivers and clockmakers of a country that there is not."""

from annotation.corpus.paragraphs import Paragraph


def paragraph(title: str, number: int, text: str, section: str = "", headers: tuple[str, ...] = ()) -> Paragraph:
    return Paragraph(f"{title}-{number}", title, section, headers, number, text)


PARAGRAPHS = [
    paragraph("Red Mill", 1, "The Red Mill is a watermill on the river Sorn, built in 1702 by Ada Bell."),
    paragraph("Red Mill", 2, "Its wheel was running until the great flood of 1891 broke it.", "History", ("History",)),
    paragraph(
        "Red Mill",
        3,
        "A clock in the gable, made by Otto Fenn, strikes the hours of low and high water.",
        "The clock",
        ("History", "The clock"),
    ),
    paragraph("Red Mill", 10, "Visitors may see the mill on Sundays.", "Today", ("Today",)),
    paragraph("Sorn", 1, "The Sorn is a river of 84 miles. It floods the meadows every spring."),
    paragraph("Sorn", 2, "Three mills stand on the Sorn: the Red Mill, the Upper Mill and the Mill of Saint Ode."),
    paragraph("Ada Bell", 1, "Ada Bell (1668–1731) was a builder of mills and bridges. 😀 She never saw the sea."),
    paragraph("Jean-Luc Éclair", 1, "Éclair repaired naïve clockworks; he was born in Upper-Sorn in 1901."),
    paragraph("Upper Mill", 1, "The Upper Mill was a mill of oak. To be or not to be a mill was put to a vote."),
]
