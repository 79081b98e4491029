"""What goes in and out of the API, field by field."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from annotation.desk.api.base import StrictSerializer
from annotation.hits.models import Assignment
from annotation.hits.paying import MOST_BONUS_WORDS, MOST_WORDS, PURPOSE
from annotation.hits.quarantine import MOST_REASON, SETTLEMENTS
from annotation.policies import without_worker_ids
from annotation.projects.models import Item, Membership, Project, Stage
from annotation.providers.models import Intent
from annotation.workers.queries import release_pseudonym
from annotation.workers.requirements import ACTIONS_GUARDED, COMPARATORS, MOST_VALUES

MOST_CENTS = 10**12


def cents(**kwargs: Any) -> serializers.IntegerField:
    return serializers.IntegerField(min_value=0, max_value=MOST_CENTS, **kwargs)


class JSONObject(serializers.DictField):
    """An object with any names and values; the action that takes it knows its shape."""

    child = serializers.JSONField(allow_null=True)


# --- Projects -------------------------------------------------------------------------------------


class ProjectOut(serializers.Serializer):
    slug = serializers.SlugField()
    name = serializers.CharField()
    pipeline = serializers.CharField()
    environment = serializers.CharField()
    state = serializers.ChoiceField(choices=Project.State.choices)
    settings = JSONObject()
    contact = serializers.CharField()
    created_at = serializers.DateTimeField()
    role = serializers.SerializerMethodField(help_text="yours")
    budget_cap_cents = serializers.IntegerField(required=False, help_text="not for reviewers")
    wage_floor_cents = serializers.IntegerField(required=False, help_text="not for reviewers")

    def get_role(self, project: Project) -> str:
        return self.context["roles"][project.pk]

    def to_representation(self, project: Project) -> dict[str, Any]:
        shown = super().to_representation(project)
        if shown["role"] == Membership.Role.REVIEWER:
            del shown["budget_cap_cents"], shown["wage_floor_cents"]
        return shown


class ProjectIn(StrictSerializer):
    slug = serializers.SlugField(max_length=60)
    name = serializers.CharField(max_length=120)
    pipeline = serializers.CharField(max_length=40)
    environment = serializers.ChoiceField(choices=sorted(settings.MARKETPLACES), default="own")
    settings = JSONObject(default=dict)
    budget_cap_cents = cents(default=0)
    wage_floor_cents = serializers.IntegerField(min_value=0, max_value=1_000_000, default=1_000)
    contact = serializers.CharField(max_length=200, allow_blank=True, default="")


class ProjectChange(StrictSerializer):
    name = serializers.CharField(max_length=120, required=False)
    settings = JSONObject(required=False)
    contact = serializers.CharField(max_length=200, allow_blank=True, required=False)
    budget_cap_cents = cents(required=False, help_text="owners only")
    wage_floor_cents = serializers.IntegerField(
        min_value=0, max_value=1_000_000, required=False, help_text="owners only"
    )


class StateChange(StrictSerializer):
    state = serializers.ChoiceField(choices=Project.State.choices)


class MemberOut(serializers.Serializer):
    username = serializers.CharField(source="user.username")
    role = serializers.ChoiceField(choices=Membership.Role.choices)


class MemberIn(StrictSerializer):
    username = serializers.CharField(max_length=150)
    role = serializers.ChoiceField(choices=Membership.Role.choices)


# --- Stages ---------------------------------------------------------------------------------------


class StageOut(serializers.Serializer):
    name = serializers.SlugField()
    task_type = serializers.CharField()
    crowd = serializers.BooleanField()
    state = serializers.ChoiceField(choices=Stage.State.choices)
    reward_cents = serializers.IntegerField()
    answers_per_item = serializers.IntegerField()
    items_per_hit = serializers.IntegerField()
    minutes_allowed = serializers.IntegerField()
    expected_seconds_per_item = serializers.IntegerField()
    lifetime_days = serializers.IntegerField()
    approve_after_hours = serializers.IntegerField()
    auto_approval_hours = serializers.IntegerField()
    review = serializers.ChoiceField(choices=Stage.Review.choices)
    blind_share = serializers.FloatField()
    requirements = serializers.ListField(child=JSONObject())
    settings = JSONObject()


class LocaleIn(StrictSerializer):
    Country = serializers.RegexField(r"^[A-Z]{2}$")
    Subdivision = serializers.RegexField(r"^[A-Z0-9]{1,3}$", required=False)


class RequirementIn(StrictSerializer):
    """A QualificationRequirement of the marketplace's protocol."""

    QualificationTypeId = serializers.RegexField(r"^[A-Za-z0-9]{1,64}$")
    Comparator = serializers.ChoiceField(choices=list(COMPARATORS))
    IntegerValues = serializers.ListField(
        child=serializers.IntegerField(min_value=-(2**31), max_value=2**31 - 1),
        max_length=MOST_VALUES,
        required=False,
    )
    LocaleValues = LocaleIn(many=True, required=False)
    ActionsGuarded = serializers.ChoiceField(choices=list(ACTIONS_GUARDED), required=False)


