"""How the perfect assistant solves each kind of request."""

from datetime import date, timedelta
from typing import Any

from .perfect_assistant import (
    CRM,
    DAY,
    MEASURE,
    NOW,
    PERIOD,
    PM,
    TODAY,
    WEEK,
    WHO,
    Assistant,
    day_of,
    do,
    on,
    period_of,
    value_of,
    week_of,
)

__all__ = ["do"]
Found = dict[str, Any]


@on(
    rf"Forward the most recent mail that (?P<who>{WHO}) sent me about the (?P<topic>.+) to (?P<to>{WHO})\.",
    rf"(?P<to>{WHO}) needs to see what (?P<who>{WHO}) last wrote to me about the (?P<topic>.+)\. Please forward that mail\.",
)
def forward(me: Assistant, said: Found) -> None:
    about = [mail for mail in me.received(said["who"]) if said["topic"] in mail["subject"].lower()]
    me.use("email_forward_email", email_id=about[0]["email_id"], recipient=me.address(said["to"]))


@on(
    rf"Delete all mails I received from (?P<who>{WHO}) (?P<period>{PERIOD})\.",
    rf"Please clear my inbox of everything (?P<who>{WHO}) sent me (?P<period>{PERIOD}), both days included\.",
    rf"Delete everything that (?P<who>{WHO}) sent me in (?P<period>the last \d+ days)\.",
)
def delete_mails(me: Assistant, said: Found) -> None:
    first, last = period_of(said["period"])
    for mail in me.received(said["who"], date_min=str(first), date_max=str(last)):
        me.use("email_delete_email", email_id=mail["email_id"])


@on(
    rf'If (?P<who>{WHO}) has written to me on (?P<day>{DAY}) or later, reply to the newest of these mails with "(?P<text>[^"]+)" '
    r'Otherwise send them a new mail with the subject "(?P<subject>[^"]+)" and the same text\.'
)
def answer_or_write(me: Assistant, said: Found) -> None:
    if mails := me.received(said["who"], date_min=str(day_of(said["day"]))):
        me.use("email_reply_email", email_id=mails[0]["email_id"], body=said["text"])
    else:
        me.use("email_send_email", recipient=me.address(said["who"]), subject=said["subject"], body=said["text"])


@on(
    r'Send everyone in the (?P<team>\w+) team a mail of their own with the subject "(?P<subject>.+)" and the text "(?P<text>.+)"',
    r'Tell each person in (?P<team>\w+) by mail \(subject "(?P<subject>.+)"\): "(?P<text>.+)"',
)
def tell_team(me: Assistant, said: Found) -> None:
    for person in reversed(me.use("company_directory_find_email_address", name=said["team"])["people"]):
        me.use("email_send_email", recipient=person["email"], subject=said["subject"], body=said["text"])


@on(
    rf'Book (?P<minutes>\d+) minutes with (?P<who>{WHO}) on (?P<day>{DAY}) at (?P<time>\S+) and call it "(?P<name>.+)"\.',
    rf'Put a meeting "(?P<name>.+)" with (?P<who>{WHO}) into my calendar: (?P<day>{DAY}), (?P<time>\S+), (?P<minutes>\d+) minutes\.',
)
def book(me: Assistant, said: Found) -> None:
    _book(me, said["name"], me.address(said["who"]), f"{day_of(said['day'])}T{said['time']}", said["minutes"])


@on(
    rf'Book "(?P<name>.+)" with (?P<who>{WHO}) on (?P<day>{DAY}), (?P<minutes>\d+) minutes, as early as my calendar allows\.',
    rf'Find the first free (?P<minutes>\d+) minutes on (?P<day>{DAY}) and book "(?P<name>.+)" with (?P<who>{WHO}) there\.',
)
def book_first_free(me: Assistant, said: Found) -> None:
    start = me.free(day_of(said["day"]), int(said["minutes"]))
    _book(me, said["name"], me.address(said["who"]), start, said["minutes"])


def _book(me: Assistant, name: str, guest: str, start: str, minutes: str | int) -> None:
    me.use("calendar_create_event", event_name=name, participant_email=guest, event_start=start, duration=minutes)


@on(
    rf"Cancel all my meetings with (?P<who>{WHO}) (?P<period>{PERIOD})\.",
    rf"(?P<who>{WHO}) is away (?P<period>{PERIOD})\. Please take our meetings in that time out of my calendar\.",
)
def cancel(me: Assistant, said: Found) -> None:
    first, last = period_of(said["period"])
    for event in me.search("calendar_search_events", query=me.address(said["who"]), time_min=str(first), time_max=str(last)):
        me.use("calendar_delete_event", event_id=event["event_id"])


