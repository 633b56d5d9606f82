"""The comparison as JUnit XML: a suite for each pair, a case for its verdict and one for each task that both runs scored.

A task's case fails where B is worse and chance is an unlikely reason: the posterior probability that B is better is below .05. The
verdict's case fails where the runs regressed. XML 1.0 has no way to write most control characters, so ids are cleaned like all
untrusted text, and what is left that XML cannot hold is replaced.
"""

import re
from collections.abc import Mapping
from typing import Any, Final
from xml.etree import ElementTree as ET

from blade.comparison.letters import second
from blade.comparison.units import chance, units
from blade.reports.citations import Document
from blade.reports.comparison.movers import rates, short_parting
from blade.reports.comparison.opening import differs_in_short
from blade.untrusted.escapes import one_line

SURE: Final = 0.05
DECLARATION: Final = '<?xml version="1.0" encoding="UTF-8"?>'
NAME: Final = 200
MESSAGE: Final = 600
_NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(document: Document) -> str:
    root = ET.Element("testsuites", name="blade compare")
    for place, pair in enumerate(document["pairs"], 1):
        _suite(root, pair, document["matrix"], place)
    totals = {count: str(sum(int(suite.attrib[count]) for suite in root)) for count in ("tests", "failures", "skipped")}
    root.attrib.update(totals)
    ET.indent(root)
    return f"{DECLARATION}\n{ET.tostring(root, encoding='unicode')}\n"


def _suite(root: ET.Element, pair: Mapping[str, Any], matrix: list[Mapping[str, Any]], place: int) -> None:
    suite = ET.SubElement(root, "testsuite", name=text(f"{pair['a']} → {pair['b']}", 2 * NAME))
    moved = {one["task"]: one for one in pair["moved"]} | {flip["task"]: flip for flip in pair["flips"]}
    _verdict(suite, pair)
    for row in matrix:
        here, there = row["rates"][0], row["rates"][place]
        if here is not None and there is not None:
            _task(suite, str(row["task"]), moved.get(row["task"]), pair)
    suite.attrib.update(
        tests=str(len(suite)),
        failures=str(len(suite.findall("testcase/failure"))),
        skipped=str(len(suite.findall("testcase/skipped"))),
        errors="0",
    )


def _verdict(suite: ET.Element, pair: Mapping[str, Any]) -> None:
    case = ET.SubElement(suite, "testcase", classname="blade.verdict", name="verdict")
    reason = text(pair["reason"], MESSAGE)
    if pair["verdict"] == "regressed":
        told = ET.SubElement(case, "failure", type="regressed", message=reason)
        told.text = text(f"Differs in {differs_in_short(pair)}", 2 * MESSAGE)
    elif pair["verdict"] == "not_comparable":
        ET.SubElement(case, "skipped", message=reason)
    else:
        ET.SubElement(case, "system-out").text = reason


def _task(suite: ET.Element, task: str, move: Mapping[str, Any] | None, pair: Mapping[str, Any]) -> None:
    """`move` is the task's entry among those that moved, with its cause where it is told as a flip."""
    case = ET.SubElement(suite, "testcase", classname="blade.task", name=text(task, NAME))
    if move is None:
        return
    of, b, probability = units(pair), second(pair), move["probability_b_better"]
    moved = f"A {rates(move, 'a', of)}, {b} {rates(move, 'b', of)}; P({b} better) = {chance(probability)}"
    if move["b_rate"] < move["a_rate"] and probability is not None and probability < SURE:
        told = ET.SubElement(case, "failure", type="lost", message=text(moved, MESSAGE))
        told.text = text(short_parting(move, pair), MESSAGE) if "cause" in move else None
    else:
        ET.SubElement(case, "system-out").text = text(moved, MESSAGE)


def text(value: object, limit: int) -> str:
    """On one line, cleaned, and without what XML cannot hold."""
    return _NOT_XML.sub("�", one_line(str(value), limit))
