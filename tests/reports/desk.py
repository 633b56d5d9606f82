"""What the diagnosis of a library desk found: its tasks with their causes, its modes, and the claims behind them."""

from typing import Any

from tests.reports.pieces import Json, evidence, finding, mode, task, unknown_cause

LOOKUP = "lookup_skipped.get_member"
FEE = "same_wrong_argument.book_bench.fee"
EXTRA = "action_extra.send_voucher"
OUTAGE = "connection_failed.gateway"


def tasks() -> list[Json]:
    skipped = {
        "label": "BI",
        "code": "lookup_skipped",
        "subject": "get_member",
        "confidence": 0.8312,
        "alternative": "KG",
        "why": "acts on a value without looking it up with `get_member`",
        "detail": "pays with card_4959, which stands only in the history of the loan (L26:1 steps 5 to 23); get_member is never called",
        "decisive": {"rollout": "L26:1", "step": 36},
        "fix": "resolve the payment card with get_member before any charge",
        "evidence": [
            evidence("L26:1", 36, 'pay_loan(card="card_4959")'),
            evidence("L26:3", 28, 'pay_loan(card="card_4959")'),
        ],
    }
    fee = {
        "label": "KG",
        "code": "same_wrong_argument",
        "subject": "book_bench.fee",
        "confidence": 0.66,
        "alternative": "BI",
        "why": "the same wrong `fee` in `book_bench`, repeat after repeat",
        "detail": "expected fee=0, all four repeats book with fee=1 although the profile they read says gold",
        "decisive": {"rollout": "L0:0", "step": 18},
        "fix": "put the allowance table where the booking is made",
        "evidence": [evidence("L0:0", 18, "payment does not add up, total is 305, but paid 255")],
    }
    extra = {
        "label": "BI",
        "code": "action_extra",
        "subject": "send_voucher",
        "confidence": 0.58,
        "alternative": None,
        "why": "change that nobody expected: `send_voucher`",
        "detail": "amount=200 is 50 times the four guests of step 11, but the loan was neither changed nor cancelled",
        "decisive": {"rollout": "L37:0", "step": 14},
        "evidence": [evidence("L37:0", 14, "send_voucher(amount=200)")],
    }
    outage = {
        "label": "IR",
        "code": "connection_failed",
        "subject": "gateway",
        "confidence": 0.93,
        "alternative": None,
        "why": "connection failed (gateway)",
        "detail": "the connection broke at the first call and nothing was tried again",
        "decisive": {"rollout": "L9:1", "step": 2},
        "evidence": [evidence("L9:1", 2, "ConnectionResetError: [Errno 104] reset by peer")],
    }
    wrong_card = finding("action_wrong_argument", "BI", "pay_loan.card", 36, 'card="card_4959"')
    lookup = finding("lookup_skipped", "BI", "get_member", 36, 'card="card_4959"')
    repeated = finding("repeated_call", "BI", "list_loans", 9, "list_loans()")
    return [
        task(
            "L0",
            "----",
            fee,
            [FEE],
            {number: [finding("same_wrong_argument", "KG", "book_bench.fee", 14)] for number in range(4)},
        ),
        task("L9", "+-++", outage, [OUTAGE], {1: [finding("connection_failed", "IR", "gateway", 2)]}),
        task("L26", "+-+-", skipped, [LOOKUP], {0: [repeated], 1: [lookup, wrong_card, repeated], 3: [lookup, wrong_card]}),
        task("L30", "++++", None, []),
        task("L37", "-+++", extra, [EXTRA], {0: [finding("action_extra", "BI", "send_voucher", 14, "send_voucher(amount=200)")]}),
        task("L41", "++-+", unknown_cause(), []),
    ]


def modes() -> list[Json]:
    return [
        mode(
            FEE,
            "the same wrong `fee` in `book_bench`, repeat after repeat",
            "KG",
            4,
            1,
            ["L0"],
            why="every repeat books with a fee although gold members pay none",
            examples=[evidence("L0:0", 18, "book_bench(fee=1)"), evidence("L0:3", 14, "book_bench(fee=1)")],
        ),
        mode(
            LOOKUP,
            "acts on a value without looking it up with `get_member`",
            "BI",
            2,
            1,
            ["L26"],
            lift=0.5125,
            lift_ci=[0.1211, 0.9042],
            p_adjusted=0.0213,
            gain={"lower": 0.0, "estimate": 0.0717, "upper": 0.0833, "ci": [0.0112, 0.1322]},
            examples=[evidence("L26:1", 36, 'pay_loan(card="card_4959")')],
        ),
        mode(EXTRA, "change that nobody expected: `send_voucher`", "BI", 1, 1, ["L37"], lift=0.31, lift_ci=[-0.2, 0.82]),
        mode(OUTAGE, "connection failed (gateway)", "IR", 1, 1, ["L9"], passed_rollouts=1, lift=-0.02, lift_ci=[-0.3, 0.26]),
    ]


def claims() -> list[Json]:
    def claim(identity: str, value: Any, estimator: str | None = None) -> Json:
        return {
            "id": identity,
            "text": f"the value of {identity}",
            "query": f"SELECT avg(reward) FROM rollouts WHERE class = 'scored' -- {identity}",
            "estimator": estimator,
            "value": value,
            "tolerance": 1e-9,
            "evidence": [],
        }

    return [
        claim("pass_at_1", 0.625, "task_mean"),
        claim("pass_at_1.ci", [0.2917, 0.8708], "rate_interval"),
        claim("failed", 9),
        claim("bucket.always", 1),
        claim("bucket.sometimes", 4),
        claim("bucket.never", 1),
        claim("funnel.changed something", 21),
        claim(f"mode.{LOOKUP}.counts", 2),
        claim(f"mode.{LOOKUP}.lift", 0.5125, "lift"),
        claim(f"mode.{LOOKUP}.gain", {"estimate": 0.0717, "ci": [0.0112, 0.1322]}, "gain"),
        claim("unexplained", 1),
        claim("task.L26.passed", 2),
    ]
