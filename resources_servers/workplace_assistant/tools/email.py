"""The mailbox: search, read, send, reply, forward, delete. What is sent stays in the outbox."""

from typing import Annotated, Any

from blade.gym.servers import tool
from resources_servers.workplace_assistant.moments import NOW, first_moment, last_moment, stored
from resources_servers.workplace_assistant.state import EMAIL, Row, Workplace

from .values import Page, PageSize, address, answer, mentions, page_of, text

EmailId = Annotated[str, "Id of the email, such as em-0001"]


class EmailTools:
    @tool
    def email_get_email_information_by_id(
        self, state: Workplace, email_id: EmailId, field: Annotated[str, "One field only; all of them when left out"] = ""
    ) -> Row:
        """Read one email: folder (inbox or outbox), correspondent (who sent it, or whom it went to), subject, sent_at, body."""
        return answer(state.get(EMAIL, email_id), field)

    @tool
    def email_search_emails(
        self,
        state: Workplace,
        query: Annotated[str, "Words that all occur in the address, subject or body"] = "",
        date_min: Annotated[str, "Sent at this day or moment or later"] = "",
        date_max: Annotated[str, "Sent at this day (all of it) or moment or earlier"] = "",
        page: Page = 1,
        page_size: PageSize = 5,
    ) -> dict[str, Any]:
        """Search the mailbox, inbox and outbox, newest first."""
        earliest, latest = first_moment(date_min, "date_min"), last_moment(date_max, "date_max")
        found = [
            row
            for row in state.rows(EMAIL)
            if earliest <= row["sent_at"] <= latest and mentions(row, ("correspondent", "subject", "body"), query)
        ]
        found.sort(key=lambda row: (row["sent_at"], row["email_id"]), reverse=True)
        return page_of("emails", found, page, page_size)

    @tool
    def email_send_email(
        self,
        state: Workplace,
        recipient: Annotated[str, "Email address; one email for each recipient"],
        subject: Annotated[str, "Subject line"],
        body: Annotated[str, "The text"],
    ) -> dict[str, str]:
        """Send an email."""
        return _send(state, address(recipient, "recipient"), text(subject, "subject"), text(body, "body"))

    @tool
    def email_delete_email(self, state: Workplace, email_id: EmailId) -> dict[str, str]:
        """Delete an email for good."""
        state.delete(EMAIL, email_id)
        return {"deleted": email_id.strip()}

    @tool
    def email_forward_email(
        self, state: Workplace, email_id: EmailId, recipient: Annotated[str, "Email address to forward it to"]
    ) -> dict[str, str]:
        """Forward an email to someone as it is."""
        row = state.get(EMAIL, email_id)
        return _send(state, address(recipient, "recipient"), _prefixed("Fwd: ", row["subject"]), row["body"])

    @tool
    def email_reply_email(
        self, state: Workplace, email_id: EmailId, body: Annotated[str, "The text of the answer"]
    ) -> dict[str, str]:
        """Answer an email; the answer goes to its correspondent."""
        row = state.get(EMAIL, email_id)
        return _send(state, row["correspondent"], _prefixed("Re: ", row["subject"]), text(body, "body"))


def _send(state: Workplace, recipient: str, subject: str, body: str) -> dict[str, str]:
    values = {"folder": "outbox", "correspondent": recipient, "subject": subject, "sent_at": stored(NOW), "body": body}
    return {"sent": state.create(EMAIL, values)}


def _prefixed(prefix: str, subject: str) -> str:
    return subject if subject.startswith(prefix) else f"{prefix}{subject}"
