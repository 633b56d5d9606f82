"""What detectors of an agent's behaviour must find, and the look-alikes that they must not: (code, rollout, steps of the evidence)."""

from blade.signals.example import Example, call, says, thinks, tool, user

ORDER = '{"status": "open"}'
NO_CARD = "Error: payment method not found"
CUT = {"incomplete_details": {"reason": "max_output_tokens"}}
GRID = "2 2 2 2 2 2 2 2 2 2 2 1" + "\n0 0 0 0 0 0 0 0 0 0 0 0" * 12
CANCEL = {"name": "cancel_order", "arguments": {"order_id": "W1"}}
LOAN_TEXT = '[{"id": "L1", "due": "2026-03-01"}, {"id": "L2", "due": "2026-03-08"}, {"id": "L3", "due": "2026-03-09"}]'
LOANS = call("list_loans", LOAN_TEXT)
SHELF = call(
    "list_loans",
    '[{"loan_id": "L1", "title": "Emma"}, {"loan_id": "L2", "title": "Walden"}, {"loan_id": "L3", "title": "Atlas"}]',
)


def extended(loan):
    return call("extend_loan", "ok", loan_id=loan)


def parting(last, asked="I will, thanks."):
    """A dialogue that ends with a message, after the assistant asked for something and the user took its leave."""
    turns = (says("How can I help?"), user("Cancel W1."), says("Please look up its PIN."), user(asked), says(last))
    return Example(turns, fields={"expected_calls": [CANCEL]})


LEADS = '[{"customer_id": "C1", "owner_email": "carla.l77@x.org"}, {"customer_id": "C2", "owner_email": "bo@x.org"}]'


def handed_on(*before, asked="Give the leads of Carla Lopez to Sam Porter.", filters=None, taken="C2"):
    """Leads of one colleague are to go to another: the listing is of everybody's, and Carla was (not) looked up."""
    change = {"customer_id": "C1", "owner_email": "sp@x.org"}
    return Example(
        (*before, call("search_customers", LEADS, status="lead"), call("update_customer", "ok", customer_id=taken, owner_email="sp@x.org")),
        asked=asked,
        fields={"expected_calls": [{"name": "update_customer", "arguments": change}]},
        tools=(
            tool("find_email_address", person="string"),
            tool("search_customers", **(filters or {"owner_email": "string", "status": "string"})),
            tool("update_customer", customer_id="string", owner_email="string"),
        ),
    )  # fmt: skip


DAYS = tool("book_trial", day={"type": "string", "description": "The day, e.g. 2026-12-01"})


def consented(said, system="Say what you are about to change and wait until the customer agrees."):
    """A pickup is booked after the assistant said something and the customer answered."""
    return Example(
        (says(said), user("TP8 2QD"), call("book_pickup", "booked", postcode="TP8 2QD", day="2026-06-23")),
        asked="Could you collect our sofa on the 23rd?",
        system=system,
    )


def booked(slot, asked="Book any free slot.", listing="S-11 | 09:30 | free\nS-12 | 10:30 | taken\nS-13 | 11:30 | free"):
    """One slot of a list is booked, where the first one is expected."""
    wanted = {"name": "book_slot", "arguments": {"slot": "S-11"}}
    return Example(
        (call("list_slots", listing), call("book_slot", "ok", slot=slot)), asked=asked, fields={"expected_calls": [wanted]}
    )


