"""What detectors of broken data, infrastructure and verifiers must find, and the look-alikes that they must not: (code, rollout, steps of the evidence)."""

from dataclasses import replace

from blade.signals.example import Example, call, says, tool, user

ORDER = '{"status": "open"}'
CUT = {"incomplete_details": {"reason": "max_output_tokens"}}


def refund(answer="validated only, nothing was changed", **flags):
    return call("create_refund", answer, order_id="W1", **flags)


ASCII_ONLY = "UnicodeEncodeError: 'ascii' codec can't encode character"
LOST = "FileNotFoundError: [Errno 2] No such file or directory: 'golden/report.csv'"


def with_tests(message, *happened, asked="Write the report to out/report.csv.", status="failed"):
    tests = [{"name": "test_a", "status": "passed"}, {"name": "test_b", "status": status, "message": message}]
    return Example((call("bash", "ok", command="make all"), *happened), asked=asked, fields={"test_results": tests})


def all_timed_out(*happened):
    checks = [{"name": name, "status": "failed", "message": "TimeoutError (limit 30 s)"} for name in ("calls", "answer")]
    return Example((*happened, says("Done.")), fields={"test_results": checks})


def closing_claim(expected, given, shown="CL-00000000"):
    """A claim that is closed, where another one is expected, with a tool whose description shows one."""
    return Example(
        (call("close_claim", "ok", claim_ref=given),),
        asked="Close the claim of Ann.",
        tools=(tool("close_claim", claim_ref={"type": "string", "description": f"Its reference, e.g. {shown}"}),),
        fields={"expected_calls": [{"name": "close_claim", "arguments": {"claim_ref": expected}}]},
    )


COPPERAS = {"expected_answer": "B", "options": ["potassium nitrate", "iron(II) sulfate", "calcium oxide"]}
COPPERAS_ASKED = Example((says("Iron"),), asked="Which of these is copperas? Answer with its letter.", fields=COPPERAS)


def _with_part(part):
    """The same question with one more part in its message."""
    content = [{"type": "input_text", "text": COPPERAS_ASKED.asked}, part]
    return replace(COPPERAS_ASKED, params={"input": [{"type": "message", "role": "user", "content": content}]})