@on(rf"Cancel all meetings that I still have with (?P<who>{WHO})\.")
def cancel_all(me: Assistant, said: Found) -> None:
    for event in me.search("calendar_search_events", query=me.address(said["who"]), time_min=NOW.isoformat()):
        me.use("calendar_delete_event", event_id=event["event_id"])


@on(
    rf"Move my next meeting with (?P<who>{WHO}) to (?P<day>{DAY}) at (?P<time>\S+)\.",
    rf"Let my next meeting with (?P<who>{WHO}) start (?P<later>\d+) minutes later than planned; it keeps its length\.",
)
def move(me: Assistant, said: Found) -> None:
    event = me.search("calendar_search_events", query=me.address(said["who"]), time_min=NOW.isoformat())[0]
    if said.get("later"):
        start = (NOW.fromisoformat(event["event_start"]) + timedelta(minutes=int(said["later"]))).isoformat()
    else:
        start = f"{day_of(said['day'])} {said['time']}"
    me.use("calendar_update_event", event_id=event["event_id"], field="event_start", new_value=start)


@on(
    r"Make a (?P<kind>\w+) plot of (?P<value>.+?) for (?P<period>.+)\.",
    r"I need (?P<value>.+) as a (?P<kind>\w+) plot, for (?P<period>.+)\.",
)
def draw(me: Assistant, said: Found) -> None:
    _draw(me, period_of(said["period"]), value_of(said["value"]), said["kind"])


@on(
    rf"If we had fewer {MEASURE} {WEEK} than in the week before it, make a (?P<kind>\w+) plot of (?P<value>.+) for that week \(\S+ to \S+\); "
    r"otherwise (?P<other>leave everything as it is|make a bar plot of total visits for .+)\."
)
def draw_if_fell(me: Assistant, said: Found) -> None:
    if me.fell(said["measure"], said["week"]):
        _draw(me, week_of(said["week"]), value_of(said["value"]), said["kind"])
    elif said["other"].startswith("make"):
        _draw(me, week_of(said["week"]), "total_visits", "bar")


@on(
    r"Find out which traffic source brought the (?P<rank>most|fewest) visits (?P<period>.+), and make a (?P<kind>\w+) plot of the visits from "
    r"that source for the same period\."
)
def draw_best(me: Assistant, said: Found) -> None:
    period = period_of(said["period"])
    counts = {source: me.count(f"x {source}", *period) for source in ("direct", "search", "referral", "newsletter")}
    best = (max if said["rank"] == "most" else min)(counts, key=lambda source: counts[source])
    _draw(me, period, f"visits_{best}", said["kind"])


def _draw(me: Assistant, period: tuple[date, date], value: str, kind: str) -> None:
    me.use("analytics_create_plot", time_min=str(period[0]), time_max=str(period[1]), value_to_plot=value, plot_type=kind)


@on(
    rf'Create the task "(?P<name>.+)" on the (?P<board>.+) board for (?P<who>{WHO}), due on (?P<day>{DAY}), in the list (?P<list>.+)\.',
    rf'Create the task "(?P<name>.+)" on the (?P<board>.+) board \(list (?P<list>\w+), due on (?P<day>{DAY})\) for whoever in the (?P<team>\w+) team '
    r"has the fewest tasks on that board that are not done\.",
)
def create_task(me: Assistant, said: Found) -> None:
    if said.get("team"):
        team = [person["email"] for person in me.use("company_directory_find_email_address", name=said["team"])["people"]]
        there = me.search(f"{PM}_search_tasks", board=said["board"])
        unfinished = [row["assigned_to_email"] for row in there if row["list_name"] != "Done"]
        email = min(team, key=unfinished.count)
    else:
        email = me.address(said["who"])
    _create_task(me, said["name"], email, said["list"], day_of(said["day"]), said["board"])


def _create_task(me: Assistant, name: str, email: str, in_list: str, due: date | str, board: str) -> None:
    me.use(f"{PM}_create_task", task_name=name, assigned_to_email=email, list_name=in_list, due_date=str(due), board=board)


@on(
    rf"Move all overdue tasks of (?P<who>{WHO}) to the list (?P<list>.+)\.",
    rf"Whatever of (?P<who>{WHO})'s work is overdue belongs into (?P<list>.+) now\. Please move it there\.",
)
def move_overdue(me: Assistant, said: Found) -> None:
    me.update_all(f"{PM}_update_task", "task_id", me.overdue(me.address(said["who"])), "list_name", said["list"])