def plain(value: Any) -> Any:
    """Nested validated data as plain dicts and lists."""
    if isinstance(value, dict):
        return {name: plain(part) for name, part in value.items()}
    return [plain(part) for part in value] if isinstance(value, list) else value


class StageChange(StrictSerializer):
    reward_cents = serializers.IntegerField(min_value=0, max_value=100_000, required=False)
    answers_per_item = serializers.IntegerField(min_value=1, max_value=100, required=False)
    items_per_hit = serializers.IntegerField(min_value=1, max_value=50, required=False)
    minutes_allowed = serializers.IntegerField(min_value=1, max_value=43_200, required=False)
    expected_seconds_per_item = serializers.IntegerField(min_value=1, max_value=28_800, required=False)
    lifetime_days = serializers.IntegerField(min_value=1, max_value=365, required=False)
    approve_after_hours = serializers.IntegerField(min_value=0, max_value=720, required=False)
    auto_approval_hours = serializers.IntegerField(min_value=0, max_value=720, required=False)
    review = serializers.ChoiceField(choices=Stage.Review.choices, required=False)
    blind_share = serializers.FloatField(min_value=0, max_value=1, required=False)
    requirements = RequirementIn(many=True, required=False)
    settings = JSONObject(required=False)


class StageStateChange(StrictSerializer):
    state = serializers.ChoiceField(choices=Stage.State.choices)
    expire_hits = serializers.BooleanField(default=False, help_text="with paused: takes HITs that are out off as well")


class QuoteOut(serializers.Serializer):
    digest = serializers.CharField(help_text="names the very HITs; publishing takes it back")
    items = serializers.IntegerField()
    hits = serializers.IntegerField()
    assignments = serializers.IntegerField()
    reward_cents = serializers.IntegerField()
    fee_cents = serializers.IntegerField()
    total_cents = serializers.IntegerField()
    committed_cents = serializers.IntegerField()
    cap_cents = serializers.IntegerField()
    hourly_cents = serializers.IntegerField(allow_null=True)
    floor_cents = serializers.IntegerField()
    is_below_floor = serializers.BooleanField()
    fits = serializers.BooleanField()
    problems = serializers.ListField(child=serializers.CharField())


class PublishIn(StrictSerializer):
    confirmed_cents = cents(help_text="the quote's total, to the cent: where it is another one now, nothing happens")
    digest = serializers.CharField(max_length=64, help_text="the quote's: for other HITs nothing happens")
    limit = serializers.IntegerField(min_value=1, max_value=10**6, required=False, help_text="the first items only")
    only_unfinished = serializers.BooleanField(default=False, help_text="top up what came back without all answers")
    below_floor_ok = serializers.BooleanField(default=False)


class PublishOut(serializers.Serializer):
    hits = serializers.IntegerField()
    cents = serializers.IntegerField()


# --- Items, answers, outcomes ---------------------------------------------------------------------


class ItemOut(serializers.Serializer):
    id = serializers.IntegerField()
    stage = serializers.CharField(source="stage.name")
    key = serializers.CharField()
    split = serializers.CharField()
    state = serializers.SerializerMethodField(help_text="accepted and rejected are `decided` for reviewers")
    reason = serializers.SerializerMethodField()
    payload = JSONObject()
    created_at = serializers.DateTimeField()
    state_since = serializers.DateTimeField()

    def get_state(self, item: Item) -> str:
        return self.context["access"].state_of(item)

    def get_reason(self, item: Item) -> str:
        return "" if self.get_state(item) == "decided" else item.reason


