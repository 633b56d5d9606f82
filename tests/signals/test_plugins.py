from importlib.metadata import EntryPoint

import pytest

from blade.errors import UsageError
from blade.signals.plugins import GROUP, load
from blade.signals.signal import BUILT_IN, Detector, Evidence, Registry

REGISTRY = Registry()


@REGISTRY.signal("says_moo", label="BI", meaning="the assistant says moo")
def says_moo(rollout):
    for _, item in rollout.assistant_messages():
        if "moo" in item.text:
            yield Evidence(item.step, "moo")


TWICE = [BUILT_IN]
NOTHING = 3


def point(name, value):
    return EntryPoint(name=name, value=value, group=GROUP)


def test_a_plugin_adds_its_detectors_to_the_built_in_ones():
    loaded = load([point("ours", f"{__name__}:REGISTRY")])
    assert loaded.failures == ()
    assert [detector.code for detector in loaded.detectors][-1] == "says_moo"
    assert len(loaded.detectors) == len(load([]).detectors) + 1


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (f"{__name__}:NOTHING", "TypeError"),
        (f"{__name__}:MISSING", "AttributeError"),
        ("no_such_package_anywhere:X", "ModuleNotFoundError"),
        (f"{__name__}:TWICE", "two detectors are named"),
    ],
)
def test_a_plugin_that_cannot_be_loaded_is_named_and_the_rest_stays(value, said):
    loaded = load([point("bad", value)])
    assert [failure.plugin for failure in loaded.failures] == [f"bad = {value}"]
    assert said in loaded.failures[0].message
    assert loaded.detectors == load([]).detectors


def test_a_label_must_be_one_of_the_six():
    with pytest.raises(UsageError, match="none of DA, IR"):
        Registry().add(Detector("x", "XX", "", "", says_moo, True, None))