@on(
    rf"(?P<to>{WHO}) takes over from (?P<who>{WHO}) on the (?P<board>.+) board: assign the tasks that .+ has there and that are not done to .+\.",
    rf"Please give every unfinished task that (?P<who>{WHO}) has on the (?P<board>.+) board to (?P<to>{WHO})\.",
)
def hand_over(me: Assistant, said: Found) -> None:
    theirs = me.search(f"{PM}_search_tasks", assigned_to_email=me.address(said["who"]), board=said["board"])
    unfinished = [row for row in theirs if row["list_name"] != "Done"]
    me.update_all(f"{PM}_update_task", "task_id", unfinished, "assigned_to_email", me.address(said["to"]))


@on(
    rf"Postpone the tasks in the list (?P<list>.+) of the (?P<board>.+) board that are due (?P<period>{PERIOD}) by (?P<weeks>one week|two weeks) each\."
)
def postpone(me: Assistant, said: Found) -> None:
    first, last = period_of(said["period"])
    days = timedelta(weeks=1 if said["weeks"] == "one week" else 2)
    limits = {"due_date_min": str(first), "due_date_max": str(last)}
    for row in me.search(f"{PM}_search_tasks", list_name=said["list"], board=said["board"], **limits):
        due = date.fromisoformat(row["due_date"]) + days
        me.use(f"{PM}_update_task", task_id=row["task_id"], field="due_date", new_value=str(due))


@on(
    rf"(?P<to>{WHO}) takes over from (?P<who>{WHO}): please reassign all customers of .+? with the status (?P<status>\w+)"
    r"(?: who are interested in (?P<product>\w+))?\.",
    rf"(?P<who>{WHO}) hands over to (?P<to>{WHO})\. Assign all customers of .+? with the status (?P<status>\w+)"
    r"(?: who are interested in (?P<product>\w+))? to .+, and nothing else\.",
    rf"Reassign the customers of (?P<who>{WHO}) with the status (?P<status>\w+) to (?P<to>{WHO})\.",
)
def reassign(me: Assistant, said: Found) -> None:
    old, new = me.address(said["who"]), me.address(said["to"])
    filters = {"assigned_to_email": old, "status": said["status"], "product_interest": said.get("product") or ""}
    found = me.search(f"{CRM}_search_customers", **filters)
    me.update_all(f"{CRM}_update_customer", "customer_id", found, "assigned_to_email", new)


@on(
    r"Set all (?P<product>\w+) customers with the status (?P<status>\w+) to Lost if the last contact was (?P<days>\d+) days ago or longer\.",
    rf"Customers interested in (?P<product>\w+) with the status (?P<status>\w+) whose last contact was on (?P<day>{DAY}) or earlier are lost\. "
    r"Please update their status\.",
)
def close(me: Assistant, said: Found) -> None:
    last = TODAY - timedelta(days=int(said["days"])) if said.get("days") else day_of(said["day"])
    filters = {"product_interest": said["product"], "status": said["status"], "last_contact_date_max": str(last)}
    found = me.search(f"{CRM}_search_customers", **filters)
    me.update_all(f"{CRM}_update_customer", "customer_id", found, "status", "Lost")


@on(
    rf"Add (?P<name>.+) \((?P<email>\S+)\) as a new customer with the status (?P<status>\w+), interested in (?P<product>\w+), assigned to "
    rf"(?P<who>{WHO}), to be followed up by (?P<day>{DAY})\."
)
def add(me: Assistant, said: Found) -> None:
    me.use(
        f"{CRM}_add_customer",
        customer_name=said["name"],
        assigned_to_email=me.address(said["who"]),
        status=said["status"],
        customer_email=said["email"],
        product_interest=said["product"],
        follow_up_by=str(day_of(said["day"])),
    )


@on(
    rf"(?P<who>{WHO}) is travelling\. All follow-ups with their customers that are due (?P<period>{PERIOD}) shall take place on (?P<day>{DAY}) "
    r"instead, except for customers with the status Won or Lost\."
)
def plan(me: Assistant, said: Found) -> None:
    first, last = period_of(said["period"])
    limits = {"follow_up_by_min": str(first), "follow_up_by_max": str(last)}
    found = me.search(f"{CRM}_search_customers", assigned_to_email=me.address(said["who"]), **limits)
    open_ones = [row for row in found if row["status"] not in ("Won", "Lost")]
    me.update_all(f"{CRM}_update_customer", "customer_id", open_ones, "follow_up_by", str(day_of(said["day"])))


