"""A requester with unmodified boto3 and a worker with a plain HTTP client, for the marketplace's tests."""

import re
from dataclasses import dataclass, field
from html import unescape
from urllib.parse import parse_qsl, urlsplit

import boto3
import requests
from botocore.config import Config

EXTERNAL = (
    '<ExternalQuestion xmlns="http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2006-07-14/'
    'ExternalQuestion.xsd"><ExternalURL>http://localhost:8102/task/abc</ExternalURL>'
    "<FrameHeight>0</FrameHeight></ExternalQuestion>"
)


@dataclass
class Requester:
    """A requester's account and a boto3 client that signs as it."""

    account: object
    key: object
    client: object
    url: str

    def hit(self, **changes: object) -> dict:
        """Publish a HIT; every value can be changed."""
        values = {
            "Title": "Answer questions",
            "Description": "Five short questions about science",
            "Keywords": "science, questions",
            "Reward": "0.50",
            "AssignmentDurationInSeconds": 600,
            "LifetimeInSeconds": 86_400,
            "MaxAssignments": 1,
            "Question": EXTERNAL,
        } | changes
        return self.client.create_hit(**{name: value for name, value in values.items() if value is not None})["HIT"]

    def balance(self) -> tuple[str, str]:
        """What is available and what is held."""
        answer = self.client.get_account_balance()
        return answer["AvailableBalance"], answer["OnHoldBalance"]


_clients = []


def close_clients() -> None:
    """A kept connection keeps a thread of the server, and that one of the database's."""
    while _clients:
        _clients.pop().close()


def client_for(url: str, key: object, attempts: int = 1):
    """An unmodified boto3 client, closed after the test."""
    client = boto3.client(
        "mturk",
        endpoint_url=url,
        region_name="us-east-1",
        aws_access_key_id=key.access_key_id,
        aws_secret_access_key=key.secret_access_key,
        config=Config(retries={"mode": "standard", "total_max_attempts": attempts}),
    )
    _clients.append(client)
    return client


@dataclass
class Worker:
    """A worker who uses the pages as a program without scripts would."""

    url: str
    username: str
    account: object
    session: requests.Session = field(default_factory=requests.Session)

    @property
    def worker_id(self) -> str:
        """The id that requesters see."""
        return self.account.customer_id

    def get(self, path: str, **options: object) -> requests.Response:
        """Open a page."""
        return self.session.get(self.url + path, timeout=30, **options)

    def post(self, path: str, **fields: object) -> requests.Response:
        """Send a form with the session's CSRF token."""
        token = self.session.cookies.get("crowdwright-marketplace-csrf")
        if not token:
            self.get("/hits/")
            token = self.session.cookies.get("crowdwright-marketplace-csrf", "")
        return self.session.post(self.url + path, data={"csrfmiddlewaretoken": token, **fields}, timeout=30)

    def accept(self, hit_id: str) -> requests.Response:
        """Take one HIT and stand on its work page."""
        return self.post(f"/hits/{hit_id}/accept")

    def assignment(self, hit_id: str) -> str:
        """Take one HIT; its assignment id."""
        page = self.accept(hit_id)
        assert page.status_code == 200, page.text
        return page.url.rstrip("/").rsplit("/", 1)[-1]

    def submit(self, assignment_id: str, **fields: str) -> requests.Response:
        """Hand in from the frame: another site, so no cookies."""
        form = {"assignmentId": assignment_id, **(fields or {"answer": "wood"})}
        return requests.post(f"{self.url}/mturk/externalSubmit", data=form, timeout=30)

    def do(self, hit_id: str, **fields: str) -> str:
        """Take and hand in one HIT; its assignment id."""
        assignment_id = self.assignment(hit_id)
        assert self.submit(assignment_id, **fields).status_code == 200
        return assignment_id


def token_of(text: str) -> str:
    """The hidden token of a page's first form about money."""
    return re.search(r'name="token" value="([^"]{32})"', text)[1]


def frame_of(page: requests.Response) -> tuple[str, dict[str, str]]:
    """The frame's address without its query, and the query."""
    src = unescape(re.search(r'<iframe id="task"[^>]* src="([^"]+)"', page.text)[1])
    parts = urlsplit(src)
    return parts._replace(query="").geturl(), dict(parse_qsl(parts.query))
