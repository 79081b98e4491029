"""Sends the outbox: signed webhooks, SQS queues, SNS topics. At least once, with the same id each time."""

import base64
import hashlib
import hmac
import json
import logging
import time
from datetime import timedelta

import boto3
import requests
from botocore.exceptions import BotoCoreError, ClientError
from django.conf import settings
from django.db.models import Window
from django.db.models.functions import RowNumber

from annotation.marketplace import clock, forgetting, outbound
from annotation.marketplace.models import Account, Delivery

log = logging.getLogger(__name__)
# Seconds to wait after each failed try; then the message is given up.
BACKOFF = (5, 30, 120, 900, 3600, 14_400, 43_200)


def signing_key(account: Account) -> bytes:
    """The key of an account's webhooks, worked out from the site's own."""
    return hmac.new(settings.SECRET_KEY.encode(), f"webhook:{account.customer_id}".encode(), hashlib.sha256).digest()


def signing_secret(account: Account) -> str:
    """The key as Standard Webhooks libraries take it."""
    return "whsec_" + base64.b64encode(signing_key(account)).decode()


def deliver_due(most: int = 100) -> int:
    """Try what is due, the accounts in turn, and tell how many messages arrived.

    A failure may have cost its whole time limit. So whoever's message failed waits for the next round, and
    all that goes to the same destination waits as long as that message: others are not held up.
    """
    forgetting.forget_each_hour()
    due = Delivery.objects.filter(next_try_at__lte=clock.now()).select_related("account")
    turn = Window(RowNumber(), partition_by="account", order_by="id")
    arrived, failed = 0, set()
    for delivery in due.annotate(turn=turn).order_by("turn", "id")[:most]:
        if delivery.account_id in failed:
            continue
        if deliver(delivery):
            arrived += 1
            continue
        failed.add(delivery.account_id)
        if delivery.next_try_at:
            same = due.filter(account=delivery.account, destination=delivery.destination)
            same.update(next_try_at=delivery.next_try_at)
    return arrived


def deliver(delivery: Delivery) -> bool:
    """Try one message; a failure is noted and tried again later."""
    delivery.tries += 1
    try:
        SENDERS[delivery.transport](delivery)
    except (requests.RequestException, BotoCoreError, ClientError, ValueError) as error:
        delivery.last_error = f"{type(error).__name__}: {error}"[:500]
        wait = BACKOFF[delivery.tries - 1] if delivery.tries <= len(BACKOFF) else None
        delivery.next_try_at = clock.now() + timedelta(seconds=wait) if wait else None
        delivery.save()
        log.warning("Notification %s failed at try %s: %s", delivery.message_id, delivery.tries, type(error).__name__)
        return False
    delivery.delivered_at, delivery.next_try_at, delivery.last_error = clock.now(), None, ""
    delivery.save()
    return True


def _webhook(delivery: Delivery) -> None:
    body = json.dumps(delivery.body)
    stamp = str(int(time.time()))
    signed = f"{delivery.message_id}.{stamp}.{body}".encode()
    signature = base64.b64encode(hmac.new(signing_key(delivery.account), signed, hashlib.sha256).digest()).decode()
    headers = {
        "content-type": "application/json",
        "webhook-id": delivery.message_id,
        "webhook-timestamp": stamp,
        "webhook-signature": f"v1,{signature}",
    }
    status = outbound.post(delivery.destination, body=body, headers=headers)
    if not 200 <= status < 300:
        raise requests.HTTPError(f"answered {status}")


def _sqs(delivery: Delivery) -> None:
    client = boto3.client("sqs", region_name=_region(delivery.destination))
    url = delivery.destination
    if url.startswith("arn:"):
        url = client.get_queue_url(QueueName=url.rsplit(":", 1)[-1])["QueueUrl"]
    client.send_message(QueueUrl=url, MessageBody=json.dumps(delivery.body))


def _sns(delivery: Delivery) -> None:
    client = boto3.client("sns", region_name=_region(delivery.destination))
    client.publish(TopicArn=delivery.destination, Message=json.dumps(delivery.body))


def _region(destination: str) -> str:
    parts = destination.split(":")
    return parts[3] if destination.startswith("arn:") and len(parts) > 4 and parts[3] else "us-east-1"


SENDERS = {"Email": _webhook, "SQS": _sqs, "SNS": _sns}