@on(r"Delete the customer (?P<name>.+)\.", r"(?P<name>.+) asked us to remove their record\. Please do\.")
def remove(me: Assistant, said: Found) -> None:
    (customer,) = me.search(f"{CRM}_search_customers", customer_name=said["name"])
    me.use(f"{CRM}_delete_customer", customer_id=customer["customer_id"])


@on(
    rf"If there were fewer {MEASURE} {WEEK} than in the week before it, assign all overdue tasks of the (?P<team>\w+) lead to (?P<to>{WHO})\. "
    r"If not, change nothing\."
)
def hand_over_if_fell(me: Assistant, said: Found) -> None:
    if me.fell(said["measure"], said["week"]):
        late = me.overdue(me.lead(said["team"]))
        me.update_all(f"{PM}_update_task", "task_id", late, "assigned_to_email", me.address(said["to"]))


@on(
    rf'Compare the number of {MEASURE} {WEEK} with the week before it\. If it fell, book 30 minutes "(?P<name>.+?)" with (?P<who>{WHO}) at the '
    rf'first free time on (?P<day>{DAY}); if it rose, send them a mail with the subject "(?P<subject>.+)" and the text "(?P<text>.+)"'
)
def meet_or_write(me: Assistant, said: Found) -> None:
    who = me.address(said["who"])
    if me.fell(said["measure"], said["week"]):
        _book(me, said["name"], who, me.free(day_of(said["day"]), 30), 30)
    else:
        me.use("email_send_email", recipient=who, subject=said["subject"], body=said["text"])


@on(
    rf"For each customer of (?P<who>{WHO}) with the status (?P<status>\w+) whose follow-up is due (?P<period>{PERIOD}), create a task .+ on the "
    r"(?P<board>.+) board, in the list Backlog, assigned to the same colleague and due on the day of the follow-up\."
)
def tasks_for_follow_ups(me: Assistant, said: Found) -> None:
    owner = me.address(said["who"])
    first, last = period_of(said["period"])
    limits = {"follow_up_by_min": str(first), "follow_up_by_max": str(last)}
    for row in me.search(f"{CRM}_search_customers", assigned_to_email=owner, status=said["status"], **limits):
        _create_task(me, f"Call {row['customer_name']}", owner, "Backlog", row["follow_up_by"], said["board"])


@on(
    rf'I am ill on (?P<day>{DAY})\. Cancel what I have with (?P<who>{WHO}) that day and send them one mail with the subject "(?P<subject>.+)" and '
    r'the text "(?P<text>.+)"'
)
def cancel_and_tell(me: Assistant, said: Found) -> None:
    who, day = me.address(said["who"]), str(day_of(said["day"]))
    me.use("email_send_email", recipient=who, subject=said["subject"], body=said["text"])
    for event in me.search("calendar_search_events", query=who, time_min=day, time_max=day):
        me.use("calendar_delete_event", event_id=event["event_id"])


@on(
    r"For every customer with the status (?P<status>\w+) whose last contact was (?P<days>\d+) days ago or longer, send the colleague they are "
    r'assigned to a mail with the subject .+ and the text "(?P<text>.+)"'
)
def remind(me: Assistant, said: Found) -> None:
    last = TODAY - timedelta(days=int(said["days"]))
    for row in me.search(f"{CRM}_search_customers", status=said["status"], last_contact_date_max=str(last)):
        subject = f"Please call {row['customer_name']}"
        me.use("email_send_email", recipient=row["assigned_to_email"], subject=subject, body=said["text"])


@on(
    r"I want to talk to whoever looks after our customer (?P<customer>.+)\. Book 30 minutes with them at the first free time on "
    rf'(?P<day>{DAY}) and call it "(?P<name>.+)"\.'
)
def meet_owner(me: Assistant, said: Found) -> None:
    (customer,) = me.search(f"{CRM}_search_customers", customer_name=said["customer"])
    _book(me, said["name"], customer["assigned_to_email"], me.free(day_of(said["day"]), 30), 30)


@on(
    rf"Turn the latest mail that (?P<who>{WHO}) sent me into a task on the (?P<board>.+) board: its name is the subject of the mail, it goes into "
    rf"the Backlog of (?P<to>{WHO}) and is due on (?P<day>{DAY})\. Then delete the mail\."
)
def task_from_mail(me: Assistant, said: Found) -> None:
    mail = me.received(said["who"])[0]
    me.use("email_delete_email", email_id=mail["email_id"])
    _create_task(me, mail["subject"], me.address(said["to"]), "Backlog", day_of(said["day"]), said["board"])
