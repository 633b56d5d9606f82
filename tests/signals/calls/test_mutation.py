import pytest

from blade.signals.calls.mutation import classify, hands_over, own_words
from blade.signals.calls.tools import Tool


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("get_reservation_details", "read"),
        ("list_all_product_types", "read"),
        ("search_direct_flight", "read"),
        ("calculate", "read"),
        ("think", "read"),
        ("company_directory_find_email_address", "read"),
        ("email_search_emails", "read"),
        ("check_status_bar", "read"),
        ("getUserDetails", "read"),
        ("compute-list-instances", "read"),
        ("order_get", "read"),
        ("compute-stop-instance", "change"),
        ("storage-resize-volume", "change"),
        ("network-authorize-ingress", "change"),
        ("compute_distance", "read"),
        ("Read", "read"),
        ("update_reservation_flights", "change"),
        ("email_delete_email", "change"),
        ("customer_relationship_manager_add_customer", "change"),
        ("send_certificate", "change"),
        ("check_out", "change"),
        ("toggle_airplane_mode", "change"),
        ("return_delivered_order_items", "change"),
        ("BookReservation", "change"),
        ("transfer_to_human_agents", "unknown"),
        ("transfer_money", "change"),
        ("bash", "unknown"),
        ("run_sql", "unknown"),
        ("stateful_python_code_exec", "unknown"),
        ("frobnicate", "unknown"),
        ("call_tool", "unknown"),
        ("call-acknowledge", "change"),  # a port call
        ("code_assign", "change"),
        ("orderOf", "read"),
        ("order_item", "change"),
        ("berths-at", "read"),
        ("open_work_order", "change"),
        ("open_orders", "read"),
        ("orders_by_customer", "read"),
        ("of_frobs", "unknown"),
        ("", "unknown"),
    ],
)
def test_a_name_tells_by_its_verb(name, kind):
    assert classify(name).kind == kind


@pytest.mark.parametrize(
    ("name", "description", "required", "kind"),
    [
        ("cases_classify", "File a case under a category.", [], "change"),
        ("day_schedule", "Taken and free times of a vet on a day.", [], "read"),
        ("day_schedule", "Schedule a visit for a patient.", [], "change"),
        ("berth-release", "Take a berth away from a port call.", [], "change"),
        ("stock_order", "Put an order for the item.", [], "change"),
        ("fuel_log", "Fills of a vehicle in the last two months.", [], "read"),
        ("bay_calendar", "Free bays of a depot on a day.", [], "read"),
        ("stand_down", "Take a vehicle out of service until a day.", [], "unknown"),
        ("frob_crate", "Frob the lid of a crate.", [], "unknown"),
        ("cases_classify", "", ["case_id", "category"], "change"),
        ("cases_classify", "Returns the category of a case.", ["case_id"], "read"),
        ("verify_identity", "Checks a passport.", ["passport"], "read"),
        ("search_cases", "File search.", ["category"], "read"),
    ],
)
def test_a_verb_of_judging_changes_something_where_the_finding_is_put_on_record(name, description, required, kind):
    assert classify(name, Tool(name, description, {"type": "object", "required": required})).kind == kind


def test_a_description_that_says_so_is_believed_unless_the_name_says_otherwise():
    assert (
        classify("berth-availability", Tool("berth-availability", "Tell whether a berth is free. Reads only.", {})).kind == "read"
    )
    assert classify("update_seat", Tool("update_seat", "Moves a guest. Does not change the price.", {})).kind == "change"


def test_a_description_speaks_where_the_name_is_silent():
    assert classify("frobnicate", Tool("frobnicate", "Updates the record of a member.", {})).kind == "change"
    assert classify("frobnicate", Tool("frobnicate", "Retrieves a record.", {})).kind == "read"
    assert classify("frobnicate", Tool("frobnicate", "The record of a member.", {})).kind == "unknown"
    assert classify("frobnicate", Tool("frobnicate", "Charges of the month.", {})).kind == "unknown"  # a noun
    assert classify("frobnicate", Tool("frobnicate", "Open a port of a group to a network.", {})).kind == "unknown"


@pytest.mark.parametrize(
    ("name", "description", "kind"),
    [
        ("objects_record", "The catalogue record of one object.", "read"),
        ("customer_order", "An order, by its number.", "read"),
        ("member_file", "The file of a member", "read"),
        ("objects_record", "Record a new place for an object.", "change"),
        ("objects_record", "The record that is to be written.", "change"),
        ("create_record", "The record of a member.", "change"),
        ("record", "The record of a member.", "change"),
    ],
)
def test_a_last_word_that_the_description_names_is_a_thing(name, description, kind):
    assert classify(name, Tool(name, description, {})).kind == kind


@pytest.mark.parametrize(
    ("name", "description", "kind"),
    [
        ("open_ticket", "", "change"),
        ("open_tickets", "", "read"),
        ("open_file", "Open a file.", "read"),
        ("loans_open", "Open a loan.", "change"),
        ("loans_open", "The loans that are open.", "read"),
    ],
)
def test_some_things_are_made_by_opening_them(name, description, kind):
    assert classify(name, Tool(name, description, {})).kind == kind


def test_expected_calls_speak_last():
    assert classify("frobnicate", None, frozenset(["frobnicate", "update_record"])).kind == "change"
    assert classify("frobnicate", None, frozenset(["frobnicate", "get_record"])).kind == "unknown"
    assert classify("frobnicate", None, frozenset(["frobnicate"])).kind == "unknown"


def test_every_class_has_a_reason():
    assert classify("get_user").reason == "its name says get"
    assert classify("frobnicate").reason == "nothing says"


@pytest.mark.parametrize(
    ("properties", "kind"),
    [
        (["query", "limit"], "read"),
        (["search_query", "page"], "read"),
        (["new_seat"], "change"),
        (["member", "amount"], "change"),
        (["member"], "unknown"),
        ([], "unknown"),
    ],
)
def test_the_schema_speaks_where_name_and_description_are_silent(properties, kind):
    schema = {"type": "object", "properties": {name: {"type": "string"} for name in properties}}
    assert classify("frobnicate", Tool("frobnicate", "The record of a member.", schema)).kind == kind


@pytest.mark.parametrize(
    ("description", "kind"),
    [
        ("This tool updates a record.", "change"),
        ("Use this function to retrieve a record", "read"),
        ("Tool for the desk. Deletes nothing.", "unknown"),
        ("", "unknown"),
    ],
)
def test_a_description_may_take_a_run_up(description, kind):
    assert classify("frobnicate", Tool("frobnicate", description, {})).kind == kind


def test_annotations_outweigh_the_name_and_the_configuration_outweighs_both():
    tool = Tool("get_and_mark", "", {}, read_only=False)
    assert classify("get_and_mark", tool) == ("change", "its annotations say readOnlyHint = false")
    assert classify("get_and_mark", tool, known=(("get_and_mark", "read"),)) == ("read", "the configuration says so")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("transfer_to_human_agents", True),
        ("escalate_case", True),
        ("hand_over", True),
        ("transfer_money", False),
        ("book", False),
    ],
)
def test_handing_over_is_no_change(name, expected):
    assert hands_over(name) is expected


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("refund_order", ("refund", "order")),
        ("return_order_items", ("return", "order", "items")),
        ("return_order_cancel", ("order", "cancel")),
        ("compute-stop-instance", ("stop", "instance")),
        ("order_list", ("list",)),
        ("pay__close_fee", ("close", "fee")),
    ],
)
def test_a_service_is_told_from_what_a_tool_does_to_a_thing(name, words):
    assert own_words(name) == words
