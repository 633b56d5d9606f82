"""Noise in the place of a message."""

import pytest

from blade.signals.example import Example, call, says
from blade.signals.machinery.garbled import noise
from tests.signals.support import steps


@pytest.mark.parametrize(
    "text",
    [
        "!" * 80,
        "<unk>" * 20,
        "G" * 400,
        " ioctl!!oust \ufffd\ufffd\n\n<0x0A> // Wh\u00ad \u00adĠĠthe}} :::: ptic\ufffd" * 3,
        "\u200b\u200b((((((( of of of of" * 12,
        "istrovství【</ the unb 0x</=-=-\nウィ unb</istrovství'>=-=-quer pérd ,,istrovství\t【Dist是));ingly afore الingly)); unbство是ство是nginx",
    ],
)
def test_noise(text):
    assert noise(text)


@pytest.mark.parametrize(
    "text",
    [
        "!" * 20,  # short
        "mako " * 40,  # a weak model's own doing
        "0" * 60,
        "设圆心角为θ，半径为r，则弧长l=rθ。 由题意可知 ΔABC是等腰三角形， 角A=α，角B=β。 所以α+β=π−∠C，因此得到结论并且证明完毕。",
        "Let me count: " + "0" * 200,
        "Wir sprechen Deutsch, русский, 中文 und العربية; auf Griechisch heißt es Ελληνικά, auf Hebräisch עברית, und das ist alles.",
        "这个 GPT模型 在 Linux系统 上 运行 得 很好, 使用 Python语言 编写, 请 参考 README文件 以及 相关 文档 和 例子 代码, 谢谢 大家 的 支持 与 帮助。",
        "-" * 80,
        '<|channel|>commentary to=functions.search <|constrain|>json<|message|>{"origin": "SFO", "to": "JFK"}<|call|>',
        "The figures are in the table below.\n" + "-" * 200,
        "def f(x):\n    return {**x, 'a': [1, 2]}  # and so on, as in the file\n" * 3,
        "Der Umlaut ging verloren: M\ufffdnchen liegt an der Isar, und nicht an der Donau, wie gesagt wurde.",
    ],
)
def test_what_may_mean_something(text):
    assert not noise(text)


def test_it_is_found_where_it_stands():
    assert steps("garbled_output", Example((call("lookup", "saw", id="A1"), says("!" * 90)))) == [2]
