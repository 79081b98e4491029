"""Random lives of HITs, with the invariants that must hold after every step."""

from datetime import timedelta

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from annotation.marketplace import clock, fees, ledger, publishing, registering, reviewing, sweep, working
from annotation.marketplace.errors import Refusal
from annotation.marketplace.models import HIT, Account, Assignment, Bonus, Book, Entry
from tests.marketplace.invariants import check_invariants
from tests.marketplace.people import EXTERNAL

ANSWER = "<QuestionFormAnswers/>"


def quietly(action, **given):
    """Do it, or find it refused; anything else is a fault of ours."""
    try:
        return action(**given)
    except Refusal:
        return None


class Marketplace(RuleBasedStateMachine):
    """A requester, three workers, and time."""

    @initialize()
    def begin(self):
        for table in (Entry, Bonus, Assignment, HIT, Book):
            table.objects.all().delete()
        clock.reset()
        number = Account.objects.count()
        self.requester = Account.objects.create_user(f"lab{number}", is_requester=True)
        ledger.prepay(requester=self.requester, cents=20_000)
        self.workers = [Account.objects.create_user(f"w{number}-{n}", is_worker=True) for n in range(3)]
        self.approved: set[int] = set()
        self.tokens: dict[str, int] = {}
        for reward, places in ((10, 1), (50, 3), (100, 10)):
            self.publish(reward=reward, places=places, lifetime=86_400)

    def _hit(self, number):
        rows = list(HIT.objects.order_by("pk"))
        return rows[number % len(rows)]

    def _turn(self, number, first, **narrowed):
        """One of the turns in the state that the step is about, or any turn where there is none."""
        rows = Assignment.objects.filter(**narrowed).order_by("pk")
        chosen = list(rows.filter(status=first)) or list(rows)
        return chosen[number % len(chosen)] if chosen else None

    def _values(self, reward):
        return registering.TypeValues("t", "d", "", reward, 600, 86_400, [])

    @rule(reward=st.integers(1, 300), places=st.integers(1, 12), lifetime=st.sampled_from([60, 3600]))
    def publish(self, reward, places, lifetime):
        kind = registering.register_type(requester=self.requester, values=self._values(reward))
        quietly(
            publishing.create_hit,
            requester=self.requester,
            hit_type=kind,
            question=EXTERNAL,
            lifetime=lifetime,
            max_assignments=places,
        )

    @rule(hit=st.integers(0, 9), who=st.integers(0, 2))
    def accept(self, hit, who):
        quietly(working.accept, worker=self.workers[who], hit=self._hit(hit))

    @rule(who=st.integers(0, 2), pick=st.integers(0, 5))
    def give_back(self, who, pick):
        if turn := self._turn(pick, "Accepted", worker=self.workers[who]):
            quietly(working.give_back, worker=self.workers[who], assignment=turn)

    @rule(who=st.integers(0, 2), pick=st.integers(0, 5), twice=st.booleans())
    def hand_in(self, who, pick, twice):
        if turn := self._turn(pick, "Accepted", worker=self.workers[who]):
            for _ in range(1 + twice):
                quietly(working.submit, assignment=turn, answer=ANSWER)

    @rule(
        who=st.integers(0, 2),
        hit=st.integers(0, 9),
        late=st.sampled_from([0, 0, 0, 700]),
        decisions=st.lists(st.sampled_from(["approve", "reject", "take back"]), max_size=3),
    )
    def work(self, who, hit, late, decisions):
        turn = quietly(working.accept, worker=self.workers[who], hit=self._hit(hit))
        if turn:
            clock.advance(seconds=late)
            quietly(working.submit, assignment=turn, answer=ANSWER)
            for how in decisions:
                self._decide(turn, how)

    @rule(pick=st.integers(0, 9), how=st.sampled_from(["approve", "reject"]))
    def decide(self, pick, how):
        if turn := self._turn(pick, "Submitted", status__in=Assignment.LIVE):
            self._decide(turn, how)

    @rule(pick=st.integers(0, 9))
    def take_back(self, pick):
        if turn := self._turn(pick, "Rejected", status__in=Assignment.LIVE):
            self._decide(turn, "take back")

    def _decide(self, turn, how):
        given = {"requester": self.requester, "assignment_id": turn.assignment_id}
        if how == "reject":
            quietly(reviewing.reject, **given, feedback="no")
        else:
            quietly(reviewing.approve, **given, override=how == "take back")

    @rule(pick=st.integers(0, 9), cents=st.integers(1, 200), token=st.sampled_from(["a", "b", "c"]))
    def bonus(self, pick, cents, token):
        turn = self._turn(pick, "Submitted", status__in=("Submitted", "Approved", "Rejected"))
        paid = turn and quietly(
            reviewing.send_bonus,
            requester=self.requester,
            worker_id=turn.worker.customer_id,
            assignment_id=turn.assignment_id,
            cents=cents,
            reason="r",
            token=token,
            request_id="x",
        )
        if paid:
            earlier = self.tokens.get(token)
            assert earlier is None or clock.now() - earlier >= timedelta(hours=24)
            self.tokens[token] = clock.now()

    @rule(hit=st.integers(0, 9), number=st.integers(1, 9))
    def add(self, hit, number):
        given = {
            "requester": self.requester,
            "hit_id": self._hit(hit).hit_id,
            "number": number,
            "token": None,
            "request_id": "x",
        }
        quietly(publishing.add_assignments, **given)

    @rule(hit=st.integers(0, 9), seconds=st.sampled_from([-1, 30, 4000]))
    def move_the_end(self, hit, seconds):
        at = clock.now() + timedelta(seconds=seconds)
        quietly(publishing.update_expiration, requester=self.requester, hit_id=self._hit(hit).hit_id, at=at)

    @rule(hit=st.integers(0, 9), reward=st.integers(1, 300))
    def change_type(self, hit, reward):
        kind = registering.register_type(requester=self.requester, values=self._values(reward))
        quietly(publishing.change_type, requester=self.requester, hit_id=self._hit(hit).hit_id, type_id=kind.type_id)

    @rule(hit=st.integers(0, 9), revert=st.booleans())
    def label(self, hit, revert):
        quietly(publishing.mark_reviewing, requester=self.requester, hit_id=self._hit(hit).hit_id, revert=revert)

    @rule(hit=st.integers(0, 9))
    def delete(self, hit):
        quietly(publishing.delete_hit, requester=self.requester, hit_id=self._hit(hit).hit_id)

    @rule(seconds=st.sampled_from([1, 1, 61, 61, 601, 601, 3601, 90_000, 11_000_000]), now=st.booleans())
    def pass_time(self, seconds, now):
        clock.advance(seconds=seconds)
        if now:
            sweep.bring_up_to_date()

    @invariant()
    def money_and_counters_are_right(self):
        check_invariants()

    @invariant()
    def each_hit_holds_what_it_can_still_cost(self):
        """Nothing is held for places that nobody can take any more."""
        now = clock.now()
        late = Assignment.objects.filter(due_at__lte=now).values("hit")
        for hit in HIT.objects.select_related("hit_type").exclude(due_at__lte=now).exclude(pk__in=late):
            may_be_taken = hit.available if hit.status != "Disposed" and hit.expires_at > now else 0
            each = hit.hit_type.reward_cents + fees.on_reward(hit.hit_type.reward_cents, hit.max_assignments)
            assert hit.held_cents == (hit.accepted + hit.submitted + may_be_taken) * each

    @invariant()
    def a_finished_hit_is_kept_for_120_days(self):
        """It finished at its end or later; before the 120 days are over nothing is due that would dispose of it."""
        for hit in HIT.objects.filter(status__in=("Reviewable", "Reviewing"), is_live=False):
            assert hit.due_at - hit.expires_at >= publishing.RETENTION

    @invariant()
    def nobody_leaves_approved(self):
        now = set(Assignment.objects.filter(status="Approved").values_list("pk", flat=True))
        assert self.approved <= now
        self.approved = now

    def teardown(self):
        clock.reset()


@pytest.mark.timeout(900)
@pytest.mark.django_db(transaction=False)
def test_no_order_of_events_breaks_the_invariants():
    from hypothesis.stateful import run_state_machine_as_test

    run_state_machine_as_test(
        Marketplace,
        settings=settings(
            max_examples=20,
            stateful_step_count=25,
            deadline=None,
            derandomize=True,
            database=None,
            phases=(Phase.generate,),  # a failing life of 25 steps is read sooner than it is made shorter
            report_multiple_bugs=False,
            suppress_health_check=list(HealthCheck),
        ),
    )