class ImportIn(serializers.Serializer):
    """The files, and what the project's pipeline knows of these (of others the refusal says which there are)."""

    files = serializers.ListField(child=serializers.FileField(), help_text="source files under their own names")
    split = serializers.CharField(max_length=40, required=False, allow_blank=True)
    set = serializers.ChoiceField(choices=["easy", "challenge"], required=False, allow_blank=True, help_text="ARC-DA")
    sample = serializers.CharField(max_length=40, required=False, allow_blank=True, help_text="R4C: how many a file")
    seed = serializers.CharField(max_length=40, required=False, allow_blank=True, help_text="R4C: of the sample")
    opposite = serializers.ChoiceField(choices=["yes", "no"], required=False, allow_blank=True, help_text="R4C")


class ImportOut(serializers.Serializer):
    added = serializers.IntegerField()
    known = serializers.IntegerField()
    excluded = serializers.IntegerField()


class AnswerOut(serializers.Serializer):
    id = serializers.IntegerField()
    item = serializers.IntegerField(source="item_id")
    key = serializers.CharField(source="item.key")
    stage = serializers.CharField(source="item.stage.name")
    worker = serializers.SerializerMethodField(help_text="the pseudonym that this project's releases use")
    data = JSONObject()
    counts = serializers.BooleanField()
    created_at = serializers.DateTimeField()

    def get_worker(self, answer: Any) -> str:
        return release_pseudonym(self.context["access"].project, answer.assignment.worker.pseudonym)


class AssignmentOut(serializers.Serializer):
    id = serializers.IntegerField(source="assignment.pk")
    stage = serializers.CharField(source="assignment.hit.stage.name")
    worker = serializers.CharField(help_text="the pseudonym that this project's releases use")
    is_barred = serializers.BooleanField(source="assignment.worker.is_barred", help_text="from further HITs")
    state = serializers.ChoiceField(source="assignment.state", choices=Assignment.State.choices)
    items = serializers.IntegerField(help_text="how many its HIT has")
    findings = serializers.IntegerField(help_text="what the checks said at hand-over")
    reward_cents = serializers.IntegerField(source="assignment.hit.reward_cents")
    fee_cents = serializers.IntegerField(source="assignment.hit.fee_cents")
    opened_at = serializers.DateTimeField(source="assignment.opened_at")
    handed_over_at = serializers.DateTimeField(source="assignment.handed_over_at", allow_null=True)
    submitted_at = serializers.DateTimeField(source="assignment.submitted_at", allow_null=True)
    decided_at = serializers.DateTimeField(source="assignment.decided_at", allow_null=True)
    seconds_spent = serializers.IntegerField(source="assignment.seconds_spent", allow_null=True)
    comment = serializers.CharField(source="assignment.comment", help_text="the worker's")
    feedback = serializers.CharField(source="assignment.feedback", help_text="what the worker was told")
    settlement = serializers.CharField(source="assignment.settlement", help_text="of work in quarantine, by hand")


class FindingOut(serializers.Serializer):
    check_name = serializers.CharField()
    version = serializers.IntegerField()
    level = serializers.CharField()
    message = serializers.CharField()


class GivenOut(serializers.Serializer):
    item = serializers.IntegerField(source="item.pk")
    key = serializers.CharField(source="item.key")
    answer = serializers.SerializerMethodField(help_text="null where none came")
    findings = FindingOut(many=True)

    def get_answer(self, given: Any) -> dict[str, Any] | None:
        return given.answer.data if given.answer else None


class CallOut(serializers.Serializer):
    """Something asked of the marketplace, as the ledger has it."""

    id = serializers.IntegerField(source="pk")
    kind = serializers.CharField()
    state = serializers.ChoiceField(choices=Intent.State.choices)
    attempts = serializers.IntegerField()
    error = serializers.SerializerMethodField()
    cents = serializers.IntegerField(help_text="money that it may spend beyond what is reserved, fees included")
    created_at = serializers.DateTimeField()

    def get_error(self, intent: Intent) -> str:
        return without_worker_ids(intent.error)


class WorkOut(AssignmentOut):
    items = serializers.SerializerMethodField(help_text="how many its HIT has")
    findings = serializers.SerializerMethodField(help_text="what the checks said at hand-over")
    answers = GivenOut(many=True, source="given")
    calls = serializers.SerializerMethodField(help_text="what was asked of the marketplace for it")
    why_not_approved = serializers.CharField(help_text="empty where it can be")
    why_not_rejected = serializers.CharField(help_text="empty where it can be")
    why_no_bonus = serializers.CharField(help_text="empty where one can be paid")

    def get_items(self, work: Any) -> int:
        return len(work.given)

    def get_findings(self, work: Any) -> int:
        return sum(len(given.findings) for given in work.given)

    @extend_schema_field(CallOut(many=True))
    def get_calls(self, work: Any) -> list[dict[str, Any]]:
        return CallOut([call.intent for call in work.calls], many=True).data


