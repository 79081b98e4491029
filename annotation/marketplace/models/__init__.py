"""What the marketplace keeps, by subject."""

from annotation.marketplace.models.accounts import AccessKey, Account, Invitation, SystemValue, WorkerBlock
from annotation.marketplace.models.hits import HIT, Assignment, HeldSubmission, HITLayout, HITType, RequestToken
from annotation.marketplace.models.limits import CallAllowance, WrongPasswords
from annotation.marketplace.models.market import Market
from annotation.marketplace.models.messages import Appeal, Message, Report
from annotation.marketplace.models.money import Bonus, Book, Entry, PayOut
from annotation.marketplace.models.notifications import Delivery
from annotation.marketplace.models.qualifications import Qualification, QualificationRequest, QualificationType

__all__ = [
    "HIT",
    "AccessKey",
    "Account",
    "Appeal",
    "Assignment",
    "Bonus",
    "Book",
    "CallAllowance",
    "Delivery",
    "Entry",
    "HITLayout",
    "HITType",
    "HeldSubmission",
    "Invitation",
    "Market",
    "Message",
    "PayOut",
    "Qualification",
    "QualificationRequest",
    "QualificationType",
    "Report",
    "RequestToken",
    "SystemValue",
    "WorkerBlock",
    "WrongPasswords",
]
