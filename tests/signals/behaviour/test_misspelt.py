"""Names of the request that were mistyped in a lookup."""

import pytest

from blade.signals.example import Example, call, says
from tests.signals.support import found, steps

NOBODY = '{"members": []}'


def looked_up(*names, answer=NOBODY, last=None, asked="Please end the membership of Ann Lundgren."):
    calls = [call("find_member", answer, name=name) for name in names]
    if last is not None:
        calls[-1] = call("find_member", last, name=names[-1])
    return Example((*calls, says("Nothing was found.")), asked=asked)


EVERYBODY = call("list_members", '[{"id": "M-1", "name": "Ann Lundgren"}, {"id": "M-2", "name": "Bo Ek"}]')
LISTED_AFTERWARDS = Example(
    (call("find_member", NOBODY, name="Ann Lundgran"), EVERYBODY, call("end_membership", "ok", id="M-2")),
    asked="Please end the membership of Ann Lundgren.",
)
CASES = [
    ("name_misspelt", looked_up("Ann Lundgern"), [0]),
    ("name_misspelt", looked_up("Ann Lungren"), [0]),
    ("name_misspelt", looked_up("Ann Lundgrenn"), [0]),
    ("name_misspelt", looked_up("Ann Lundgran"), [0]),
    ("name_misspelt", looked_up("Ann Lundgran", answer="No member of that name."), [0]),
    ("name_misspelt", looked_up("Ann Lundgran", answer="Error: member not found"), [0]),
    ("name_misspelt", looked_up("Ann Lundgran", answer='{"query": "Ann Lundgran", "count": 0}'), [0]),
    ("name_misspelt", looked_up("Ann Lundgren"), []),  # as asked
    ("name_misspelt", looked_up("Ann Lindgran"), []),  # another name
    ("name_misspelt", looked_up("Ann Lundgran", "Ann Lundgren"), []),  # tried again
    ("name_misspelt", looked_up("Ann Lundgran", answer='{"members": [{"id": "M-1", "name": "Ann Lundgren"}]}'), []),
    ("name_misspelt", looked_up("Ann Lundgran", answer='{"success": true, "members": []}'), [0]),
    ("name_misspelt", looked_up("Ann Lundgran", answer='{"name": "Ann Lundgran", "count": 1}'), []),
    ("name_misspelt", looked_up("Ann Lundgran", answer='{"name": "Ann Lundgran", "exists": true}'), []),
    ("name_misspelt", looked_up("Anderson", asked="Please move the Andersons' reservation."), []),  # plural
    ("name_misspelt", looked_up("Ann Lundgren", asked="Avsluta Ann Lundgrens medlemskap."), []),  # genitive
    ("name_misspelt", LISTED_AFTERWARDS, []),
    ("name_misspelt", looked_up("Ann Lundgran", answer='{"memb'), []),  # which tells nothing
    ("name_misspelt", looked_up("Ann Lundgran", asked="End what Ann Lundgren has, and Ann Lundgran too."), []),  # both are named
    ("name_misspelt", looked_up("Ann Lundgrun", asked="Ann Lundgren or Ann Lundgran?"), []),  # either may be meant
]


@pytest.mark.parametrize(("code", "example", "wanted"), CASES)
def test_a_slip_of_the_pen(code, example, wanted):
    assert steps(code, example) == wanted


def test_both_names_are_told():
    (signal,) = found("name_misspelt", looked_up("Ann Lundgern"))
    assert signal.subject == "find_member.name"
    assert "the request has Ann Lundgren, and nothing was found under Ann Lundgern" in signal.detail