class ApproveIn(StrictSerializer):
    feedback = serializers.CharField(
        max_length=MOST_WORDS, allow_blank=True, default="", help_text="the worker reads it; needed after a rejection"
    )


class RejectIn(StrictSerializer):
    reason = serializers.CharField(max_length=MOST_WORDS, help_text="the worker reads it")
    confirmed = serializers.BooleanField(
        default=False, help_text="that you looked at the work and mean it; without it you are told what it means"
    )


class BonusIn(StrictSerializer):
    cents = serializers.IntegerField(min_value=1, max_value=MOST_CENTS, help_text="without the marketplace's fee")
    reason = serializers.CharField(max_length=MOST_BONUS_WORDS, help_text="the worker reads it")
    purpose = serializers.RegexField(rf"^{PURPOSE.pattern}\Z", max_length=40, help_text="a bonus is paid once for each")


class SettleIn(StrictSerializer):
    how = serializers.ChoiceField(choices=sorted(SETTLEMENTS))
    reason = serializers.CharField(max_length=MOST_REASON)


class WorkerIn(StrictSerializer):
    is_barred = serializers.BooleanField()
    reason = serializers.CharField(max_length=1_000)


class ToldIn(StrictSerializer):
    is_done = serializers.BooleanField(help_text="whether the marketplace did what was asked")
    reason = serializers.CharField(max_length=1_000, help_text="where you looked, and what you found")


class WorkerOut(serializers.Serializer):
    worker = serializers.CharField(help_text="the pseudonym that this project's releases use")
    environment = serializers.CharField(help_text="barring holds for every project here that publishes there")
    is_barred = serializers.BooleanField()


class OutcomeOut(serializers.Serializer):
    id = serializers.IntegerField()
    item = serializers.IntegerField(source="item_id")
    key = serializers.CharField(source="item.key")
    stage = serializers.CharField(source="stage.name")
    state = serializers.CharField()
    is_disputed = serializers.BooleanField()
    agreement = serializers.FloatField(allow_null=True)
    value = JSONObject(help_text="what the answers add up to")
    final = JSONObject(help_text="what stands after the reviews")
    reason = serializers.CharField()
    contributors = serializers.ListField(child=serializers.IntegerField(), help_text="ids of answers")
    settled_at = serializers.DateTimeField()
    decided_at = serializers.DateTimeField(allow_null=True)


class FeedbackOut(serializers.Serializer):
    id = serializers.IntegerField()
    kind = serializers.CharField()
    about = serializers.IntegerField(source="about_id", help_text="the item whose work is meant")
    about_key = serializers.CharField(source="about.key")
    about_stage = serializers.CharField(source="about.stage.name")
    item = serializers.IntegerField(source="item_id", help_text="the later item at which it was said")
    stage = serializers.CharField(source="item.stage.name")
    step = serializers.IntegerField(help_text="which part, from 1; 0: the whole")
    reason = serializers.CharField()
    answers = serializers.ListField(child=serializers.IntegerField(), help_text="ids of the answers that say so")
    asked = serializers.IntegerField(help_text="how many could have said so")
    state = serializers.CharField()
    effect = serializers.CharField()
    note = serializers.CharField()
    successor = serializers.IntegerField(source="successor_id", allow_null=True)
    created_at = serializers.DateTimeField()
    done_at = serializers.DateTimeField(allow_null=True)


class WaitingOut(serializers.Serializer):
    state = serializers.CharField()
    count = serializers.IntegerField()
    oldest = serializers.DateTimeField()
    median = serializers.DateTimeField()
    oldest_item = serializers.IntegerField()


class ReasonOut(serializers.Serializer):
    code = serializers.CharField()
    count = serializers.IntegerField()
    example = serializers.CharField()


class FeedbackCountOut(serializers.Serializer):
    said_at = serializers.CharField()
    about = serializers.CharField()
    kind = serializers.CharField()
    effect = serializers.CharField()
    count = serializers.IntegerField()


