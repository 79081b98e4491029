"""Widgets are shared by task types: what is said of a task, its field says."""

from annotation.workbench.widgets import widget
from tasks.fields import Steps


class Small:
    """As much of a task type as a widget looks at."""

    name = "small.steps"

    def __init__(self, field: Steps):
        self.fields = {"steps": field}


def test_steps_say_what_their_field_says_when_they_are_excused():
    html = widget(Small(Steps(label="Steps", excused="Nobody needs steps for that.")), "steps", "7")
    assert '<p class="note excused-note">Nobody needs steps for that.</p>' in html


def test_steps_that_nothing_excuses_say_nothing_of_it():
    assert "excused" not in widget(Small(Steps(label="Steps")), "steps", "7")