NO_TOKENS = {"usage": {"input_tokens": 0, "output_tokens": 0, "total_tokens": 0}}
ADDED = "diff --git a/NOTES.md b/NOTES.md\nnew file mode 100644\n--- /dev/null\n+++ b/NOTES.md\n@@ -0,0 +1 @@\n+x\n"
EDITED = "diff --git a/a.py b/a.py\nindex 1..2 100644\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x\n+y\n"
NEXT_CALL = "You are a coding agent. Choose the single next tool call."
CANCEL = {"expected_calls": [{"name": "cancel_order", "arguments": {"order_id": "W1"}}]}
HAND_OVER = {"expected_calls": [{"name": "transfer_to_human_agents", "arguments": {"summary": "locked"}}]}
CASES = [
    ("options_not_shown", Example((says("Iron"),), asked="Which of these is copperas?\nA. potassium nitrate\nB. iron(II) sulfate\nC. calcium oxide", fields=COPPERAS), []),
    ("options_not_shown", COPPERAS_ASKED, [None]),
    ("options_not_shown", _with_part({"type": "input_text", "text": "Please be brief."}), [None]),
    ("options_not_shown", _with_part({"type": "input_image", "image_url": "data:image/png;base64,AAAA"}), []),
    ("options_not_shown", _with_part({"type": "image_url", "image_url": {"url": "https://x.example/1.png"}}), []),
    ("options_not_shown", _with_part({"type": "input_file", "file_id": "f-1"}), []),
    ("options_not_shown", replace(COPPERAS_ASKED, fields=COPPERAS | {"image": "1.png"}), []),
    ("options_not_shown", replace(COPPERAS_ASKED, happened=(call("open_quiz", '{"A": "Potassium nitrate", "B": "iron(II) sulfate"}'), says("B"))), []),
    ("options_not_shown", replace(COPPERAS_ASKED, happened=(call("open_quiz", '{"error": "closed"}'), says("B"))), [None]),
    ("options_not_shown", Example((says("Iron"),), asked="What is copperas?", fields=COPPERAS), []),
    ("message_unclosed", Example((says("I have put the order on record for you."),), asked="Move it."), []),
    # DA
    ("prompt_unfinished", Example(asked='Please book the studio for Sunday, with "choosing pictures" as the purpose. Thanks, Rafael Iversen'), []),
    ("prompt_unfinished", Example(asked="Please help. Book the studio for the meeting with Rafael Iversen and his design team fro"), [None]),
    ("unusable_gold", Example((says("Fabaceae"),), fields={"question": "Which family?", "answer": "TODO"}), [None]),
    ("empty_prompt", Example((says("?"),), asked="  "), [-1]),
    ("empty_prompt", Example((says("?"),), asked="", system="You are helpful."), []),
    ("empty_prompt", Example((says("?"),), asked="Hi"), []),
    ("empty_prompt", Example((says("?"), user("hello")), asked=" "), []),
    ("gold_in_prompt", Example(asked="Name the town. Expected answer: Tromsø", fields={"expected_answer": "Tromsø"}), [-1]),
    ("gold_in_prompt", Example(asked="Ann lives in Tromsø. Where does Ann live?", fields={"expected_answer": "Tromsø"}), []),
    ("gold_in_prompt", Example(asked="The correct answer is A, B or C.", fields={"expected_answer": "A"}), []),
    ("gold_in_prompt", Example(asked="The final answer is yes or no.", fields={"expected_answer": "yes"}), []),
    ("gold_in_prompt", Example(asked="Correct answer: 12345", fields={"expected_answer": "1234"}), []),
    ("prompt_cut", Example(asked="Please send the signed contract to Ms Weber and a copy of it to the"), [None]),
    ("prompt_cut", Example(asked="Please send the signed contract to Ms Weber and a copy of it to the office."), []),
    ("prompt_cut", Example(asked="Sort these words: of, and, the"), []),
    ("prompt_unfinished", Example(asked="Hello. Please send the signed contract to Ms Web"), [None]),
    ("prompt_unfinished", Example(asked="Hello. Please send the signed contract to Ms Weber."), []),
    ("prompt_unfinished", Example(asked="Find the sum.\n0 <= processors.length <= 10 and n == 4 * m"), []),
    ("prompt_damaged", Example(asked="Dear {{customer}}, please confirm."), [None]),
    ("prompt_damaged", Example(asked="Das MÃ¤dchen hÃ¶rt gerne Musik und spielt FlÃ¶te."), [None]),
    ("prompt_damaged", Example(asked="What does `{{ name }}` print in a Jinja template?"), []),
    ("list_abridged", Example(asked="Set the menu:\n* onion soup\n* trout\n... 1 more"), []),  # nothing is expected that it lacks
    ("material_missing", Example(asked="What is the mean of the values in the table below?"), [None]),
    ("material_missing", Example(asked="Which of the following is prime?\nA. 4\nB. 7\nC. 9"), []),
    ("material_missing", Example(asked="Which of the following is prime: 4, 7 or 9?"), []),
    ("prompt_differs", Example(asked="Convert 104 degrees Fahrenheit.", fields={"question": "Which river flows through Vienna and Budapest?"}), [None]),
    ("prompt_differs", Example(asked="Q: Which river flows through Vienna and Budapest today?", fields={"question": "Which river flows through Vienna and Budapest?"}), []),
    ("prompt_questioned", Example((says("The earlier part of this conversation is missing, so I have no amount."),), asked="Do the same."), [0]),
    ("prompt_questioned", Example((says("You write the same, but nothing before it tells me what."),), asked="Do the same."), [0]),
    ("prompt_questioned", Example((says("Your request does not say which lease is meant."),), asked="End the lease."), [0]),
    ("prompt_questioned", Example((says("I have not sent the email, because the address is unknown."),), asked="Write to Ann."), []),
    ("prompt_questioned", Example((says("The first request was not approved; the second was."),), asked="What became of them?"), []),
    ("prompt_questioned", Example((says("Unanswerable: the passage does not mention any king."),), asked="Which king? The town lies on a river."), []),
    ("prompt_questioned", Example((says("The message is not spam."),), asked="Is this spam? Dear Ann, see you soon. Label:"), []),
    ("prompt_questioned", Example((says("There is no list in your message."),), asked="Order these tests:", tools=(tool("order_tests"),)), [0]),
    ("prompt_questioned", Example((says("The statement says how much is due: 12.50, as it did last month."),), asked="How much?"), []),
    ("prompt_questioned", Example((says("I don't see a table in your message."),)), [0]),
    ("prompt_questioned", Example((says("I can't tell what the charge is for from this ticket alone."),), asked="Charge Ann too."), [0]),
    ("prompt_questioned", Example((says("An earlier note must have said which ones, and that one is not here."),), asked="Do the same."), [0]),
    ("prompt_questioned", Example((says("It refers to something that I do not have."),), asked="Do the same."), [0]),
    ("prompt_questioned", Example((says("The slip does not say for whom it is."),), asked="Book table 4."), [0]),
    ("prompt_questioned", Example((says("The list that you refer to is missing."),), asked="Enter the hops of Hazel, see the hop bill below, and start it."), [0]),
    ("prompt_questioned", Example((says("Values below the limit are not on the list."),), asked="Which ones lie below?"), []),
    ("prompt_questioned", Example((says("There is no earlier message here. Which one do you mean?"),), asked="Yes, go ahead."), [0]),
    ("prompt_questioned", Example((says("Nothing came before this message on my side."),), asked="Yes, go ahead."), [0]),
    ("prompt_questioned", Example((says("There is no previous order of Ann's."),), asked="What did Ann order last?"), []),
    ("prompt_questioned", Example((says("Nothing is due before Monday."),), asked="What is due?"), []),
    ("prompt_questioned", Example((says("Nothing was booked."),), asked="Same again, please.", tools=(tool("book_table"),)), [0]),
    ("prompt_questioned", Example((says("The previous test was not slow."),), asked="Was it slow?"), []),
    ("gold_is_example", closing_claim("CL-00000000", "CL-84995183"), [None]),
    ("gold_is_example", closing_claim("CL-00000000", "CL-00000000"), []),
    ("gold_is_example", closing_claim("CL-12345678", "CL-84995183"), []),  # not the example
    ("gold_is_example", closing_claim("CL-55512903", "CL-84995183", shown="CL-55512903"), []),  # it may be a record's
    ("material_of_another", Example(asked="Pay what is on the list of invoice 2041.\n\nInvoice 2044:\n- desk\n- chair"), [None]),
    ("material_of_another", Example(asked="Pay what is on the list of invoice 2041.\n\nInvoice 2041:\n- desk\n- chair"), []),
    ("material_of_another", Example(asked="Set the crops of Church Furlong.\n\nParson's Croft - mixture\n1. peas\n2. oats"), [None]),
    ("material_of_another", Example(asked="Set what is below for the Heron Suite.\n\nMeadow Suite:\n* kettle\n* desk lamp"), [None]),
    ("material_of_another", Example(asked="Set what is below for the Heron Suite.\n\nHeron Suite:\n* kettle\n* desk lamp"), []),
    ("material_of_another", Example(asked="Set the crops of the Rota List.\n\nShopping List:\n* kettle\n* desk lamp"), []),
    ("material_of_another", Example(asked="Set the crops of Church Furlong.\n\nShopping List\n1. peas\n2. oats"), []),
    ("material_of_another", Example(asked="Set the tags of the Nerium from below.\n\nTags, Sorbus aucuparia:\n* edible\n* native"), [None]),
    ("material_of_another", Example(asked="Set the tags of the Nerium from below.\n\nTags, Nerium oleander:\n* edible\n* native"), []),
    ("material_of_another", Example(asked="Set the tags of the Nerium from below.\n\nTags, all of them:\n* edible\n* native"), []),
    ("material_of_another", Example(asked="Is the string English? We may swap two of its letters.\n\nExplanation: We may swap letters:\n- a and b\n- b and c"), []),
    ("material_of_another", Example(asked="Set the tags of the Nerium as Ann Lee has them.\n\nTags, Sorbus:\n* edible\n* native"), []),  # of whom?
    ("material_of_another", Example(asked="Give Batch Hazel the hops of Batch Rowan.\n\nBatch Rowan\n- Cascade\n- Saaz"), []),
    ("material_of_another", Example(asked="Is Table 1 right?\nTable 2\n- a\n- b\nTable 3\n- c\n- d"), []),
    ("prompt_continues", Example(asked="Ann gets the same goods. Make it valid too.", tools=(tool("set_goods"),)), [None]),
    ("prompt_continues", Example(asked="And Ann pays 57.50 for the same thing.", tools=(tool("charge"),)), [None]),
    ("prompt_continues", Example(asked="OK, agreed. Please put it through the way you described it.", tools=(tool("book"),)), [None]),
    ("prompt_continues", Example(asked="And for the other one that I mentioned?", tools=(tool("book"),)), [None]),
    ("prompt_continues", Example(asked="Same question again for the one from my first message.", tools=(tool("book"),)), [None]),
    ("prompt_continues", Example(asked="No, not that one, the one before it. What would it be there?", tools=(tool("book"),)), [None]),
    ("prompt_continues", Example(asked="Book Ann a table, as you said is possible: " + "for eight people, in the garden, under the tree, at noon, " * 2, tools=(tool("book"),)), []),
    ("prompt_continues", Example(asked="Send Ann the invoice that we described to her.", tools=(tool("book"),)), []),
    ("prompt_continues", Example(asked="Cancel the order of Ann and do the same for Ben.", tools=(tool("cancel"),)), []),
    ("prompt_continues", Example(asked="Give Ann the same seat as Ben.", tools=(tool("seat"),)), []),
    ("prompt_continues", Example(asked="Ann has goods A and B. Ben gets the same goods.", tools=(tool("set_goods"),)), []),
    ("prompt_continues", Example(asked="Two trains leave at the same speed. When do they meet?"), []),
    ("instructions_questioned", Example((says("You ask for the answer in two forms that exclude each other; I take the last. [[145]]"),)), [0]),
    ("instructions_questioned", Example((says("The instructions are contradictory, so I went by the first one."),)), [0]),
    ("instructions_questioned", Example((says("The text and the last line differ on the form; I go by the text."),)), [0]),
    ("instructions_questioned", Example((says("The two witnesses contradict each other."),)), []),
    ("instructions_questioned", Example((says("The first line of the poem differs from the last."),)), []),
    ("prompt_questioned", Example((says("No document was provided, so I cannot answer."),)), [0]),
    ("prompt_questioned", Example((says("I could not find the customer in the list."),)), []),
    ("prompt_questioned", Example((call("cancel_order", "ok", id=1), says("Your message breaks off, so I cancelled it."))), []),
    ("ambiguous_options", Example(fields={"expected_answer": "A", "options": ["1/2", "0.3", "0.5"]}), [None]),
    ("ambiguous_options", Example(asked="Which?\nA. red\nB. green\nC. Red", fields={"expected_answer": "C"}), [None]),
    ("ambiguous_options", Example(fields={"expected_answer": "B", "options": ["red", "green", "Red"]}), []),
    ("unusable_gold", Example(fields={"expected_answer": "???"}), [None]),
    ("unusable_gold", Example(fields={"expected_answer": "<answer>"}), [None]),
    ("unusable_gold", Example(fields={"expected_answer": "no"}), []),
    ("unusable_gold", Example(fields={"ground_truth": [{"name": "pay", "arguments": '{"amount": NaN}'}]}), [None]),
    ("unusable_gold", Example(fields={"expected_calls": [{"name": "pay", "arguments": {"to": "#N/A"}}]}), [None]),
    ("unusable_gold", Example(fields={"expected_calls": [{"name": "add_task", "arguments": {"title": "TBD"}}]}, asked="Add a task called TBD."), []),
    ("unusable_gold", Example(fields={"expected_calls": [{"name": "add_task", "arguments": {"title": "to do", "note": None}}]}), []),
    ("values_not_asked", Example(asked="For Ann Lee, 12 nights.", fields={"template_values": {"guest": "Ann Lee", "nights": 12}}), []),
    ("values_not_asked", Example(asked="For Ann Lee.", fields={"template_values": {"guest": "Ann Lee", "tone": "formal", "level": "hard"}}), []),
    ("trial_only", Example((refund(dry_run=True), refund())), []),
    ("trial_only", Example((refund(), refund(dry_run=True))), [2]),
    ("trial_only", Example((refund(dry_run=False),)), []),
    ("trial_only", Example((refund("created", trial=True),)), []),  # a trial period
    ("action_extra", Example((refund(dry_run=True), refund("ok")), fields={"expected_calls": [{"name": "create_refund", "arguments": {"order_id": "W1"}}]}), []),
    ("trial_only", Example((refund(dry_run=True),), asked="Do a dry run of the refund."), []),
    ("trial_only", Example((refund(dry_run=True),), fields={"expected_calls": [{"name": "create_refund", "arguments": {"order_id": "W1", "dry_run": True}}]}), []),
    ("trial_only", Example((refund("awaiting confirmation", confirm=False),)), [0]),
    ("trial_only", Example((refund("refund created", confirm=False),)), []),
    ("contradictory_gold", Example(fields={"expected_answer": "B", "options": ["red", "green"]}), []),
    ("contradictory_gold", Example(fields={"expected_answer": "D", "options": {"A": "red", "B": "green"}}), [None]),
    ("contradictory_gold", Example(fields={"expected_answer": "Z", "options": ["X", "Y", "Z"]}), []),
    ("contradictory_gold", Example(fields={"expected_answer": "C", "options": [{"A": "red"}, {"B": "green"}]}), [None]),
    ("contradictory_gold", Example(fields={"expected_answer": "A", "options": {"A": "red", "B": "green"}, "answer_text": "Green."}), [None]),
    ("contradictory_gold", Example(fields={"expected_answer": "B", "options": {"A": "red", "B": "green"}, "answer_text": "green"}), []),
    ("contradictory_gold", Example(fields={"expected_answer": "A", "options": ["red", "green", "blue"], "correct_option": "C"}), [None]),
    ("contradictory_gold", Example(fields={"expected_answer": "A", "options": ["red", "green", "blue"], "answer_index": 2}), [None]),
    ("contradictory_gold", Example(fields={"expected_answer": "B", "options": ["red", "green", "blue"], "answer_index": 2}), []),  # counted from 1
    ("contradictory_gold", Example(fields={"expected_answer": "A", "options": ["red", "green"], "model_answer": "green"}), []),
    ("contradictory_gold", Example(fields={"expected_answer": "A", "options": ["red", "green"], "rationale": "Rust is red."}), []),
    ("contradictory_gold", Example(fields={"reference_answer": "F", "options": {"A": "red", "B": "green"}}), [None]),
    ("contradictory_gold", Example(fields={"gold": "D", "choices": [{"label": "A", "text": "red"}, {"label": "B", "text": "green"}]}), [None]),
    ("contradictory_gold", Example(fields={"gold": "B", "choices": [{"label": "A", "text": "red"}, {"label": "B", "text": "green"}]}), []),
    ("contradictory_gold", Example(fields={"expected_answer": "E", "choices": {"label": ["A", "B"], "text": ["red", "green"]}}), [None]),
    ("contradictory_gold", Example(fields={"expected_answer": "B", "choices": {"label": ["A", "B"], "text": ["red", "green"]}}), []),
    ("contradictory_gold", Example(fields={"expected_answer": "D", "options": ["A. red", "B. green", "C. blue"]}), [None]),
    ("contradictory_gold", Example(fields={"expected_answer": "E", "option_a": "red", "option_b": "green", "option_c": "blue"}), [None]),
    ("contradictory_gold", Example(fields={"expected_answer": "E", "metadata": {"options": ["red", "green"]}}), [None]),
    ("contradictory_gold", Example(fields={"ideal": "B", "answer_choices": {"A": "red", "B": "green", "C": "blue"}, "worked_solution": "green"}), []),
    ("contradictory_gold", Example(asked="Which?\n(A) red\n(B) green\n(C) blue", fields={"ideal": "B", "shown": {"A": "red", "B": "green", "C": "blue"}, "worked_solution": "blue"}), [None]),
    ("contradictory_gold", Example(asked="Which? A: red; B: green; C: blue", fields={"ideal": "B", "shown": ["red", "green", "blue"], "worked_solution": "blue"}), [None]),
    ("contradictory_gold", Example(asked="Which colour?", fields={"ideal": "B", "shown": ["red", "green", "blue"], "worked_solution": "blue"}), []),
    ("contradictory_gold", Example(fields={"expected_answer": "9", "options": ["red", "green"]}), [None]),
    ("contradictory_gold", Example(fields={"expected_answer": "1", "options": ["red", "green"]}), []),  # an index
    ("contradictory_gold", Example(fields={"expected_answer": "9", "options": ["7", "9"]}), []),
    ("contradictory_gold", Example(fields={"expected_answer": "purple", "options": ["red", "green"]}), [None]),
    ("contradictory_gold", Example(fields={"expected_answer": "both of them", "options": ["red", "green"]}), []),
    ("contradictory_gold", Example(asked="Red, green or purple?", fields={"expected_answer": "purple", "options": ["red", "green"]}), []),
    ("contradictory_gold", Example(fields={"expected_answer": "AC", "options": ["red", "green", "blue"]}), []),  # two are right
    ("contradictory_gold", Example(asked="Which? A: red  B: green  C: blue", fields={"expected_answer": "E"}), [None]),
    ("contradictory_gold", Example(asked="Which?\n(A) red\n(B) green\n(C) blue", fields={"expected_answer": "C"}), []),
    ("contradictory_gold", Example(asked="Plan A. and plan B. were tried.", fields={"expected_answer": "C"}), []),
    ("contradictory_gold", Example(asked="A) red B) green C) none", fields={"expected_answer": "C", "options": ["red", "green"]}), []),
    # IR
    ("server_error", Example((call("get", "503 Service Unavailable"),)), [1]),
    ("server_error", Example((call("get", ORDER), says("We saw 503 errors: Service Unavailable."))), []),
    ("server_error", Example((user("I got: 503 Service Unavailable, what now?"),)), []),
    ("connection_failed", Example(fields={"error": "litellm.APIConnectionError: Connection reset by peer"}), [None]),
    ("connection_failed", Example(fields={"error": None, "traceback": None}), []),
    ("connection_failed", Example(response={"error": {"code": "x", "message": "Connection refused"}}), [None]),
    ("service_timeout", Example(fields={"agent_timed_out": True}), [None]),
    ("service_timeout", Example(fields={"agent_timed_out": False}), []),
    ("service_timeout", Example(fields={"_ng_failure_class": "timeout_exceeded"}), [None]),
    ("quota_exhausted", Example((call("pay", "Error: billing address not found"),)), []),
    ("missing_command", Example((call("bash", "see the section: command not found"),)), []),
    ("rollout_error", Example(fields={"error": "something odd"}), [None]),
    ("rollout_error", Example(fields={"error": "none"}), []),
    ("rollout_error", Example(fields={"_ng_failure_class": "skipped"}), []),
    ("rollout_error", Example(fields={"result": {"termination_reason": "infrastructure_error"}}), [None]),
    ("rollout_error", Example(fields={"result": {"termination_reason": "user_stop"}}), []),
    ("judge_failed", Example(fields={"_ng_failure_class": "judge_failed"}), [None]),
    ("judge_failed", Example(fields={"judge_error": None, "invalid_judge_response": False}), []),
    ("empty_completion", Example((says(""),), response={"usage": {"output_tokens": 0}}), [0]),
    ("empty_completion", Example((says("42"),), response={"usage": {"output_tokens": 0}}), []),
    ("empty_completion", Example(), []),
    ("empty_completion", Example(response={"usage": {"output_tokens": 0}}, fields={"model_patch": "diff"}), []),
    ("window_too_small", Example(fields={"error": "The decoder prompt (length 3187) is longer than the maximum model length of 1024."}, asked="Read this. " * 400), [None]),
    ("window_too_small", Example(fields={"error": "maximum context length is 131072, your messages resulted in 131090 tokens"}, asked="Fix the bug."), []),
    ("window_too_small", Example(fields={"error": "Error code: 400 - context_length_exceeded"}, asked="Read this. " * 400), []),
    ("window_too_small", Example((says("Let me see."),), fields={"error": "maximum context length is 1024 tokens, you sent 3187"}), []),
    ("window_too_small", Example(fields={"context_length_exceeded_error": 1}), []),  # what was done before may not be recorded
    ("user_simulator_failed", Example((says("Which postcode?"), user("<<user turn unavailable: HTTP 500 from persona model>>"))), [1]),
    ("user_simulator_failed", Example((says("What is wrong?"), user("Your site shows a server error 500 whenever I click."))), []),
    ("user_simulator_failed", Example((says("Which postcode?"), user("TP8 2QD"))), []),
    ("empty_completion", Example((says(""),), fields={"model_patch": ADDED}, response=NO_TOKENS), [0]),
    ("empty_completion", Example((says(""),), fields={"model_patch": ADDED + EDITED}, response=NO_TOKENS), []),
    ("empty_completion", Example((says(""),), fields={"model_patch": ADDED}, response={"usage": {"output_tokens": 0}}), []),
    ("empty_completion", Example((), fields={"model_patch": ADDED}, response=NO_TOKENS), []),
    ("empty_completion", Example((says("Done."),), fields={"model_patch": ADDED}, response=NO_TOKENS), []),
    ("tools_undeclared", Example((says("I would run it."),), system=NEXT_CALL), [0]),
    ("tools_undeclared", Example((says("I would run it."),), system=NEXT_CALL, tools=(tool("bash"),)), []),
    ("tools_undeclared", Example((call("bash", "ok"), says("Done.")), system=NEXT_CALL), []),
    ("tools_undeclared", Example((says("I would run it."),), system=NEXT_CALL + " Write it as <tool_call>.</tool_call>"), []),
    ("tools_undeclared", Example((says("I would open it."),), system=NEXT_CALL, asked="`total(values)` returns None. Mend it."), [0]),
    ("tools_undeclared", Example((says("I would open it."),), system=NEXT_CALL + " The tools are bash(cmd) and read(path)."), []),
    ("tools_undeclared", Example((says("Which id?"), user("u7")), system=NEXT_CALL), []),
    ("tools_undeclared", Example((says("I would run it."),), system="You should make at most one tool call at a time."), []),
    ("tools_undeclared", Example((says("I would run it."),), system="Explain what a tool call is."), []),
    ("user_left", Example((), asked="###STOP###"), [-1]),
    ("user_left", Example((), asked="Please stop my order. ###STOP"), []),
    ("user_left", Example((says("Shall I send $50?"), user("Sure, but is there anyone else I can speak to?###TRANSFER###")), fields=CANCEL), []),
    ("user_left", Example((says("Which id?"), user("It is u7. Please go ahead.###TRANSFER###")), fields=CANCEL), [1]),
    ("user_left", Example((says("Which id?"), user("It is u7. Please go ahead.")), fields=CANCEL), []),
    ("user_left", Example((says("Which id?"), user("###TRANSFER###")), fields=CANCEL), []),
    ("user_left", Example((says("That is all done."), user("Thank you very much. ###STOP###")), fields=CANCEL), []),
    ("user_left", Example((says("I can transfer you to a human agent. Would you like that?"), user("Yes, please do. ###TRANSFER###")), fields=CANCEL), []),
    ("user_left", Example((says("Shall I transfer you?"), user("Yes, please do. ###TRANSFER###")), fields=HAND_OVER), []),
    ("user_left", Example((says("Which id?"), user("It is u7. Please go ahead.###TRANSFER###")), fields={"expected_calls": []}), []),
    ("user_left", Example((call("transfer_to_human_agents", "done"), says("One moment."), user("Thank you for that. ###TRANSFER###")), fields=CANCEL), []),
    ("user_left", Example((call("refund_order", "done", order_id="W1"), says("Anything else?"), user("The rest as well. ###TRANSFER###")), fields=CANCEL), []),
    ("user_simulator_failed", Example((says("What is wrong?"), user("I get a ConnectionError when I open the app, then HTTP 503."))), []),
    ("user_simulator_failed", Example((call("bash"), user("<returncode>1</returncode>\nrequests.exceptions.ConnectionError: Max retries exceeded"))), []),
    ("prompt_questioned", Example((says("Your postcode?"), user("TP6 5QD"), says("I don't see any list here.")), asked="Please collect the things in the list below on Saturday."), [2]),
    ("prompt_questioned", Example((says("Your postcode?"), user("TP6 5QD"), says("Your request is incomplete: which order is it?")), asked="Please cancel my order."), []),
    ("garbled_output", Example((says("!" * 20),)), []),
    ("message_broken_off", Example((says("I have moved your reservation to Saturday."),), asked="Move my reservation."), []),
    ("cut_below_limit", Example((says("So it is"),), response={**CUT, "usage": {"output_tokens": 1190}}, params={"max_output_tokens": 1200}), []),
    ("cut_below_limit", Example((says("So it is"),), response={**CUT, "usage": {"input_tokens": 30_000, "output_tokens": 2_768}}, params={"max_output_tokens": 16_384}), []),
    ("cut_below_limit", Example((says("So it is"),), response={**CUT, "usage": {"output_tokens": 16}}), []),  # nobody says what was allowed
    ("tools_withheld", Example((says("Your order is on its way."),), tools=(tool("find"),), response={"tools": []}), []),
    ("tools_withheld", Example((says("I have no tools for that."),), tools=(tool("find"),)), []),  # the response does not say
    ("call_not_parsed", Example((says("I will call find with id A1."),), tools=(tool("find"),)), []),
    ("request_reversed", Example(asked="If over 27000 km have been driven, a full service.", fields={"solution": "28257 km is over 27000 km."}), []),
    ("request_reversed", Example(asked="Between more than 500 and less than 900 of them?", fields={"solution": "It is under 500, so none."}), []),
    ("request_reversed", Example(asked="Shipping is free for orders over 100 dollars, else it costs 5. My basket is 80.", fields={"solution": "80 is less than 100, so shipping costs 5: 85."}), []),
    ("request_reversed", Example(asked="Less than 500 or over 500?", fields={"solution": "It is over 500."}), []),  # the request has both
    ("gold_of_other_kind", Example(asked="Which ISO week is it in? Number only.", fields={"expected_answer": "45"}), []),
    ("gold_of_other_kind", Example(asked="Which ISO week is it in? Number only.", fields={"expected_answer": "none"}), []),
    ("gold_of_other_kind", Example(asked="'Age is just a number', who sang it?", fields={"expected_answer": "Aaliyah"}), []),
    ("gold_of_other_kind", Example(asked="How many? Number only.", fields={"expected_answer": "fifteen"}), []),
    ("gold_of_other_kind", Example(asked="Where does the train go to?", fields={"expected_answer": "Aix-en-Provence"}), []),
    ("gold_beside", Example((call("list_pilots", '[{"licence": "0761", "name": "Ann Lee"}, {"licence": "0807", "name": "Bo Ray"}]'), call("order_pilot", "ok", licence="0761")), asked="Order Ann Lee, or Bo Ray.", fields={"expected_calls": [{"name": "order_pilot", "arguments": {"licence": "0807"}}]}), []),
    ("prompt_damaged", Example(asked='Set the year of the show.",""\n186,"Just for Friday: start it at 12:40.'), [None]),
    ("prompt_damaged", Example(asked='Which is best?\nid,review\n1,"Great product."\n2,"Awful quality."\n3,"Fine."'), []),
    ("prompt_damaged", Example(asked='Read this table.\nid,name\n1,"Ann"\n2,"Bo"\nWho is first?'), []),
    ("other_expectation", Example((says("1"),), fields={"case": {"expected": "1"}, "eval_result": {"passed": True, "expected": "1"}}), []),
    ("other_expectation", Example((says("Lyon"),), fields={"case": {"expected": "Paris"}, "result": {"passed": False, "expected": "paris"}}), []),
    ("other_expectation", Example((says("9"),), fields={"case": {"expected": "1 2 3 4 5"}, "result": {"passed": False, "expected": "1 2 3..."}}), []),
    ("other_expectation", Example((says("1"),), fields={"case": {"expected": "1"}, "notes": {"expected": "soon"}}), []),  # nobody judged there
    ("program_not_taken", Example((says("```python\nprint(1)\n```"),), fields={"code": "print(1)"}), []),
    ("content_filtered", Example(response=CUT), []),
    # TI
    ("verifier_error", Example(fields={"evaluation_error": "SympifyError"}), [None]),
    ("verifier_error", Example(fields={"eval_timed_out": True}), [None]),
    ("verifier_error", Example((says("It is café."),), fields={"exception": ASCII_ONLY}), [None]),
    ("rollout_error", Example((says("It is café."),), fields={"exception": ASCII_ONLY}), []),
    ("verifier_error", Example((call("look_up", "ok", id="A1"),), fields={"exception": ASCII_ONLY}), []),
    ("rollout_error", Example((call("look_up", "ok", id="A1"),), fields={"exception": ASCII_ONLY}), [1]),
    ("verifier_error", Example((says("It is 7."),), fields={"error": "RuntimeError: environment went away"}), []),
    ("verifier_error", Example(fields={"evaluation_completed": False}), []),
    ("judging_unfinished", Example(fields={"evaluation_completed": False, "evaluation_error": "SympifyError"}), []),
    ("judging_unfinished", Example(fields={"evaluation_completed": True, "task_completed": False}), []),
    ("verifier_error", Example(fields={"evaluation_completed": True, "task_completed": False}), []),
    ("verifier_error", Example(fields={"evaluation_error": None, "eval_timed_out": False, "word_error_rate": 0.2}), []),
    ("answer_not_extracted", Example((says("So \\boxed{12}."),), fields={"expected_answer": "12", "extracted_answer": None}), [0]),
    ("answer_not_extracted", Example((says("It is Paris"),), fields={"expected_answer": "Paris", "extracted_answer": ""}), [0]),
    ("answer_not_extracted", Example((says("It is Paris"),), fields={"expected_answer": "Paris", "extracted_answer": "Rome"}), []),
    ("answer_not_extracted", Example((says("It is joint 8"),), fields={"expected_answer": "8", "extracted_answer": None}), [0]),
    ("answer_not_extracted", Example((says("It is not joint 8"),), fields={"expected_answer": "8", "extracted_answer": None}), []),
    ("answer_not_extracted", Example((says("It is joint 18"),), fields={"expected_answer": "8", "extracted_answer": None}), []),
    ("answer_not_extracted", Example((says("B or C, then A"),), fields={"expected_answer": "A", "extracted_answer": None}), []),
    ("answer_not_extracted", Example((says("1284.75"),), fields={"expected_answer": "1284", "extracted_answer": None}), []),
    ("check_broken", with_tests(LOST.replace("report.csv", "expected.csv")), [None]),
    ("check_broken", Example((says("Done."),), fields={"checks": [{"name": "stock", "passed": False, "left": 77.30000000000001, "right": 77.3}]}), [None]),
    ("check_broken", Example((says("Done."),), fields={"checks": [{"name": "stock", "passed": False, "left": 77.31, "right": 77.3}]}), []),
    ("check_broken", with_tests(LOST), []),  # a file of that name is what was asked for
    ("check_broken", with_tests("sha256sum: /snap/manifest.sha256: No such file or directory"), [None]),
    ("check_broken", with_tests("E   fixture 'golden_db' not found"), [None]),
    ("check_broken", with_tests("ModuleNotFoundError: No module named 'hypothesis'"), [None]),
    ("check_broken", with_tests("ModuleNotFoundError: No module named 'toolkit.rank'", asked="Write toolkit/rank.py"), []),
    ("check_broken", with_tests("bash: jq: command not found"), [None]),
    ("check_broken", with_tests("bash: jq: command not found", call("bash", "bash: jq: command not found", command="jq . a")), []),
    ("check_broken", with_tests("unexpected file /tmp/.cache17"), [None]),
    ("check_broken", with_tests("unexpected file /tmp/scratch.txt", call("bash", "", command="sort a > /tmp/scratch.txt")), []),
    ("check_broken", with_tests("OSError: [Errno 98] Address already in use"), [None]),
    ("check_broken", with_tests("AssertionError: timing above threshold"), [None]),
    ("check_broken", with_tests("AssertionError: timing above threshold", asked="Make rank faster."), []),
    ("check_broken", with_tests("AssertionError: assert 3 == 4"), []),
    ("check_broken", with_tests("the grader did not finish in 120 s"), [None]),
    ("check_broken", with_tests("TimeoutError: rank() took more than 10 s"), []),
    ("check_broken", all_timed_out(call("find_order", ORDER, id="#W1")), [None, None]),
    ("check_broken", all_timed_out(call("write_file", "ok", path="a.py", content="while 1: pass")), []),  # it may hang in each test
    ("check_broken", with_tests('  File "tests/test_hidden.py", line 12, in test_b\nAssertionError: assert [] == [1]'), []),
    ("check_broken", with_tests(LOST.replace("report.csv", "expected.csv"), status="passed"), []),
    ("prompt_questioned", Example((says("What does <title> stand for here?"),), asked="Move '<title>' to the store."), [0]),
    ("prompt_questioned", Example((says("ANSWER = 5, in the form ANSWER = <number>."),), asked="2+3? End with 'ANSWER = <number>'."), []),
    ("prompt_questioned", Example((call("list_rows", "a |", day="1"), says("The output of list_rows is incomplete.")), asked="List all."), []),
    ("prompt_questioned", Example((says("Your message speaks of a list, but there is none in it."),), asked="Close the accounts on the attached list."), [0]),
    ("prompt_questioned", Example((says("No invoice came with it."),), asked="Pay what the invoice below asks for."), [0]),
    ("prompt_questioned", Example((says("That is Malta, which is not among the options."),), asked="Which one? (A) Italy (B) Spain"), [0]),
    ("prompt_questioned", Example((says("The answer is (D) none of the above."),), asked="Which? (A) 1 (B) 2 (C) 3 (D) none of the above"), []),
    ("prompt_questioned", Example((says("The list is not in the archive."),), asked="Is the list of members in the archive?"), []),
    ("gold_in_prompt", Example(asked="How many? [expected answer: 672]", fields={"expected_answer": "672"}), [-1]),
]  # fmt: skip
