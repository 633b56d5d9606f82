"""Tasks with mail: forward, answer, tidy up, tell a team."""

from collections.abc import Iterator
from datetime import date
from random import Random

from resources_servers.workplace_assistant.making.office import Call, Family, Office, Task, call, spoken
from resources_servers.workplace_assistant.making.records import TOPICS

from .phrases import between, colleague, inbox_from, one_of

TEXTS = (
    "Thank you, I will look at it tomorrow.",
    "Fine with me, please go ahead.",
    "Please send me the figures by Friday.",
    "Let us wait until the supplier answers.",
    "Could you add the costs and send it again?",
    "I have no objections.",
)
NOTICES = (
    ("Room change", "The meeting room on the second floor is closed this week."),
    ("Stocktaking", "We count the warehouse on Monday morning."),
    ("Fire drill", "There is a fire drill on Thursday at eleven."),
    ("New badges", "Please collect your new badge at the front desk."),
    ("Expense reports", "Please hand in your expense reports by the end of the month."),
)


def forward_latest(office: Office, rng: Random) -> Iterator[Task | None]:
    """The newest mail of somebody on a topic is not always the newest mail of theirs."""
    while True:
        sender, receiver, topic = colleague(office, rng), colleague(office, rng), rng.choice(TOPICS)
        about = [row for row in inbox_from(office, sender) if topic in row["subject"].lower()]
        if not about or sender == receiver or about[-1] == inbox_from(office, sender)[-1]:
            yield None
            continue
        who, to = office.directory.called(sender, rng), office.directory.called(receiver, rng)
        asked = one_of(
            rng,
            f"Forward the most recent mail that {who} sent me about the {topic} to {to}.",
            f"{to} needs to see what {who} last wrote to me about the {topic}. Please forward that mail.",
        )
        calls = (call("email_forward_email", email_id=about[-1]["email_id"], recipient=receiver.email),)
        yield Task(asked, calls, {"email": {"created": 1}})


def delete_period(office: Office, rng: Random) -> Iterator[Task | None]:
    """Mails on the last day arrive as late as 23:59, so a period must end with its last day and not begin it."""
    while True:
        sender = colleague(office, rng)
        mails = inbox_from(office, sender)
        if len(mails) < 4:
            yield None
            continue
        first, last = sorted(rng.sample(range(len(mails)), 2))
        period = between(_day(mails[first]["sent_at"]), _day(mails[last]["sent_at"]), rng)
        inside = [row for row in mails if row["sent_at"] in period]
        if not 2 <= len(inside) <= 4 or len(inside) == len(mails) or period.first == period.last:
            yield None
            continue
        who = office.directory.called(sender, rng)
        asked = one_of(
            rng,
            f"Delete all mails I received from {who} {period.words}.",
            f"Please clear my inbox of everything {who} sent me {period.words}, both days included.",
        )
        calls = tuple(call("email_delete_email", email_id=row["email_id"]) for row in inside)
        yield Task(asked, calls, {"email": {"deleted": len(inside)}})


def answer_or_write(office: Office, rng: Random) -> Iterator[Task | None]:
    """Half of the time the newest mail was sent on the very day that decides."""
    while True:
        sender, text = colleague(office, rng), rng.choice(TEXTS)
        mails = inbox_from(office, sender)
        if not mails:
            yield None
            continue
        newest = mails[-1]
        day = _day(newest["sent_at"] if rng.random() < 0.6 else rng.choice(office.emails)["sent_at"])
        who = office.directory.called(sender, rng)
        asked = (
            f'If {who} has written to me on {spoken(day)} or later, reply to the newest of these mails with "{text}" '
            f'Otherwise send them a new mail with the subject "Checking in" and the same text.'
        )
        if newest["sent_at"][:10] >= str(day):
            done = call("email_reply_email", email_id=newest["email_id"], body=text)
        else:
            done = call("email_send_email", recipient=sender.email, subject="Checking in", body=text)
        yield Task(asked, (done,), {"email": {"created": 1}})


def tell_team(office: Office, rng: Random) -> Iterator[Task | None]:
    while True:
        team, (subject, body) = rng.choice(("Design", "Finance", "Support", "Marketing")), rng.choice(NOTICES)
        members = office.directory.team(team)
        asked = one_of(
            rng,
            f'Send everyone in the {team} team a mail of their own with the subject "{subject}" and the text "{body}"',
            f'Tell each person in {team} by mail (subject "{subject}"): "{body}"',
        )
        calls: tuple[Call, ...] = tuple(
            call("email_send_email", recipient=person.email, subject=subject, body=body) for person in members
        )
        yield Task(asked, calls, {"email": {"created": len(members)}})


def _day(stored: str) -> date:
    return date.fromisoformat(stored[:10])


FAMILIES = (
    Family("email_forward_latest", "email", 6, forward_latest),
    Family("email_delete_period", "email", 7, delete_period),
    Family("email_answer_or_write", "email", 6, answer_or_write),
    Family("email_tell_team", "email", 4, tell_team),
)
