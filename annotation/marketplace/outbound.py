"""Calls to addresses that requesters name: never to what stands inside our own network, where that is not theirs."""

import ipaddress
from urllib.parse import urlsplit

import requests
from django.conf import settings
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.exceptions import NewConnectionError

TIMEOUT = 10


def post(url: str, *, body: str, headers: dict[str, str]) -> int:
    """The status that the address answers with; what it says beyond is not read. Raises requests' exceptions."""
    with requests.Session() as session:
        if not settings.MARKETPLACE_NOTIFY_INSIDE:
            for scheme in ("http://", "https://"):
                session.mount(scheme, _OutsideOnly())
        given = {"data": body, "headers": headers, "timeout": TIMEOUT, "allow_redirects": False, "stream": True}
        with session.post(url, **given) as response:
            return response.status_code


def is_inside(url: str) -> bool:
    """Whether the address itself names a host that is nobody's but ours; names are looked at when they are called."""
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:  # no address at all
        return True
    try:
        return not ipaddress.ip_address(host).is_global
    except ValueError:
        return host == "localhost" or host.endswith((".localhost", ".local", ".internal"))


class _Checked:
    """A connection that ends before a byte is sent if its other end stands inside: names may lead anywhere."""

    def _new_conn(self):
        connection = super()._new_conn()
        address = connection.getpeername()[0].partition("%")[0]
        if not ipaddress.ip_address(address).is_global:
            connection.close()
            raise NewConnectionError(self, "this address stands inside the marketplace's own network")
        return connection


class _CheckedHTTP(_Checked, HTTPConnection):
    pass


class _CheckedHTTPS(_Checked, HTTPSConnection):
    pass


class _PoolHTTP(HTTPConnectionPool):
    ConnectionCls = _CheckedHTTP


class _PoolHTTPS(HTTPSConnectionPool):
    ConnectionCls = _CheckedHTTPS


class _OutsideOnly(HTTPAdapter):
    def init_poolmanager(self, *args: object, **kwargs: object) -> None:
        super().init_poolmanager(*args, **kwargs)
        self.poolmanager.pool_classes_by_scheme = {"http": _PoolHTTP, "https": _PoolHTTPS}
