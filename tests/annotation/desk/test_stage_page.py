import pytest

from annotation.events.models import Event

FORM = {
    "reward_cents": "0.50",
    "answers_per_item": "5",
    "items_per_hit": "5",
    "expected_seconds_per_item": "60",
    "minutes_allowed": "60",
    "lifetime_days": "14",
    "approve_after_hours": "0",
    "auto_approval_hours": "72",
    "approval_rate": "",
    "approved_count": "",
    "countries": "",
    "review": "all",
    "blind_percent": "10",
    "setting-fewest_workers": "2",
    "setting-different_workers": "on",
    "setting-stemming": "on",
    "setting-settled_from": "0.5",
}
PLACE = "/projects/forces/stages/direct_answer/"


@pytest.fixture
def stage(project):
    return project.stages.get()


@pytest.fixture
def save(stage, browse):
    """Saves the stage's form, as it is shown, with some fields changed."""

    def saved(**changes):
        shown = browse("researcher").get(PLACE).context["form"]
        stop_words = "\n".join(shown.fields["setting-stop_words"].initial)
        response = browse("researcher").post(PLACE, {**FORM, "setting-stop_words": stop_words, **changes}, follow=True)
        stage.refresh_from_db()
        return response

    return saved


def test_saving_the_form_as_it_is_changes_nothing(save, stage):
    save()
    assert "Nothing was different." in save().content.decode()
    assert Event.objects.filter(verb="stage.changed").count() <= 1


def test_pay_numbers_and_settings_are_changed(save, stage):
    save(**{"reward_cents": "1.25", "answers_per_item": "3", "blind_percent": "25", "setting-fewest_workers": "3"})
    assert (stage.reward_cents, stage.answers_per_item, stage.blind_share) == (125, 3, 0.25)
    assert stage.settings["fewest_workers"] == 3


def test_requirements_are_built_from_plain_fields_and_said_in_sentences(save, stage, browse):
    save(approval_rate="95", approved_count="1000", countries="us, GB ca")
    assert stage.requirements == [
        {"QualificationTypeId": "000000000000000000L0", "Comparator": "GreaterThanOrEqualTo", "IntegerValues": [95]},
        {"QualificationTypeId": "00000000000000000040", "Comparator": "GreaterThanOrEqualTo", "IntegerValues": [1000]},
        {
            "QualificationTypeId": "00000000000000000071",
            "Comparator": "In",
            "LocaleValues": [{"Country": "US"}, {"Country": "GB"}, {"Country": "CA"}],
        },
    ]
    shown = browse("researcher").get(PLACE).content.decode()
    assert "Has had at least 95% of their work approved." in shown
    assert "Has had at least 1,000 HITs approved." in shown
    assert "Lives in US, GB, CA." in shown


def test_a_requirement_that_the_form_does_not_know_is_kept(save, stage):
    own = {"QualificationTypeId": "3MYQUALIFICATION", "Comparator": "Exists", "ActionsGuarded": "PreviewAndAccept"}
    stage.requirements = [own]
    stage.save()
    shown = save(approval_rate="90").content.decode()
    assert stage.requirements[1:] == [own]
    assert "Has the qualification 3MYQUALIFICATION." in shown


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("reward_cents", "-1", "greater than or equal to 0"),
        ("reward_cents", "99999", "reward cents must be between"),
        ("answers_per_item", "0", "greater than or equal to 1"),
        ("answers_per_item", "many", "whole number"),
        ("countries", "Germany", "is no country code"),
        ("approval_rate", "101", "less than or equal to 100"),
        ("setting-fewest_workers", "0", "greater than or equal to 1"),
        ("setting-settled_from", "2", "less than or equal to 1"),
        ("review", "sometimes", "Select a valid choice"),
    ],
)
def test_an_impossible_value_comes_back_with_its_reason(save, stage, field, value, said):
    before = (stage.reward_cents, stage.answers_per_item, stage.requirements, stage.settings)
    response = save(**{field: value})
    assert response.status_code == 422
    assert said in response.content.decode()
    assert (stage.reward_cents, stage.answers_per_item, stage.requirements, stage.settings) == before


def test_a_stage_is_paused_and_opened(stage, browse):
    for to, state in (("pause", "paused"), ("open", "open"), ("expire", "paused")):
        browse("researcher").post(f"{PLACE}state/", {"to": to})
        stage.refresh_from_db()
        assert stage.state == state
    assert browse("researcher").post(f"{PLACE}state/", {"to": "burn"}).status_code == 404


def test_an_expert_stage_has_no_pay_and_no_quote(project, browse):
    project.stages.update(crowd=False)
    shown = browse("researcher").get(PLACE)
    assert "Pay and amount" not in shown.content.decode()
    assert browse("researcher").get(f"{PLACE}quote/").status_code == 404


def test_the_api_changes_a_stage_field_by_field(stage, call):
    client = call("researcher")
    good = client.patch(
        "/api/v1/projects/forces/stages/direct_answer",
        {
            "reward_cents": 80,
            "requirements": [
                {"QualificationTypeId": "000000000000000000L0", "Comparator": "GreaterThan", "IntegerValues": [90]}
            ],
        },
        format="json",
    )
    assert good.status_code == 200, good.content
    stage.refresh_from_db()
    assert (stage.reward_cents, stage.requirements[0]["IntegerValues"]) == (80, [90])
    for bad in (
        {"reward_cents": -1},
        {"requirements": [{"QualificationTypeId": "x y", "Comparator": "In"}]},
        {"requirements": [{"QualificationTypeId": "x", "Comparator": "Exists", "Extra": 1}]},
        {"requirements": "everybody"},
        {"state": "paused"},
        {"position": 3},
        {"task_type": "arc_da.other"},
    ):
        response = client.patch("/api/v1/projects/forces/stages/direct_answer", bad, format="json")
        assert response.status_code == 400, bad
