import pytest

from blade.signals.signal import argument_subject, parted


@pytest.mark.parametrize(
    ("tool", "path", "tools"),
    [
        ("refund", "amount", ()),
        ("refund", "payments.amount", ("refund",)),
        ("email.send_email", "body", ("email.send_email", "email")),
        ("/v1.2/orders/put", "tags.owner", ("/v1.2/orders/put",)),
        ("email.send_email", "", ("email.send_email",)),
    ],
)
def test_a_subject_comes_apart_as_it_was_made(tool, path, tools):
    assert parted(argument_subject(tool, path), tools) == (tool, path)


def test_a_tool_that_merely_begins_alike_is_not_meant():
    assert parted("refund_order.amount", ("refund",)) == ("refund_order", "amount")