class BoardColumn(serializers.Serializer):
    stage = serializers.CharField(source="stage.name")
    title = serializers.CharField()
    total = serializers.IntegerField()
    counts = serializers.DictField(child=serializers.IntegerField(), help_text="items by state")
    waiting = WaitingOut(many=True)
    accepted = serializers.IntegerField()
    went_on = serializers.IntegerField()
    fallen = serializers.IntegerField()
    reasons = ReasonOut(many=True, help_text="why items fell out")
    successors = serializers.IntegerField(help_text="items in the place of others")
    gave = FeedbackCountOut(many=True, help_text="what was said here of earlier stages")
    got = FeedbackCountOut(many=True, help_text="what later stages said of this one")


class Page(serializers.Serializer):
    """Part of a long list: follow `next` until it is null."""

    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)


class ItemPage(Page):
    results = ItemOut(many=True)


class AnswerPage(Page):
    results = AnswerOut(many=True)


class AssignmentPage(Page):
    results = AssignmentOut(many=True)


class OutcomePage(Page):
    results = OutcomeOut(many=True)


# --- Releases, events -----------------------------------------------------------------------------


class ReleaseOut(serializers.Serializer):
    version = serializers.CharField()
    state = serializers.CharField()
    step = serializers.CharField()
    progress = serializers.IntegerField()
    log_position = serializers.IntegerField()
    manifest_sha256 = serializers.CharField()
    counts = JSONObject()
    figures = serializers.ListField(child=JSONObject())
    notes = serializers.CharField()
    error = serializers.CharField()
    created_by = serializers.CharField()
    created_at = serializers.DateTimeField()


class ReleaseIn(StrictSerializer):
    version = serializers.RegexField(r"^\d{1,5}\.\d{1,5}\.\d{1,5}$", required=False)
    notes = serializers.CharField(max_length=5_000, allow_blank=True, default="")


class DifferenceOut(serializers.Serializer):
    before = serializers.CharField()
    after = serializers.CharField()
    kind = serializers.ChoiceField(choices=["major", "minor", "patch"])
    added = serializers.ListField(child=JSONObject())
    removed = serializers.ListField(child=JSONObject())
    changed = serializers.ListField(child=JSONObject(), help_text="the first 1,000, word by word")
    changed_beyond = serializers.IntegerField(help_text="how many more changed")
    moved = serializers.ListField(child=JSONObject())
    statistics = serializers.ListField(child=JSONObject())


class VerificationOut(serializers.Serializer):
    state = serializers.ChoiceField(
        source="verification", choices=["", "ordered", "running", "done"], help_text="empty: nobody asked yet"
    )
    verified_at = serializers.DateTimeField(allow_null=True, help_text="when the last one ended")
    is_whole = serializers.SerializerMethodField(help_text="of the last one that ended; null: there is none")
    problems = serializers.ListField(child=serializers.CharField(), help_text="of the last one that ended")

    def get_is_whole(self, release: Any) -> bool | None:
        return not release.problems if release.verified_at else None


class EventOut(serializers.Serializer):
    id = serializers.IntegerField(help_text="its position in the log")
    at = serializers.DateTimeField()
    verb = serializers.CharField()
    actor = serializers.SerializerMethodField()
    subject = serializers.CharField()
    data = serializers.SerializerMethodField()

    def get_actor(self, event: Any) -> str:
        return self._actor(event.actor)

    def get_data(self, event: Any) -> dict[str, Any]:
        """What an event says, with the worker that it is about by the pseudonym of releases."""
        renamed = {}
        if isinstance(event.data.get("worker"), str):
            renamed["worker"] = release_pseudonym(self.context["project"], event.data["worker"])
        if isinstance(event.data.get("by"), str):
            renamed["by"] = self._actor(event.data["by"])
        return {**event.data, **renamed}

    def _actor(self, actor: str) -> str:
        name = actor.removeprefix("worker:")
        return f"worker:{release_pseudonym(self.context['project'], name)}" if name != actor else actor


class EventFeed(serializers.Serializer):
    events = EventOut(many=True)
    position = serializers.IntegerField(help_text="ask with `after` this for what comes next")


class FiguresOut(serializers.Serializer):
    funnel = serializers.ListField(child=JSONObject())
    progress = serializers.ListField(child=JSONObject())
    agreement = JSONObject(help_text="by stage")
    spending = JSONObject(required=False, help_text="not for reviewers")
    pay = JSONObject(required=False, help_text="by stage; not for reviewers")
    workers = serializers.ListField(child=JSONObject(), required=False, help_text="not for reviewers")


class Problem(serializers.Serializer):
    detail = serializers.CharField()


class FeedbackPage(Page):
    results = FeedbackOut(many=True)
