"""The kinds of fault: name, label, where each fits, how it comes about and how it strikes the repeats of a task.

How a fault comes about (`means`):

- `script`   the agent acts differently, as the environment's task lays down for this kind;
- `bend`     the agent acts differently in a way that any task allows (`bends`);
- `weather`  the machinery fails for whoever meets it, in a burst or on a host (`troubles`);
- `flaw`     the verifier is broken for this task;
- `data`     the dataset or the file is broken (`data`).

Knowledge that is missing strikes all or nearly all repeats; knowledge that is shaky strikes some, each time otherwise. Kinds marked
`held_out`, and everything in an environment marked so, take no part in tuning. Once the misses of a held-out part have been looked at,
it joins the tuning part and another takes its place: that happened to `warehouse` with some of the kinds up to `api_misuse`, to
`observatory` with the kinds from `ambiguous_options` to `obsolete_flag`, to `museum` with those from `unfilled_template` to
`wrong_century`, to `payments` with those from `spreadsheet_gold` to `wrong_country_code`, to `harbour` with those from
`mangled_encoding` to `made_up_locode`, to `clinic` with those from `gold_missing_step` to `plain_week_number`, to `garage` with those
from `missing_attachment` to `vin_year_miscounted`, to `railway` with those from `aged_gold` to `chains_as_decimals`, to `cloud` with
those from `html_escaped_gold` to `network_addresses_counted`, to `insurer` with those from `point_for_comma` to `franchise_deducted`, to
`radio` with those from `sexagesimal_gold` to `power_as_amplitude`, to `market` with those from `pseudonym_in_prompt` to
`clear_days_as_days`, to `conservatory` with those from `columns_swapped` to `transposed_downwards`, to `rescue` with those from
`untranslated_gold` to `lee_as_windward`, to `brewery` with those from `code_as_date` to `oil_barrel_taken`, to `assay` with those
from `id_through_double` to `share_for_standard`, to `publisher` with those from `percent_as_fraction` to `country_for_language`, to
`arboretum` with those from `annotators_joined` to `oxide_as_element`, to `ferry`, `theatre` and `dairy` with those from `elided_list`
to `score_offset_missing`, and to `payroll` with those from `two_digit_year_gold` to `grossed_up_by_adding`. Which kinds play in an
environment beside its own stands in `fits`. The kinds since `mangled_encoding` are listed in `later`, those since `columns_swapped` in `recent`. Beside each kind since `unfilled_template` stands what in a run tells its label.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from blade.lab.faults.fits import FITS
from blade.lab.faults.held_out import HELD_OUT
from blade.lab.faults.kind import ERRANDS, EVERYWHERE, NEARLY, SANDBOXES, SEVERITIES, SHAKY, SOME, TOOLS, WHOLE, Kind
from blade.lab.faults.later import LATER

__all__ = ["KIND", "KINDS", "SEVERITIES", "Kind"]

_AT_HOME: Final[tuple[Kind, ...]] = (
    # DA: the data are at fault.
    Kind("same_prompt_other_gold", "DA", "data", EVERYWHERE, *WHOLE),
    Kind("leaked_gold", "DA", "data", ("questions", "warehouse", "observatory", "museum"), (1, 2), (2, 3)),
    Kind("empty_prompt", "DA", "data", ("records", "code", "questions", "terminal", "warehouse", "observatory", "museum"), *WHOLE),
    Kind("wrong_gold", "DA", "data", ("records", "questions", "warehouse", "observatory", "museum"), *WHOLE),
    Kind("gold_outside_options", "DA", "data", ("questions", "warehouse", "observatory", "museum"), *WHOLE),
    Kind("conflicting_rows", "DA", "data", EVERYWHERE, (1, 2), (2, 4)),
    # IR: the machinery is at fault.
    Kind("tool_5xx", "IR", "weather", TOOLS, *SOME),
    Kind("tool_timeout", "IR", "weather", TOOLS, *SOME),
    Kind("tool_rate_limit", "IR", "weather", TOOLS, *SOME),
    Kind("model_connection", "IR", "weather", EVERYWHERE, *SOME),
    Kind("sandbox_start", "IR", "weather", SANDBOXES, *SOME),
    Kind("missing_command", "IR", "weather", SANDBOXES, *SOME),
    Kind("judge_down", "IR", "weather", ("questions", "dialogue", "warehouse", "observatory"), *SOME),
    Kind("empty_completion", "IR", "weather", EVERYWHERE, *SOME),
    Kind("failed_install", "IR", "weather", SANDBOXES, *SOME),
    # TI: the task or its verifier is at fault.
    Kind("format_rejected", "TI", "script", ("questions", "dialogue", "warehouse", "observatory", "museum"), *SOME),
    Kind("verifier_timeout", "TI", "flaw", EVERYWHERE, *SOME),
    Kind("answer_not_extracted", "TI", "script", ("questions", "warehouse"), *SOME),
    Kind("broken_test", "TI", "flaw", ("code", "terminal", "warehouse", "observatory", "museum"), *WHOLE),
    Kind("flaky_verifier", "TI", "flaw", EVERYWHERE, (1, 1), (2, 2)),
    Kind("reward_contradicts_checks", "TI", "flaw", EVERYWHERE, *SOME),
    Kind("inverted_verifier", "TI", "flaw", ("questions", "warehouse", "observatory", "museum"), (2, 3), (2, 3)),
    # BI: able, but it did not do what it should.
    Kind("skipped_lookup", "BI", "script", ERRANDS, *SOME),
    Kind("unresolved_name", "BI", "script", ("records",), (2, 3), WHOLE[1]),
    Kind("dropped_record", "BI", "script", ("records", "warehouse"), *SOME),
    Kind("invented_id", "BI", "script", ERRANDS, *SOME),
    Kind("partial_update", "BI", "script", ERRANDS, *SOME),
    Kind("extra_change", "BI", "script", ERRANDS, *SOME),
    Kind("error_ignored", "BI", "script", TOOLS, *SOME),
    Kind("unbacked_claim", "BI", "bend", ERRANDS, *SOME),
    Kind("call_loop", "BI", "bend", TOOLS, *SOME),
    Kind("truncated", "BI", "bend", EVERYWHERE, *SOME),
    Kind("question_back", "BI", "bend", ("records", "questions", "terminal", "warehouse", "museum"), *SOME),
    Kind("wrong_format", "BI", "script", ("questions", "warehouse", "observatory", "museum"), *SOME),
    Kind("no_self_check", "BI", "script", SANDBOXES, *SOME),
    Kind("believed_claim", "BI", "script", ("dialogue",), *SOME),
    Kind("gave_up", "BI", "bend", EVERYWHERE, *SOME),
    Kind("refusal", "BI", "bend", EVERYWHERE, *SOME),
    Kind("early_handover", "BI", "script", ("dialogue", "warehouse", "observatory", "museum"), *SOME),
    # UK: sometimes known, sometimes not, without a difference in behaviour.
    Kind("scattered_numbers", "UK", "script", ("questions", "warehouse", "observatory", "museum"), *SHAKY),
    Kind("wrong_option", "UK", "script", ("questions", "warehouse", "observatory", "museum"), *SHAKY),
    Kind("wavering_argument", "UK", "script", ("records", "dialogue", "warehouse", "observatory", "museum"), *SHAKY),
    Kind("wavering_code", "UK", "script", ("code", "terminal"), *SHAKY),
    Kind("wavering_fact", "UK", "script", ("questions",), *SHAKY),
    # KG: not known, every time in the same way.
    Kind("wrong_rule", "KG", "script", ("records", "dialogue", "warehouse", "museum"), *NEARLY),
    Kind("wrong_unit", "KG", "script", ("questions", "warehouse"), *NEARLY),
    Kind("wrong_fact", "KG", "script", ("questions", "warehouse", "observatory", "museum"), *NEARLY),
    Kind("wrong_algorithm", "KG", "script", ("code", "terminal"), *NEARLY),
    Kind("api_misuse", "KG", "script", SANDBOXES, *NEARLY),
    # Held out once, since looked at.
    Kind("ambiguous_options", "DA", "data", ("questions", "observatory", "museum"), (1, 2), (2, 3)),
    Kind("prompt_cut", "DA", "data", ("records", "questions", "terminal", "warehouse", "observatory", "museum"), *WHOLE),
    Kind("gold_other_unit", "DA", "data", ("observatory",), *WHOLE),
    Kind("tool_dns", "IR", "weather", TOOLS, *SOME),
    Kind("tool_certificate", "IR", "weather", ERRANDS, *SOME),
    Kind("stale_session", "IR", "weather", TOOLS, *SOME),
    Kind("model_overloaded", "IR", "weather", EVERYWHERE, *SOME),
    Kind("disk_full", "IR", "weather", ("code", "terminal", "observatory"), *SOME),
    Kind("tool_killed", "IR", "weather", SANDBOXES, *SOME),
    Kind("last_line_only", "TI", "script", ("observatory",), *SOME),
    Kind("tight_tolerance", "TI", "flaw", ("observatory",), (2, 3), WHOLE[1]),
    Kind("misweighted_checks", "TI", "flaw", ("observatory",), *WHOLE),
    Kind("judge_crash", "TI", "flaw", ("questions", "dialogue", "observatory"), *SOME),
    Kind("first_hit", "BI", "script", ("observatory", "museum"), *SOME),
    Kind("first_page_only", "BI", "script", ("observatory",), *SOME),
    Kind("limit_ignored", "BI", "script", ("observatory",), *SOME),
    Kind("sub_request_dropped", "BI", "script", ("observatory", "museum"), *SOME),
    Kind("duplicate_change", "BI", "bend", ERRANDS, *SOME),
    Kind("endless_confirmation", "BI", "bend", ("dialogue", "observatory"), *SOME),
    Kind("alternating_unit", "UK", "script", ("observatory", "museum"), *SHAKY),
    Kind("wavering_order", "UK", "script", ("observatory",), *SHAKY),
    Kind("wrong_zone", "KG", "script", ("observatory",), *NEARLY),
    Kind("wrong_rounding", "KG", "script", ("observatory",), *NEARLY),
    Kind("obsolete_flag", "KG", "script", ("observatory",), *NEARLY),
    # At the museum, and wherever else they fit.
    # The prompt has a bare placeholder, in all repeats, and agents say so.
    Kind("unfilled_template", "DA", "data", ("records", "questions", "warehouse", "observatory", "museum"), *WHOLE),
    # The expected calls are about other records than the request: about those that another task of the run asks for.
    Kind("neighbours_gold", "DA", "data", ("records", "warehouse", "observatory", "museum"), *WHOLE),
    # All writes are turned down for a while by a store that says it is read-only, for whoever comes; reads work, siblings pass.
    Kind("readonly_store", "IR", "weather", ERRANDS, *SOME),
    # Outputs of lookups end in mid-line or mid-JSON, twice in a row, for a while; the same lookups are whole in the siblings.
    Kind("half_answers", "IR", "weather", ERRANDS, *SOME),
    # The calls made are those expected, in an order that the request leaves open; the assertion complains of a position.
    Kind("order_sensitive", "TI", "script", ("museum",), *SOME),
    # The request leaves the choice among the free slots, the slot taken was listed as free, and only one of them is expected.
    Kind("valid_alternative", "TI", "script", ("museum",), *SOME),
    # The last line is the expected answer in the form asked for, and `parsed` is something that stood further up.
    Kind("first_match_graded", "TI", "script", ("museum",), *SOME),
    # The change stands in the last message as a block of text and was never called, after lookups that were.
    Kind("call_as_text", "BI", "bend", TOOLS, *SOME),
    # A change that nobody asked for, which a remark in a record orders; siblings read the remark and leave it.
    Kind("followed_note", "BI", "script", ("museum",), *SOME),
    # The request limits the words, the saved text has more, and the verifier's count agrees.
    Kind("length_overrun", "BI", "script", ("museum",), *SOME),
    # The set of letters differs from the expected one by a member or two, otherwise each time, while siblings have it right.
    Kind("wavering_set", "UK", "script", ("museum",), *SHAKY),
    # After the same lookups the label dates the same year otherwise each time, and rightly in the siblings.
    Kind("wavering_period", "UK", "script", ("museum",), *SHAKY),
    # The same lookups, then height and width the wrong way round in (nearly) all repeats; the expected order is the trade's.
    Kind("swapped_axes", "KG", "script", ("museum",), *NEARLY),
    # The label takes the sixteen-hundreds for the 16th century in (nearly) all repeats; the expected period fits the year.
    Kind("wrong_century", "KG", "script", ("museum",), *NEARLY),
    # At the payments desk.
    # All repeats do the same sensible work; the long ids (or the answer) expected read like 4.82101E+16.
    Kind("spreadsheet_gold", "DA", "flaw", ("payments",), *WHOLE),
    # All repeats act on the record that the listing shows for the name; the expected id stands in no output of the whole run.
    Kind("other_snapshot_gold", "DA", "flaw", ("payments",), *WHOLE),
    # An expected argument is NaN, or the expected answer is "nan", as pandas leaves an empty cell.
    Kind("lost_column", "DA", "flaw", ("payments",), *WHOLE),
    # The request says one amount, span or customer, `metadata.values` and the gold another; all repeats do what the request says.
    Kind("drifted_values", "DA", "flaw", ("payments",), *WHOLE),
    # For a while tools return a sign-in page in HTML in place of JSON, twice in a row, to whoever calls; siblings get their JSON.
    Kind("sign_in_page", "IR", "weather", ("payments",), *SOME),
    # For a while tools say that the database has no tables or no fixtures; the same lookups work in the siblings.
    Kind("unseeded_backend", "IR", "weather", ("payments",), *SOME),
    # For a while all tools give a notice of maintenance, without any status code, and agents stop.
    Kind("maintenance_window", "IR", "weather", ("payments",), *SOME),
    # The call is the expected one plus an optional argument at the default that the tool's schema states; siblings that omit it pass.
    Kind("default_spelled_out", "TI", "script", ("payments",), *SOME),
    # The call's time is the expected instant in another notation (+00:00 or .000Z for Z, seconds or none), all else equal; siblings pass.
    Kind("equivalent_timestamp", "TI", "script", ("payments",), *SOME),
    # The response has the expected call, accepted, or the expected answer line; the verifier lists no call and extracts no answer.
    Kind("calls_not_collected", "TI", "flaw", ("payments",), *SOME),
    # The answer line has the expected figure with a separator for thousands, and `extracted_answer` stops at the comma.
    Kind("separator_split", "TI", "script", ("payments",), *SOME),
    # The system prompt demands an approval for old payments, the listing shows the age, siblings ask for it, this rollout does not.
    Kind("approval_skipped", "BI", "script", ("payments",), *SOME),
    # The only change was a trial (dry_run true), the tool said that nothing was changed, and the agent reports it as done.
    Kind("dry_run_left_on", "BI", "script", ("payments",), *SOME),
    # The last message says what the agent will do next, and it never does it; siblings do.
    Kind("announced_not_done", "BI", "script", ("payments",), *SOME),
    # The change carries a stand-in such as <payment_id> for an id that was not looked up, is turned down, and is reported as done.
    Kind("placeholder_argument", "BI", "script", ("payments",), *SOME),
    # "So many days from today" becomes another wrong date each time, after the same lookups, and the right one in the siblings.
    Kind("wavering_due_date", "UK", "script", ("payments",), *SHAKY),
    # The same code, which no tool explains, is filed under another wrong category each time, and rightly in the siblings.
    Kind("wavering_reason_code", "UK", "script", ("payments",), *SHAKY),
    # The same listing is added up to another wrong sum each time, and rightly in the siblings.
    Kind("wavering_total", "UK", "script", ("payments",), *SHAKY),
    # Yen, won and dinar are taken to have two decimals in (nearly) all repeats: the amount is off by 100 or by 10, lookups are in order.
    Kind("minor_unit_blindness", "KG", "script", ("payments",), *NEARLY),
    # A network's reason code is taken for the same other category in (nearly) all repeats.
    Kind("misread_reason_code", "KG", "script", ("payments",), *NEARLY),
    # The country's code is the same invented one (SW for Switzerland) in (nearly) all repeats; the expected one is ISO's.
    Kind("wrong_country_code", "KG", "script", ("payments",), *NEARLY),
    *LATER,
    *HELD_OUT,
)  # fmt: skip
"""Every kind with the environments that it was written for."""
KINDS: Final = tuple(
    replace(kind, environments=(*kind.environments, *(place for place, names in FITS.items() if kind.name in names)))
    for kind in _AT_HOME
)
KIND: Final = {kind.name: kind for kind in KINDS}