LISTED = call("list_orders", '["W1", "W99"]', user="u1")
ITEMS = call("set_order_items", "ok", order_id="W1", item=7)
IN_ORDER = {
    "expected_calls": [
        {"name": "set_order_address", "arguments": {"order_id": "W1"}},
        {"name": "set_order_items", "arguments": {"order_id": "W1", "item": 7}},
    ]
}
ROUND = (call("get", "open", id=9),)
RUN_TWICE = (says("```python\na\n```"), user("output: 1"), says("```python\nb\n```"), user("output: 2"))
CASES = [
    # BI: calls
    ("repeated_call", Example((call("get", ORDER, id=7), call("get", '{"status": "sent"}', id=7))), []),
    ("repeated_call", Example((call("get", ORDER, id=7), call("get", ORDER, id=8))), []),
    ("repeated_call", Example((call("get", ORDER, id=7), call("update", "ok", id=7), call("get", ORDER, id=7))), []),
    ("repeated_call", Example((call("get", ORDER, id=7), call("find", "x"), call("get", ORDER, id=7))), [4]),
    ("repeated_call", Example((call("get", "503 Service Unavailable", id=7), call("get", "503 Service Unavailable", id=7))), []),
    ("repeated_call", Example((call("get", id=7), call("get", id=7))), []),
    ("thrashing", Example((call("get", "a", x=1), call("get", "b", x=2)) * 2), [6]),
    ("thrashing", Example((call("get", "a", x=1), call("get", "b", x=2), call("get", "a", x=1))), []),
    ("thrashing", Example((call("set", "Error: busy", x=1), call("set", "ok", x=2), call("set", "ok", x=1))), []),
    ("unparsable_arguments", Example((call("book", "x", raw="{seat: 12}"),)), [0]),
    ("unparsable_arguments", Example((call("shell", "x", raw="ls -la"),)), []),
    ("unparsable_arguments", Example((call("book", "x", raw="seat 12"),), tools=(tool("book"),)), [0]),
    ("schema_violation", Example((call("book", "ok", seat="12A"),), tools=(tool("book", seat="string"),)), []),
    ("schema_violation", Example((call("book", "ok"),), tools=(tool("book", required=("seat",), seat="string"),)), [0]),
    ("schema_violation", Example((call("fly", "ok", a=1),), tools=(tool("book", seat="string"),)), []),
    ("unknown_tool", Example((call("walk", "ok"),), tools=(tool("walk"),)), []),
    ("unknown_tool", Example((call("fly", "ok"),)), []),
    ("unknown_tool", Example((call("fly", "Error: there is no tool named 'fly'."),)), [0]),
    ("failed_call", Example((call("get", "503 Service Unavailable"),)), []),
    ("failed_call", Example((call("get", "No orders found for that name."),)), []),
    ("feedback_misread", Example((call("pay", NO_CARD, payment_method_id=1), call("pay", NO_CARD, payment_method_id=2))), []),
    ("feedback_misread", Example((call("get_user", "Error: user not found", zip="1"), call("get_user", "Error: user not found", zip="2"))), []),
    ("feedback_misread", Example((call("pay", "503 Service Unavailable", card=1), call("pay", "503 Service Unavailable", card=1))), []),
    ("error_ignored", Example((call("cancel", "Error: shipped", id=7), says("I could not cancel it."))), []),
    ("error_ignored", Example((call("cancel", "Error: x", id=7), call("cancel", "ok", id=8), says("I have cancelled it."))), []),
    ("error_ignored", Example((call("cancel", "Error: x", id=7), says("Once I have cancelled it, I will write."))), []),
    ("error_ignored", Example((call("get", "Error: x", id=7), says("I have updated it."))), []),
    ("error_ignored", Example((call("cancel", "Error: x"), says("I have booked A, but unfortunately B failed."))), []),
    ("error_not_retried", Example((call("get", "503 Service Unavailable"), call("get", "ok"))), []),
    ("error_not_retried", Example((call("get", "ok"),)), []),
    ("error_not_retried", Example((call("find_user_by_email", "Error: user not found"), call("find_user_by_name", "u1"))), []),
    ("error_not_retried", Example((call("find_user_by_email", "Error: user not found"), call("list_user_orders", "[]"))), [0]),
    ("error_not_retried", Example((call("find_user", "Error: user not found"), call("cancel_order", "cancelled", id="#W1"))), []),
    ("error_not_retried", Example((call("cancel_order", "Error: not found", id="W1"), call("refund_order", "done", id="#W1"))), [0]),
    ("error_not_retried", Example((LISTED, call("set_order_address", "Error: not pending", order_id="W99")), fields=IN_ORDER), []),
    ("error_not_retried", Example((LISTED, call("set_order_address", "Error: order not found", order_id="W99")), fields=IN_ORDER), [2]),
    ("error_not_retried", Example((LISTED, call("set_order_address", "Error: not pending", order_id="W8")), fields=IN_ORDER), [2]),
    ("error_not_retried", Example((call("set_order_address", "Error: not pending", order_id="W1"),), fields=IN_ORDER), [0]),
    ("error_not_retried", Example((call("set_order_address", "503 Service Unavailable", order_id="W99"),), fields=IN_ORDER), [0]),
    ("error_not_retried", Example((ITEMS, call("set_order_address", "Error: not pending", order_id="W1")), fields=IN_ORDER), []),
    ("error_not_retried", Example((call("exchange_order", "Error: not delivered", order_id="W1", item=7), call("modify_order", "ok", order_id="W1", item=7))), []),
    ("error_not_retried", Example((call("exchange_order", "Error: not delivered", order_id="W1", item=7), call("modify_order", "ok", order_id="W1", item=8))), [0]),
    ("action_wrong_argument", Example((LISTED, call("set_order_address", "Error: not pending", order_id="W99")), fields=IN_ORDER), [2]),
    ("action_wrong_argument", Example((LISTED, call("set_order_address", "Error: order not found", order_id="W99")), fields=IN_ORDER), []),
    ("action_wrong_argument", Example((LISTED, call("set_order_address", "Error: not pending", order_id="W8")), fields=IN_ORDER), []),
    ("action_wrong_argument", Example((call("set_order_address", "Error: not pending", order_id="W1"),), fields=IN_ORDER), []),
    ("action_wrong_argument", Example((call("set_order_address", "503 Service Unavailable", order_id="W99"),), fields=IN_ORDER), []),
    ("action_missing", Example((LISTED, ITEMS, call("set_order_address", "Error: not pending", order_id="W99")), fields=IN_ORDER), []),
    ("action_missing", Example((ITEMS, call("set_order_address", "Error: not pending", order_id="W1")), fields=IN_ORDER), [2]),
    ("action_partial", Example((LISTED, ITEMS, call("set_order_address", "Error: not pending", order_id="W99")), fields=IN_ORDER), []),
    ("action_out_of_order", Example((ITEMS, call("set_order_address", "Error: not pending", order_id="W1")), fields=IN_ORDER), [0]),
    ("action_out_of_order", Example((call("set_order_address", "Error: not pending", order_id="W1"), ITEMS), fields=IN_ORDER), []),
    ("action_out_of_order", Example((ITEMS, call("set_order_address", "503 Service Unavailable", order_id="W1")), fields=IN_ORDER), []),
    ("action_out_of_order", Example((call("set_order_items", "ok", order_id="W2", item=7), call("set_order_address", "Error: no", order_id="W1")), fields=IN_ORDER), []),
    ("command_timed_out", Example((call("bash", "httpx.ReadTimeout: too slow"),)), []),
    ("api_misused", Example((call("bash", "sort: unrecognized option '--by=2'\nTry 'sort --help'", cmd="sort --by=2 f"),)), [1]),
    ("api_misused", Example((call("bash", "usage: prog FILE\nprog: error: unrecognized arguments: --x", cmd="prog --x"),)), [1]),
    ("api_misused", Example((call("bash", "F [100%]\nE       AttributeError: no y\n1 failed in 0.1s", cmd="pytest"),)), [1]),
    ("api_misused", Example((call("bash", "F [100%]\nE       AssertionError: assert 1 == 2\n1 failed in 0.1s", cmd="pytest"),)), []),
    ("api_misused", Example((call("bash", "The option is unknown to most. See the flag.", cmd="cat notes"),)), []),
    ("api_misuse_repeated", Example((call("bash", "jq: error: syntax error, unexpected '}'", cmd="jq 1"), call("bash", "jq: error: syntax error, unexpected ']'", cmd="jq 2"))), [3]),
    ("api_misuse_repeated", Example((call("python", "AttributeError: no x"), call("python", "TypeError: bad y"))), []),
    ("handed_over", Example((call("cancel", "ok"), call("transfer_to_human_agents", "ok"))), []),
    ("handed_over", Example((call("transfer_money", "ok"),)), []),
    ("unbacked_claim", Example((call("get", ORDER), says("Your flight has been cancelled by the airline."))), []),
    ("unbacked_claim", Example((call("get", ORDER), says("Shall I proceed once I have booked it?"))), []),
    ("unbacked_claim", Example((call("get", ORDER), call("extend", "ok"), says("I have extended your loan."))), []),
    ("unbacked_claim", Example((call("bash", ORDER), says("I have updated the file."))), []),
    ("unbacked_claim", Example((says("I have created a poem for you."),)), []),
    ("unbacked_claim", Example((call("get", ORDER), says("I have extended your loan:\n```\nL1"))), [2]),
    ("unbacked_claim", Example((call("get", ORDER), says("I have updated the function:\n```\ndef f(): ...\n```"))), []),
    ("unbacked_claim", Example((says("I have sent the mail."),), tools=(tool("send_mail"),)), [0]),
    ("unbacked_claim", Example((call("get", ORDER), says("I have not booked anything."))), []),
    # BI: the end
    ("steps_exhausted", Example((*RUN_TWICE, says("```python\nc\n```\nPlease run this."))), [None]),
    ("steps_exhausted", Example((*RUN_TWICE, says("It is 4."))), []),
    ("steps_exhausted", Example((says("```python\na\n```"),)), []),
    ("steps_exhausted", Example((call("a", "1"), call("b", "2"), call("submit_answer", "3"))), []),
    ("steps_exhausted", Example((call("a", "1"),)), []),
    ("steps_exhausted", Example((user("hi"), call("a", "1"), call("b", "2"), call("c", "3"))), [6]),
    ("steps_exhausted", Example((user("hi"), call("a", "1"), call("b", "2"), call("transfer_to_human_agents", "3"))), []),
    ("steps_exhausted", Example((call("a", "1"), call("b", "2"), call("c", "3"), says("done"))), []),
    ("steps_exhausted", Example((call("a", "1"), call("b", "2"), call("c", "3")), response=CUT), []),
    ("steps_exhausted", Example((says("x"),), fields={"result": {"termination_reason": "max_steps"}}), [0]),
    ("steps_exhausted", Example((says("x"),), fields={"truncated": True, "terminated": False}), [0]),
    ("steps_exhausted", Example((*ROUND * 6,)), []),
    ("steps_exhausted", Example((*ROUND * 5,)), [9]),
    ("endless_loop", Example((call("get", "open", id=7), *ROUND * 6)), [4]),
    ("endless_loop", Example((*ROUND * 6, says("It is open.")), fields={"termination_reason": "max_steps"}), [2]),
    ("endless_loop", Example((*ROUND * 6, says("It is open."))), []),
    ("endless_loop", Example(ROUND * 6, fields={"termination_reason": "user_stop"}), [2]),
    ("endless_loop", Example((*ROUND * 6, says("It is open.")), fields={"termination_reason": "user_stop"}), []),
    ("endless_loop", Example((call("transfer_to_human_agents", "done"),) * 7), [2]),
    ("steps_exhausted", Example((call("transfer_to_human_agents", "done"),) * 3), []),
    ("endless_loop", Example((*ROUND * 3, call("get", "closed", id=8), *ROUND * 4)), []),
    ("endless_loop", Example(tuple(call("get", "open", id=number % 2) for number in range(7))), [4]),
    ("endless_loop", Example(tuple(call("get", "open", id=number) for number in range(7))), []),
    ("endless_loop", Example(tuple(call("get", f"page {number}", id=7) for number in range(7))), []),
    ("endless_loop", Example((call("get_job", '{"state": "pending"}', id=7),) * 9), []),
    ("endless_loop", Example((call("get_job", "Error: 503 Service Unavailable", id=7),) * 9), []),
    ("endless_loop", Example((call("press_key", "pressed", key="down"),) * 9), []),
    ("endless_loop", Example((call("press_key", "pressed", key="down"),) * 22), [2]),
    ("endless_loop", Example((call("book", "Error: payment not found", card=7),) * 7), [2]),
    ("endless_loop", Example((call("transfer_to_human_agents", "done"),) * 9, fields={"termination_reason": "max_steps"}), [2]),
    ("stopped_for_errors", Example((says("x"),), fields={"result": {"termination_reason": "agent_error"}}), []),
    ("stopped_for_errors", Example((call("book", "Error: no seats"),), fields={"result": {"termination_reason": "agent_error"}}), [1]),
    ("ended_as_error", Example((call("book", "Error: no seats"),), fields={"result": {"termination_reason": "agent_error"}}), []),
    ("stopped_for_errors", Example((call("find", "Error: no user"), says("Who are you?"), user("u1.")), fields={"termination_reason": "agent_error"}), []),
    ("ended_as_error", Example((call("find", "Error: no user"), says("Who are you?"), user("u1.")), fields={"termination_reason": "agent_error"}), [3]),
    ("stopped_for_errors", Example((call("find", "Error: no user"), says("Who are you?"), user("u1.")), fields={"termination_reason": "too_many_errors"}), [3]),
    ("ended_as_error", Example((says("x"),), fields={"result": {"termination_reason": "user_stop"}}), []),
    ("stopped_for_errors", Example((says("x"),), fields={"result": {"termination_reason": "user_stop"}}), []),
    ("call_malformed", Example((says("Done."),), tools=(tool("edit"),)), []),
    ("output_truncated", Example((says("x"),)), []),
    ("output_truncated", Example((thinks("x"),), response=CUT), [0]),
    ("output_truncated", Example((call("a", "1"), says("")), response=CUT), []),
    ("context_overflow", Example((call("a", "1"), says("")), response=CUT), [2]),
    ("context_overflow", Example((says("half an ans"),), response=CUT), []),
    ("context_overflow", Example(fields={"context_length_exceeded_error": 1}), [None]),
    ("context_overflow", Example((call("read", "The context length of this model is 8192."),)), []),
    ("no_final_answer", Example((thinks("a"), says("b"))), []),
    ("no_final_answer", Example((thinks("a"), call("t", "x"))), []),
    ("action_declined", Example((says("Hello."), user("Cancel W1."), says("I will see to it."), user("Thanks."), says("Bye.")), fields={"expected_calls": [CANCEL]}), []),
    ("refusal", Example((call("cancel_order", "ok", order_id="W1"), user("And what did I pay?"), says("I am sorry, I cannot fulfil this request."))), []),
    ("refusal", Example((call("cancel_order", "Error: no", order_id="W1"), user("Why?"), says("I am sorry, I cannot fulfil this request."))), [3]),
    ("refusal", Example((call("cancel_order", "ok", order_id="W1"), says("I am sorry, I cannot fulfil this request."))), [2]),
    ("refusal", Example((says("I cannot comply with this request."),)), [0]),
    ("refusal", Example((says("I'm sorry, but I cannot cancel a used ticket under the policy."),)), []),
    ("refusal", Example((says("Sure. I can't help with that, said the fox. " * 40),)), []),
    ("question_back", Example((says("The total is 5. Is there anything else I can help with?"),)), []),
    ("question_back", Example((says("Could you confirm the date?"), user("Monday"), says("Could you confirm the hour?"))), []),
    ("question_back", Example((says("What is love? It is a question. The answer is 4."),)), []),
    ("gave_up", Example((call("get", ORDER), says("I am sorry, I was not able to finish your request.")), fields={"expected_calls": [{"name": "transfer_to_human_agents", "arguments": {}}]}), []),
    ("gave_up", Example((call("book", "ok"), says("I was unable to complete the second part."))), []),
    ("gave_up", Example((says("I was unable to find a proof, but here is a sketch."),)), []),
    ("wrong_format", Example((says("Nobody of that name is known."),), asked="Cancel W1.", system="Put answers in \\boxed{}.", fields={"expected_calls": [{"name": "cancel", "arguments": {"id": "W1"}}]}), []),
    ("wrong_format", Example((says("\\boxed{12}"),), asked="Put the answer in \\boxed{}."), []),
    ("wrong_format", Example((says("It is 12."),), asked="How many?", system='Close with one object: {"reply": "<your answer>", "basis": "<why>"}'), [0]),
    ("wrong_format", Example((says('Looked.\n{"reply": "12", "basis": "sum"}'),), asked="How many?", system='Close with one object: {"reply": "<your answer>", "basis": "<why>"}'), []),
    ("wrong_format", Example((call("cancel", "ok", id="W1"), says("Cancelled.")), asked="Cancel W1.", system='Reply to questions with {"reply": "<your answer>"}'), []),
    ("wrong_format", Example((says("\\boxed{C: the third one}"),), asked="Output your letter inside \\boxed{} and nothing else."), [0]),
    ("wrong_format", Example((says("\\boxed{C}"),), asked="Output your letter inside \\boxed{} and nothing else."), []),
    ("wrong_format", Example((says("\\boxed{\\text{C}}"),), asked="Put only the letter in \\boxed{}."), []),
    ("wrong_format", Example((says("\\boxed{C: the third one}"),), asked="Put the letter in \\boxed{}."), []),
    ("wrong_format", Example((says("Proof 1 is better."),), asked="Compare:\n\\[\\boxed{x}\\]\nand the other."), []),
    ("wrong_format", Example((says("blue"),), asked="Reply with <answer>colour</answer> only."), [0]),
    ("wrong_format", Example((says("blue"),), asked="Reply with <answer>colour</answer> only.\n" + "The sky over the sea. " * 900), [0]),
    ("wrong_format", Example((says("It is fixed."),), asked="The line below gives the wrong output:\n```python\nimport sys\nprint(f\"Verification result: {result}\")\n```"), []),
    ("wrong_format", Example((says("It is fixed."),), asked="The report ends with print(f\"Verification result: {result}\") where it should not."), []),
    ("wrong_format", Example((says("It is 4."),), asked="Reply in this form:\n```\n'Result: <number>'\n```"), [0]),
    ("wrong_format", Example((says("It is 4."),), asked="Reply with 'Result: <number>'. The program:\n```python\nimport sys\nprint(4)\n```"), [0]),
    ("wrong_format", Example((says("<answer>blue</answer>"),), asked="Reply with <answer>colour</answer> only."), []),
    ("wrong_format", Example((says("It is 4."),), asked="Return the result as valid JSON."), [0]),
    ("wrong_format", Example((says("It is joint 8"),), asked="Which joint? Reply with only the number."), [0]),
    ("wrong_format", Example((says("It is B, I think."),), asked="Which one? Answer with the letter only."), [0]),
    ("wrong_format", Example((says("8"),), asked="Which joint? Reply with only the number."), []),
    ("wrong_format", Example((says("**8**."),), asked="Which joint? Reply with only the number."), []),
    ("wrong_format", Example((says("2 + 6 = 8\n\n8"),), asked="Which joint? Reply with only the number."), []),
    ("wrong_format", Example((says("It is joint 8"),), asked="Which joint? Give the number of the joint."), []),
    ("wrong_format", Example((says('```json\n{"a": 4}\n```'),), asked="Return the result as valid JSON."), []),
    ("wrong_format", Example((says("It is 4."),), asked="What is JSON?"), []),
    ("wrong_format", Example((says("It is 4."),), asked="Close with a line 'Total: <pounds>'."), [0]),
    ("wrong_format", Example((says("Total: 4"),), asked="Close with a line 'Total: <pounds>'."), []),
    ("wrong_format", Example((says("The ans"),), asked="Put the answer in \\boxed{}.", response=CUT), []),
    # BI: testing one's own work
    ("no_self_check", Example((call("edit", "ok", path="a.py", new="x"), call("bash", "ok", cmd="python a.py"))), []),
    ("no_self_check", Example((call("edit", "ok", path="a.py", new="x"),)), []),
    ("closed_day_given", Example((call("book_room", "ok", day="2026-11-02"),), system="The house is open on Mondays.", asked="A slot on 2 November, please.", fields={"expected_calls": [{"name": "book_room", "arguments": {"day": "2026-11-03"}}]}), []),
    ("exception_given", Example((call("book", "ok", flight="F1", cabin="economy"),), asked="Book flight F1. If business is not available, take economy.", fields={"expected_calls": [{"name": "book", "arguments": {"flight": "F1"}}]}), []),
    ("exception_given", Example((call("set_marks", "ok", marks=["office mark", "fineness mark"]),), asked="Set the fineness mark on it. On the lid set all, but not the fineness mark.", fields={"expected_calls": [{"name": "set_marks", "arguments": {"marks": ["office mark"]}}]}), []),
    ("exception_given", Example((call("set_marks", "ok", marks=["office mark", "fineness mark"]),), asked="Set the marks as below, with the exception of \"fineness mark\".\n\n+ office mark\n+ fineness mark", fields={"expected_calls": [{"name": "set_marks", "arguments": {"marks": ["office mark"]}}]}), [0]),
    ("exception_given", Example((call("set_marks", "ok", marks=["office mark", "fineness mark"]),), asked="Enter all of them but fineness mark, please.", fields={"expected_calls": [{"name": "set_marks", "arguments": {"marks": ["office mark"]}}]}), [0]),
    ("exception_given", Example((call("set_marks", "ok", marks=["office mark", "fineness mark"]),), asked="All is there but the list: set office mark and fineness mark.", fields={"expected_calls": [{"name": "set_marks", "arguments": {"marks": ["office mark"]}}]}), []),
    ("exception_given", Example((call("set_marks", "ok", marks=["office mark", "date letter"]),), asked="Set all marks, except for the fineness mark.", fields={"expected_calls": [{"name": "set_marks", "arguments": {"marks": ["office mark"]}}]}), []),
    ("exception_given", Example((call("set_marks", "ok", marks=["office mark", "fineness mark", "date letter"]),), asked="Set the marks below, with the exception of \"fineness mark\".", fields={"expected_calls": [{"name": "set_marks", "arguments": {"marks": ["office mark", "date letter"]}}]}), [0]),
    ("exception_given", Example((call("set_marks", "ok", marks=["date letter", "office mark"]),), asked="Set the marks below, except for the office mark on the lid.", fields={"expected_calls": [{"name": "set_marks", "arguments": {"marks": ["office mark", "date letter", "maker"]}}]}), []),
    ("no_program", Example((says("```python\nprint(1)\n```"),), fields={"code": "print(1)"}), []),
    ("program_never_run", Example((says("```python\nprint(1)\n```"),), fields={"result": {"error_message": "Wrong answer", "expected": "2", "output": "1"}}), []),
    ("no_self_check", Example((call("edit", "ok", path="a.py", new="x"),), tools=(tool("edit"), tool("bash"))), [0]),
    ("no_self_check", Example((call("bash", "", cmd="sed -i s/a/b/ a.py"), call("read", "b", path="a.py"))), [0]),
    ("no_self_check", Example((call("bash", "ok", cmd="ls"), call("write", "ok", path="notes/briefing.md", content="# Today"))), []),
    ("no_self_check", Example((call("bash", "ok", cmd="ls"), call("write", "ok", path="a.py", content="x"), call("write", "ok", path="README.md", content="y"))), [2]),
    ("no_self_check", Example((call("bash", "ok", cmd="ls"), call("update_seat", "ok", seat="12A"))), []),
    ("self_check_passed", Example((call("bash", "1 failed, 2 passed", cmd="pytest"),)), []),
    ("self_check_passed", Example((call("bash", "2 passed", cmd="pytest"), call("edit", "ok", path="a.py"))), []),
    ("self_check_passed", Example((call("bash", "12 passed away in 1920", cmd="cat obituary.txt"),)), []),
    ("self_check_failed", Example((call("bash", "1 failed", cmd="pytest"), call("bash", "2 passed", cmd="pytest"))), []),
    # BI: expected calls (test_comparison and test_expected have more)
    ("action_missing", Example((call("cancel_order", "ok", order_id="W1"),), fields={"expected_calls": [CANCEL]}), []),
    ("action_missing", Example((says("No."),)), []),
    ("action_missing", parting("You're welcome! Have a great day!"), [2]),
    ("action_missing", parting("Thank you! If you need any further assistance, feel free to reach out. Take care!"), [2]),
    ("action_missing", parting("You're welcome! Your order W1 has been packed."), [4]),
    ("action_missing", parting("Thank you. Which day suits you?"), [4]),
    ("action_missing", parting("You're welcome!", asked="Great. Please cancel it now."), [4]),
    ("action_missing", parting("You're welcome!", asked="Its PIN is 4711, thank you."), [4]),
    ("action_missing", Example((says("Thank you!"),), fields={"expected_calls": [CANCEL]}), [0]),
    ("action_partial", Example((says("No."),), fields={"expected_calls": [CANCEL]}), []),
    ("action_extra", Example((call("cancel_order", "ok", order_id="W1"),)), []),
    ("extra_refused", Example((call("cancel_order", "ok", order_id="W1"),), fields={"expected_calls": []}), []),
    ("action_extra", Example((call("cancel_order", "ok", order_id="W1"),), fields={"expected_calls": [CANCEL]}), []),
    ("action_wrong_argument", Example((call("cancel_order", "ok", order_id="w1"),), fields={"expected_calls": [CANCEL]}), []),
    ("lookup_skipped", Example((call("get_user", '{"card": "card_9"}'), call("pay", "Error: payment refused", id="card_1"), call("pay", "ok", id="card_9"))), []),
    ("lookup_skipped", Example((call("pay", "Error: not found", id="card_1"), call("get_user", '{"card": "card_9"}'), call("pay", "ok", id="card_9"))), [0]),
    ("lookup_skipped", Example((call("pay", "Error: not found", id="card_1"), user("Then card_9."), call("pay", "ok", id="card_9"))), []),
    # The request speaks of the policy, nobody read it, and the figure follows from nothing that was seen.
    ("lookup_skipped", Example((call("find_claim", "estimate 5594.61"), call("pay_claim", "ok", amount=5094.61)), asked="Pay what is due under the policy.", tools=(tool("find_claim"), tool("get_policy"), tool("pay_claim", amount="number")), fields={"expected_calls": [{"name": "pay_claim", "arguments": {"amount": 5244.61}}]}), [2]),
    ("lookup_skipped", Example((call("find_claim", "estimate 5594.61"), call("get_policy", "excess 350"), call("pay_claim", "ok", amount=5094.61)), asked="Pay what is due under the policy.", tools=(tool("find_claim"), tool("get_policy"), tool("pay_claim", amount="number")), fields={"expected_calls": [{"name": "pay_claim", "arguments": {"amount": 5244.61}}]}), []),
    ("lookup_skipped", Example((call("get_x", "1"), says("4 bags.")), fields={"expected_calls": [{"name": "get_user", "arguments": {}}]}), [2]),
    ("lookup_skipped", Example((call("get_x", "1"), says("4 bags.")), fields={"expected_calls": [{"name": "calculate", "arguments": {}}]}), []),
    ("lookup_skipped", Example((call("mail", "ok", to_email="s@x.org"), says("Sent.")), fields={"expected_calls": [{"name": "mail", "arguments": {"to_email": "sam@x.org"}}]}, tools=(tool("find_email"), tool("mail", description="Send a mail."))), [0]),
    # BI: records and people
    ("answer_untold", Example((says("Your total is 1,286."),), fields={"task": {"outputs": ["1286"]}}), []),
    ("answer_untold", Example((says("Four."),), fields={"task": {"evaluation_criteria": {"communicate_info": ["5"]}}}), [0]),
    ("answer_untold", Example((says("Four."),), fields={"task": {"evaluation_criteria": {"communicate_info": ["4"]}}}), []),
    ("answer_told", Example((says("Four."),), fields={"task": {"outputs": ["4"]}}), [0]),
    ("answer_told", Example((says("4"), user("and?"), says("Bye.")), fields={"task": {"outputs": ["4"]}}), [0]),
    ("answer_told", Example((says("Four."),), fields={"task": {"outputs": ["4", "5"]}}), []),
    ("answer_told", Example((says("Four."),), fields={"task": {"outputs": []}}), []),
    ("answer_untold", Example((says("Six."),), fields={"task": {"outputs": []}}), []),
    ("answer_untold", Example((says("Six."),), fields={"outputs": ["4"]}), []),
    ("record_left_out", Example((LOANS, extended("L1"), extended("L2"), extended("L3"))), []),
    ("record_left_out", Example((LOANS, extended("L1"))), []),
    ("record_left_out", Example((LOANS, extended("L1"), extended("L2"))), [4]),
    ("record_left_out", Example((LOANS, extended("L1"), extended("L2"), says("All done."))), [6]),
    ("record_left_out", Example((SHELF, extended("L1"), extended("L2")), asked="Extend all loans, except for the Atlas."), []),
    ("record_left_out", Example((SHELF, extended("L1"), extended("L2")), asked="Extend all loans, the Atlas too."), [4]),
    ("record_left_out", Example((LOANS, call("extend_loans", "ok", ids=["L1", "L2"]))), []),
    ("record_left_out", Example((LOANS, extended("L1"), call("extend_loan", "Error: busy", loan_id="L2"))), []),
    ("filtered_by_hand", Example((LOANS, extended("L1")), asked="Extend what is due by 1 March.", tools=(tool("list_loans", due_from="string"),)), [0]),
    ("filtered_by_hand", Example((LOANS, extended("L1")), asked="Extend Ann's loan.", tools=(tool("list_loans", due_from="string"),)), []),
    ("filtered_by_hand", Example((LOANS, extended("L1")), asked="Extend what falls on the 1st.", tools=(tool("list_loans", back_from="string", back_to="string"),)), [0]),
    ("filtered_by_hand", Example((LOANS, extended("L1")), asked="Extend what falls on the 1st.", tools=(tool("list_loans", assigned_to="string"),)), []),
    ("filtered_by_hand", Example((LOANS, extended("L1")), asked="Extend what is due in March.", tools=(tool("list_loans", member="string"),)), []),
    ("filtered_by_hand", Example((call("list_loans", LOAN_TEXT, due_from="2026-03-01"), extended("L1")), asked="Extend what is due in March.", tools=(tool("list_loans", due_from="string"),)), []),
    ("filtered_by_hand", Example((LOANS, extended("L1"), extended("L2"), extended("L3")), asked="Extend what is due in March.", tools=(tool("list_loans", due_from="string"),)), []),
    ("filtered_by_hand", Example((LOANS,), asked="Extend what is due in March.", tools=(tool("list_loans", due_from="string"),)), []),
    ("unresolved_name", Example((call("assign", "ok", to_email="sam@x.org"),)), []),
    ("unresolved_name", Example((call("assign", "ok", to_email="sam"),)), [0]),
    ("unresolved_name", Example((call("search_mail", "[]", from_email="sam"),)), []),
    ("unresolved_name", Example((call("assign", "ok", user_id="Sam Porter"),)), [0]),
    ("unresolved_name", Example((call("assign", "ok", user_id="sam_porter_77"),)), []),
    ("unresolved_name", Example((call("assign", "ok", to_email="sam.porter@x.org"),), asked="Give it to Sam.", tools=(tool("find_email_address"), tool("assign"))), [0]),
    ("unresolved_name", Example((call("find_email_address", "sam.porter@x.org"), call("assign", "ok", to_email="sam.porter@x.org")), asked="Give it to Sam."), []),
    ("unresolved_name", handed_on(), [2]),
    ("unresolved_name", handed_on(call("find_email_address", "cl@x.org", person="Carla Lopez")), []),  # she was asked about
    ("unresolved_name", handed_on(call("find_email_address", "cl@x.org", person="Carla")), []),
    ("unresolved_name", handed_on(call("find_email_address", "cm@x.org", person="Carla Muir")), [4]),  # a namesake
    ("unresolved_name", handed_on(asked="Give the leads that carla.l77@x.org has to Sam Porter."), []),  # no name to resolve
    ("unresolved_name", handed_on(filters={"status": "string"}), []),  # the tool takes no address
    ("unresolved_name", handed_on(taken="C1"), []),
    ("own_result_not_given", Example((thinks("All of them: 2487.10, without the last 1654.10."), says("1654.10")), fields={"expected_answer": "2487.10"}), []),
    ("own_result_not_given", Example((thinks("That makes 2487.10."), says("It is 2487.10, or 1654.10 without.")), fields={"expected_answer": "2487.10"}), []),
    ("own_result_not_given", Example((thinks("7 + 2 = 9"), says("8")), fields={"expected_answer": "9"}), []),  # one digit is chance
    ("own_result_not_given", Example((thinks("7 + 12 = 19."), says("18")), fields={"expected_answer": "19"}), [1]),
    ("own_result_not_given", Example((thinks("It is 2487.10."), says("$2,487.10")), fields={"expected_answer": "2487.10"}), []),
    ("own_result_not_given", Example((thinks("It is Paris."), says("(B)")), fields={"expected_answer": "Paris"}), []),
    ("repeats_itself", Example((says("So we add one. " * 40),)), [0]),
    ("repeats_itself", Example((says("Think. " + "No, wait. " * 30 + "Now I see: it is 7."),)), []),  # and found its way out
    ("repeats_itself", Example((says("Sum of all:\n" + "-" * 300),)), []),  # a rule
    ("repeats_itself", Example((says("ha " * 20),)), []),
    ("repeats_itself", Example((says("[" + "0, " * 200 + "0]"),)), []),  # a list that is closed
    ("repeats_itself", Example((says("!" * 400),)), []),  # noise of the engine
    ("repeats_itself", Example((says(GRID),)), []),  # the rows of a grid
    ("repeats_itself", Example((says(GRID + "\n0 0 0 0 0"),)), [0]),  # the last one breaks off
    ("repeats_itself", Example((says(GRID),), response=CUT), [0]),
    ("repeats_itself", Example((says(GRID),), fields={"finish_reason": "length"}), [0]),
    ("repeats_itself", Example((says(GRID),), response=CUT, fields={"expected_answer": GRID}), []),
    ("repeats_itself", Example((thinks(GRID),)), [0]),  # and no answer came
    ("repeats_itself", Example((says("The decimal goes on: 0." + "18" * 300),)), [0]),
    ("repeats_itself", Example((says("18" * 300),), fields={"expected_answer": "18"}), [0]),
    ("repeats_itself", Example((says("#### 7\n" + "Well done. " * 40),)), []),  # after the answer, and closed
    ("repeats_itself", Example((says("#### 7\n" + "Well done. " * 40 + "Well d"),)), [0]),
    ("working_departs", Example((says("16 - 3 = 13.\nAnswer: 13"),), fields={"expected_answer": "9"}), []),  # no worked solution
    ("arithmetic_slip", Example((says("12 + 30 = 42, and 42 + 5 = 47.\nAnswer: 47"),)), []),
    ("forbidden_use", Example((call("deactivate_user", "ok", user="U1"),), system="Do not use delete_user, use deactivate_user instead."), []),
    ("error_not_retried", Example((call("search_for_flights", "Error: no flights"), call("search_for_hotels", "2 hotels"))), [0]),
    ("wrong_format", Example((says("Therefore, the answer is 5."),), asked="2+3? End with a line 'Answer: <your answer>'."), [0]),
    ("wrong_format", Example((says("Easy.\n**Answer**: 5"),), asked="2+3? End with a line 'Answer: <your answer>'."), []),
    ("equal_alternative", booked("S-13"), [2]),
    ("equal_alternative", booked("S-13", asked="Book slot S-11, please."), []),
    ("equal_alternative", booked("S-12"), []),  # taken, and so no equal choice
    ("equal_alternative", booked("S-11"), []),
    ("equal_alternative", booked("S-13", listing='[{"slot": "S-11", "state": "free"}, {"slot": "S-13", "state": "free"}]'), [2]),
    ("equal_alternative", booked("S-13", listing='[{"slot": "S-11", "state": "free"}, {"slot": "S-13", "state": "held"}]'), []),
    ("limit_exceeded", Example((says("one two three four"),), asked="Answer in no more than 3 words."), [0]),
    ("limit_exceeded", Example((says("one two three"),), asked="Answer in no more than 3 words."), []),
    ("limit_exceeded", Example((says("one two three"),), asked="Answer in fewer than 3 words. Be brief."), []),  # no limit worth the name
    ("limit_exceeded", Example((says("one two three four"),), asked="Use fewer than 4 words."), [0]),
    ("limit_exceeded", Example((says("one two three four"),), asked="The poem was written in 3 words."), []),
    ("limit_exceeded", Example((call("save_label", "ok", id="L1", text="a long label of quite a few words"), says("Saved it for you, as you asked me to do.")), asked="Save a label of at most 8 words."), []),
    ("limit_exceeded", Example((call("save_label", "ok", id="L1", text="a long label of quite a few words"), says("Saved.")), asked="Save a label of at most 6 words."), [0]),
    ("wrong_format", Example((call("cancel_order", "ok", order_id="W1"), says("It is cancelled.")), asked="Cancel W1.", system="Put the answer to a question between <answer> and </answer>."), []),
    ("lookup_skipped", Example((call("set_depth", "ok", depth=3), call("list_slots", "at 10:30")), fields={"expected_calls": [{"name": "set_depth", "arguments": {"depth": 30}}]}), []),
    ("action_out_of_order", Example((call("set_status", "ok", status="closed"), call("cancel_order", "ok", order_id="W1")), asked="Cancel W1. Then close it.", fields={"expected_calls": [CANCEL, {"name": "set_status", "arguments": {"status": "closed"}}]}), []),
    ("action_out_of_order", Example((call("cancel_order", "ok", order_id="W1"), call("set_status", "ok", status="closed")), asked="Cancel W1. Only once that is out, close it.", fields={"expected_calls": [CANCEL, {"name": "set_status", "arguments": {"status": "closed"}}]}), []),
    ("forbidden_use", Example((call("purge_case", "ok", case="C1"),), system="Never call purge_case."), [0]),
    ("forbidden_use", Example((call("purge_case", "ok", case="C1"),), system="Never call purge_case before the case is closed."), []),
    ("forbidden_use", Example((call("final_answer", "ok", answer="7"),), system="Don't name a variable after a tool: don't name one 'final_answer'."), []),
    ("forbidden_use", Example((call("final_answer", "ok", answer="7"),), system="End with the final_answer tool, using it once. Never call final_answer."), []),
    ("forbidden_use", Example((call("purge_case", "ok", case="C1"),), system="`purge_case` is reserved for auditors."), [0]),
    ("forbidden_use", Example((call("book_slot", "ok", day="2026-08-18", override=False),), system="Do not set `override`."), []),
    ("forbidden_use", Example((call("book_slot", "Error: not allowed", day="2026-08-18", override=True),), system="Do not set `override`."), []),
    ("schema_example_used", Example((call("book_trial", "saved", day="2026-12-01"),), asked="Book it for 1 December 2026.", tools=(DAYS,)), []),
    ("schema_example_used", Example((call("book_trial", "saved", day="2026-09-26"),), asked="Book it for Saturday.", tools=(DAYS,)), []),
    ("schema_example_used", Example((call("book_trial", "saved", day="2026-12-01"),), asked="Book it for Saturday.", tools=(DAYS,)), [0]),
    ("schema_example_used", Example((call("set_level", "ok", level="grade 5"),), tools=(tool("set_level", level={"type": "string", "examples": ["grade 5"], "enum": ["grade 5", "grade 6"]}),)), []),
    ("schema_example_used", Example((call("set_wait", "ok", ms=5000),), tools=(tool("set_wait", ms={"type": "integer", "description": "in ms, default 5000, at most 5000"}),)), []),
    ("schema_example_used", Example((call("set_days", "ok", days=["2026-12-01"]),), tools=(tool("set_days", days={"type": "array", "items": {"type": "string", "examples": ["2026-12-01"]}}),)), [0]),
    ("consent_not_awaited", consented("Which postcode is that?", system="You need to confirm the customer's identity first."), []),
    ("consent_not_awaited", consented("Which postcode is that?", system="Orders stay pending until the payment is confirmed. Do not share data without permission."), []),
    ("consent_not_awaited", consented("I'll book it for the 23rd. Is that right?"), []),
    ("consent_not_awaited", consented("Which postcode is that?"), [2]),
    ("consent_not_awaited", consented("Which postcode is that?", system="Ask for the postcode."), []),
    ("hedged_answer", Example((says("Answer: 12:30 / 16:30"),), fields={"expected_answer": "12:30"}), [0]),
    ("hedged_answer", Example((says("Answer: 12:40 / 16:30"),), fields={"expected_answer": "12:30"}), []),
    ("hedged_answer", Example((says("Answer: tea or coffee"),), fields={"expected_answer": "tea or coffee"}), []),
    ("result_not_marked", Example((says("That comes to 40 mi, which is 64.4 km.\nAnswer: 40"),), fields={"expected_answer": "64.4"}), [0]),
    ("result_not_marked", Example((says("That comes to 40 mi.\nAnswer: 40"),), fields={"expected_answer": "64.4"}), []),
    ("result_not_marked", Example((says("It is 40 mi, or 64.4 km by the map, which is wrong.\nAnswer: 40"),), fields={"expected_answer": "64.4"}), []),
    ("forbidden_said", Example((says("Noor Haddad has a garden bin."),), fields={"expected": {"must_not_mention": ["garden bin"]}}), [0]),
    ("forbidden_said", Example((says("That is non-refundable."),), fields={"expected": {"must_not_mention": ["refund"]}}), []),
    ("forbidden_in_word", Example((says("That is non-refundable."),), fields={"expected": {"must_not_mention": ["refund"]}}), [0]),
    ("forbidden_said", Example((says("We refunded the order."),), fields={"expected": {"must_not_mention": ["refund"]}}), [0]),
    ("forbidden_in_word", Example((says("We do issue refunds for this."),), fields={"expected": {"must_not_mention": ["refund"]}}), []),
    ("forbidden_in_word", Example((says("It is refundable."),), fields={"expected": {"must_not_mention": ["refund"]}}), []),  # what begins with it may mean it
    ("forbidden_in_word", Example((says("You get a refund, though it is non-refundable."),), fields={"expected": {"must_not_mention": ["refund"]}}), []),
]  # fmt: skip
