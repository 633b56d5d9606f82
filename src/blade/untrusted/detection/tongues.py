"""Words for passwords, codes, keys and logging in, in the languages and scripts of the world, as a text in plain view has them.

Stems, because languages inflect: `salasana` is also `salasanan`. They are folded as texts are (`folding`), so marks that combine with a letter are left out.
"""

from typing import Final

from blade.untrusted.detection.folding import readable
from blade.untrusted.detection.wordlists import words


def _listed(text: str) -> tuple[str, ...]:
    """One stem between commas or lines, in small letters, in its own spelling and in the folded one."""
    stems = {stem.strip().lower() for line in text.splitlines() for stem in line.split(",") if stem.strip()}
    return tuple(sorted(stems | {view.text for stem in stems if (view := readable(stem)) is not None}))


ENGLISH: Final = _listed("password, passwd, passcode, passphrase, pass phrase, pass word, pass code, passwrd, pword, passwort")
SHORT: Final = frozenset(
    {
        "pw",
        "pwd",
        "pass",
        "psw",
        "pswd",
        "mdp",
    }
)
"""Said for a password in a hurry; too short to be looked for without their edges."""

PASSWORDS: Final = _listed(
    """
    kennwort, kenwort, losungswort, geheimwort, mot de passe, mots de passe, motdepasse, code secret, contraseña, contrasena, clave, contrasenya, contrasinal
    senha, palavra-passe, palavra passe, parola d'ordine, parola di accesso, parola, parolă, wachtwoord, wagwoord, adgangskode, kodeord, adgangsord
    passord, lösenord, losenord, salasana, tunnussana, lykilorð, aðgangsorð, parool, salasõna, parole, slaptažod, slaptazod
    hasło, haslo, hasła, hasłem, heslo, heslem, hesla, jelszó, jelszav, jelszo, geslo, lozink, šifra, sifra, fjalëkalim, fjalekalim
    şifre, sifre, şifrə, parol, mật khẩu, mat khau, kata sandi, sandi, kata laluan, nenosiri, neno la siri, pasahitz, pasfhocal, cyfrinair, iphasiwedi, modpas, pasvorto
    парол, пасворд, лозинк, шифра, құпия сөз, құпиясөз, нууц үг, сырсөз, рамз
    κωδικό, κωδικο, συνθηματικ, პაროლ, գաղտնաբառ
    סיסמ, كلمة المرور, كلمة مرور, كلمة السر, كلمة سر, الرقم السري, رمز المرور, الباسورد, باسورد, رمز عبور, گذرواژه, کلمه عبور, پسورد, پاس ورڈ
    पासवर्ड, कूटशब्द, পাসওয়ার্ড, પાસવર્ડ, ਪਾਸਵਰਡ, கடவுச்சொல், పాస్‌వర్డ్, పాస్వర్డ్, ಪಾಸ್‌ವರ್ಡ್, ಗುಪ್ತಪದ, പാസ്‌വേഡ്, രഹസ്യവാക്ക്, මුරපදය
    รหัสผ่าน, พาสเวิร์ด, ລະຫັດຜ່ານ, ពាក្យសម្ងាត់, លេខសម្ងាត់, စကားဝှက်, የይለፍ ቃል
    密码, 密碼, 口令, 通行码, 通行碼, パスワード, パスコード, パスフレーズ, 合言葉, 비밀번호, 패스워드, 암호, 비번
    """
)
CODES: Final = _listed(
    """
    pin code, pin-code, pincode, pin number, security code, access code, door code, gate code, alarm code, entry code, login code, unlock code, backup code, recovery code, passcode
    scratch code, emergency code, pairing code, activation code, gift card code, safe code, locker code, lock code, locker combination, safe combination, lock combination, combination for the, rescue code, two-factor code, 2fa code, one-time code, code de récupération, codes de récupération, codes de secours, wiederherstellungscode, ersatzcode
    código de recuperación, códigos de recuperación, códigos de recuperação, códigos de respaldo, codici di recupero, codici di backup, herstelcode, kody zapasowe, kody odzyskiwania, резервные коды, коды восстановления
    恢复代码, 恢复码, 备用码, 救援代码, リカバリーコード, バックアップコード, 복구 코드, 백업 코드
    geheimzahl, zugangscode, türcode, code d'accès, code d'entrée, código de acceso, código de acesso, codice di accesso, codice d'accesso, toegangscode, deurcode, kod dostępu, přístupový kód
    giriş kodu, mã truy cập, mã pin, kode akses, пин-код, пинкод, код доступа, код от двери, код доступу, رمز الدخول, קוד גישה, 门禁码, 门禁密码, 暗証番号, アクセスコード, 출입코드
    """
)
"""Codes that stay as they are. What is sent for a single use (`verification code`) opens nothing afterwards and is not among them."""
KEYS: Final = _listed(
    """
    schlüssel, zugangsschlüssel, clé api, clé d'api, clé secrète, jeton, llave, clave de api, chave, chiave, sleutel, nøgle, nyckel, nøkkel, avain, klucz, klíč, kľúč, kulcs, cheie
    anahtar, khóa api, kunci api, ключ, токен, κλειδί, מפתח, مفتاح, کلید, कुंजी, टोकन, คีย์, โทเค็น, 密钥, 密鑰, 秘钥, 秘鑰, 令牌, 金鑰, トークン, 秘密鍵, apiキー, 토큰, api 키
    """
)
LOGINS: Final = _listed(
    """
    log in, login, logging in, logged in, log on, logon, sign in, signing in, signed in, sign on, authenticate, credential, creds, unlock, get in with, ssh in
    anmeld, einlogg, zugangsdaten, zugang, se connecter, connexion, identifiant, iniciar sesi, inicia sesi, acceso, credencia, fazer login, acesso, accedi, accesso, credenzial
    inlogg, inlog, aanmeld, logga in, log ind, logg inn, kirjaudu, tunnuk, zalogu, logowan, přihl, prihl, prijav, bejelentkez, belép, autentific, giriş, oturum, đăng nhập, masuk, log masuk
    логин, войти, войди, зайти, зайди, заходи, залогин, вход, увійти, учетк, учётк, учётн, учетн, доступ, σύνδεση, συνδεθ, התחבר, תיכנס, تسجيل الدخول, ادخل, ورود, लॉगिन
    เข้าสู่ระบบ, 登录, 登陆, 登入, 账号, 帳號, 帐号, 账户, ログイン, アカウント, サインイン, 로그인, 계정, 아이디
    """
)
COPULAS: Final = words(
    """
    is was are be equals as to now still currently actually called namely being it's its that's thats = == := : - -- – — → -> => ~ ( [ 's
    ist lautet war heißt heisst wäre bleibt sei est était reste es era son sería será é era fica è sono sarà era rimane blijft luidt
    är er var blev on oli yra ir jest to był brzmi zní je bol este e fi olan olarak oldu là adalah ialah yaitu ni bu dir da eshte është van lett
    это есть был будет теперь стоит е є це був είναι הוא היא זה هو هي است ہے है हैं bin
    """
)
ARTICLES: Final = words(
    """
    the your my its our his her their an a new old current as for root admin user login
    das dein mein unser ihr neue alte der die als le votre mon ton notre nouveau comme la el tu mi su nuestra nueva como sua minha uma a il tuo mio nuova come
    het jouw mijn nieuwe als det dit din mit min nye ditt nya som to nowe moje jako nové nowym az új yeni mới yang
    это твой ваш мой наш новый как твоя моя новая ваш це твій
    """
)
