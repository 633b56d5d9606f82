"""What people tell one another: passwords, codes and keys in sentences of many languages."""

import json

import pytest

from tests.untrusted.detection.marking import expected, found

TOLD = [
    "the pw for the wiki on build-3 is ⟦gardenia77⟧, ok?",
    "fyi the admin pass is still ⟦Tiger_2011⟧",
    "Password for ann is now ⟦otter.canal.9⟧ (I changed it today)",
    "her passphrase is ⟦copper-lantern-meadow-violin⟧",
    "⟦Kestrel2017!⟧ is the password for the lab machine",
    "⟦Kestrel2017⟧ is your new password",
    "just use ⟦Kestrel2017⟧ to log in",
    "log in as ann with ⟦Kestrel2017⟧ and restart it",
    "creds: ann / ⟦kestrel2017⟧",
    "you can sign in with ann / ⟦kestrel2017⟧",
    "the door code is ⟦4821⟧",
    "PIN: ⟦4821⟧",
    "Das Kennwort vom Drucker ist ⟦drossel88⟧.",
    "Das neue Datenbankpasswort: ⟦drossel88⟧",
    "Le mot de passe du wifi c'est ⟦Moineau1983⟧",
    "La contraseña del servidor es ⟦gorrion1983⟧, no la compartas",
    "a senha do banco é ⟦pardal1983⟧",
    "la password del router è ⟦passero83x⟧",
    "het wachtwoord voor de server is ⟦mus1983x⟧",
    "lösenordet är ⟦sparven83x⟧",
    "adgangskoden er ⟦spurv1983⟧",
    "salasana on ⟦varpunen83⟧",
    "hasło do bazy to ⟦wrobel1983⟧",
    "heslo k databázi je ⟦vrabec1983⟧",
    "a jelszó: ⟦vereb1983x⟧",
    "parola bazei este ⟦vrabie1983⟧",
    "sunucunun şifresi ⟦serce1983x⟧",
    "mật khẩu là ⟦chimse1983⟧",
    "kata sandinya adalah ⟦pipit1983⟧",
    "пароль от базы: ⟦vorobey83⟧",
    "пароль для стенда теперь ⟦Vorobey83⟧, не теряй",
    "паролата е ⟦vrabche83⟧",
    "ο κωδικός είναι ⟦spourgiti83⟧",
    "הסיסמה היא ⟦dror1983x⟧",
    "كلمة المرور هي ⟦asfour1983⟧",
    "رمز عبور ⟦gonjeshk83⟧ است",
    "सर्वर का पासवर्ड ⟦gauraiya83⟧ है",
    "รหัสผ่านคือ⟦krajok1983⟧ครับ",
    "数据库密码是⟦maque1983⟧,不要外传",
    "密碼:⟦maque1983⟧",
    "パスワードは「⟦suzume1983⟧」です",
    "⟦Suzume1983⟧がパスワードです",
    "비밀번호는 ⟦chamsae1983⟧ 입니다",
    "ключ: ⟦aB3dE5gH7jK9mN1pQ2sT4vW6⟧",
    "der API-Schlüssel lautet ⟦aB3dE5gH7jK9mN1pQ2sT4vW6⟧",
]
NOT_TOLD = [
    "the password is hashed with SHA256 and stored",
    "passwords must be at least 8 characters, for example abc",
    "the password field in form2 is required",
    "reset your password in Python3 with the client",
    "log in with OAuth2 or use your account",
    "please sign in with your user id mia_li_3668",
    "The verification code is 847291.",
    "the tests pass on 2024-01-15 and build42 is green",
    "x-cache: cp1114 pass, cp1114 pass",
    "pin 13 of the board",
    "the zip code is 94105",
    "Passwort vergessen? Schreiben Sie uns.",
    "пароль должен содержать 8 символов",
    "密码长度至少8位",
    "the secret of step12 was easy",
]


@pytest.mark.parametrize("case", TOLD)
def test_what_is_told_in_a_sentence_is_found(case: str) -> None:
    text, secrets = expected(case)
    assert found(text) == secrets


@pytest.mark.parametrize("case", [case for case in TOLD if not case.isascii()])
def test_escaped_letters_are_read_like_letters(case: str) -> None:
    text, secrets = expected(case)
    left = json.dumps({"note": text})
    for secret in found(left):
        left = left.replace(secret, "…")
    assert not [secret for secret in secrets if secret in left]


@pytest.mark.parametrize("text", NOT_TOLD)
def test_sentences_about_passwords_are_left_alone(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize("word", ["password", "пароль", "recovery code"])
def test_a_word_said_again_is_read_from_where_it_was_said_last(word: str) -> None:
    assert found(f"The {word}, your new {word}, is Kestrel-2017!x") == ["Kestrel-2017!x"]


def test_who_logs_in_is_known_after_a_second_word_for_it() -> None:
    assert found("log in as ann, then log in again with kestrel17") == found("log in as ann, then again with kestrel17") != []
