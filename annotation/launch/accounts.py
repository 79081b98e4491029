"""The people of the demo: a password of this machine's own, accounts on both sites, keys to the marketplace."""

import json
import os
import secrets
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.contrib.auth import get_user_model

WORKERS = ("worker1", "worker2", "worker3")
EXPERT, RESEARCHER, OWNER = "expert", "researcher", "owner"
STAFF = (EXPERT, RESEARCHER, OWNER)
REQUESTER = "crowdwright"
SHOWN = "Crowdwright"  # to workers
# No letters or figures that are taken for one another.
READABLE = "abcdefghjkmnpqrstuvwxyz23456789"


class CommandFailed(Exception):
    """A command on the marketplace's site did not do what it was asked."""


@dataclass(frozen=True)
class RequesterKey:
    """What signs our calls to the marketplace."""

    access_key_id: str
    secret_access_key: str

    def environment(self) -> dict[str, str]:
        return {"MTURK_ACCESS_KEY_ID": self.access_key_id, "MTURK_SECRET_ACCESS_KEY": self.secret_access_key}


def demo_password() -> str:
    """The password of all demo accounts: made once for this home, so that none is known beforehand."""
    path = settings.HOME / "secrets" / "demo-password"
    if not (path.exists() and path.read_text().strip()):
        _keep(path, "-".join("".join(secrets.choice(READABLE) for _ in range(4)) for _ in range(3)))
    return path.read_text().strip()


def ensure_staff(password: str) -> None:
    """The expert, the researcher and the owner on the main site. Accounts that exist keep their passwords."""
    users = get_user_model()
    for name in STAFF:
        if not users.objects.filter(username=name).exists():
            # The owner of the demo also looks after its people, in the admin.
            users.objects.create_user(name, password=password, is_staff=True, is_superuser=name == OWNER)


def requester_key(environment: dict[str, str]) -> RequesterKey:
    """Our key to the own marketplace: the environment's, else the one made at first use."""
    # Not the settings': those hold the kept key, and the marketplace that knew it may have been deleted since.
    if key_id := os.environ.get("MTURK_ACCESS_KEY_ID", ""):
        return RequesterKey(key_id, os.environ.get("MTURK_SECRET_ACCESS_KEY", ""))
    path = requester_file()
    if kept := _key_in(path):
        return kept
    # A name of its own each time: a secret that was lost with its file cannot be shown again.
    name = f"{REQUESTER}-{secrets.token_hex(3)}"
    _keep(path, on_marketplace(environment, "create_requester", name, "--display-name", SHOWN, "--json"))
    made = _key_in(path)
    if made is None:
        raise CommandFailed(f"`create_requester` on the marketplace printed no key:\n{path.read_text()[:500]}")
    return made


def _key_in(path: Path) -> RequesterKey | None:
    """The key that a file keeps; none where a start was cut short before it was written."""
    try:
        made = json.loads(path.read_text())
        return RequesterKey(made["access_key_id"], made["secret_access_key"])
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return None


def ensure_workers(environment: dict[str, str], password: str) -> None:
    """The demo's workers on the marketplace, made once."""
    made = workers_mark()
    if made.exists():
        return
    for name in WORKERS:
        on_marketplace(environment, "create_worker", name, "--password", password)
    made.touch()


def requester_file() -> Path:
    """Keeps the key to the own marketplace."""
    return settings.HOME / "secrets" / "marketplace-requester.json"


def workers_mark() -> Path:
    """Says that the demo's workers were made."""
    return settings.HOME / "run" / "workers-made"


def on_marketplace(environment: dict[str, str], *arguments: str) -> str:
    """What a management command of the marketplace's site prints."""
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), *arguments]
    environment = {**os.environ, **environment, "CROWDWRIGHT_SITE": "marketplace"}
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if ran.returncode:
        raise CommandFailed(f"`{arguments[0]}` on the marketplace failed:\n{ran.stderr.strip()}")
    return ran.stdout


def _keep(path: Path, text: str) -> None:
    """For its owner alone, and whole or not at all: a start may be cut short anywhere."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    unfinished = path.with_name(f"{path.name}.new")
    unfinished.touch(0o600)
    unfinished.write_text(text)
    unfinished.replace(path)
