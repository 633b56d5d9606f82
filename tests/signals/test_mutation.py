import pytest

from blade.signals.mutation import classify, expected_names
from blade.signals.tools import Tool


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
        ("", "unknown"),
    ],
)
def test_a_name_tells_by_its_verb(name, kind):
    assert classify(name).kind == kind


def test_a_description_speaks_where_the_name_is_silent():
    assert classify("frobnicate", Tool("frobnicate", "Updates the record of a member.", {})).kind == "change"
    assert classify("frobnicate", Tool("frobnicate", "Retrieves a record.", {})).kind == "read"
    assert classify("frobnicate", Tool("frobnicate", "The record of a member.", {})).kind == "unknown"


def test_expected_calls_speak_last():
    assert classify("frobnicate", None, frozenset(["frobnicate", "update_record"])).kind == "change"
    assert classify("frobnicate", None, frozenset(["frobnicate", "get_record"])).kind == "unknown"
    assert classify("frobnicate", None, frozenset(["frobnicate"])).kind == "unknown"


def test_every_class_has_a_reason():
    assert classify("get_user").reason == "its name says get"
    assert classify("frobnicate").reason == "nothing says"


def test_expected_names_are_found_by_shape():
    assert expected_names({"ground_truth": [{"name": "book", "arguments": "{}"}, "text"], "reward": 1}) == {"book"}
    assert expected_names({"ground_truth": "42"}) == frozenset()
