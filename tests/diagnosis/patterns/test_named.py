"""Which values of a call name a record."""

from blade.diagnosis.patterns.named import asked_for, ids_in


def test_names_of_people_are_asked_for_and_words_are_not():
    assert asked_for('{"holder": "Hana Haugen", "peril": "hail", "claim": "CL-12345"}') == ["CL-12345", "Hana Haugen"]


def test_dates_times_and_amounts_name_no_record():
    assert asked_for('{"on": "2026-05-16", "at": "19:05", "until": "2026-05-16T19:05Z", "price": "12.50", "order": "20411"}') == [
        "20411"
    ]


def test_an_id_is_one_word_of_letters_and_figures():
    assert ids_in(['{"holder": "Hana Haugen", "claim": "CL-12345"}', '{"order": "20411"}']) == {"CL-12345"}
