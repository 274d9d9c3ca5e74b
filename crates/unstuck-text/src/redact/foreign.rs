//! The words for password, secret and key that ASCII cannot spell, and the values behind them.

use std::ops::Range;

use super::names::Strength;
use super::{
    table::table,
    value::{self, Context},
};

table! { &str;
    "contraseña", "Spanish: password", "contraseña: «hola1234»", "la contraseña no es válida";
    "Contraseña", "Spanish: password, capital", "Contraseña: «gatito»", "Contraseña incorrecta";
    "CONTRASEÑA", "Spanish: password, capitals", "CONTRASEÑA=«gatito»", "CONTRASEÑA INCORRECTA";
    "clé secrète", "French: secret key", "clé secrète : «{A24}»", "la clé secrète est perdue";
    "Clé secrète", "French: secret key, capital", "Clé secrète : «{A24}»", "Clé secrète absente";
    "clé d'accès", "French: access key", "clé d'accès : «{A24}»", "la clé d'accès est perdue";
    "clé API", "French: API key", "clé API : «{A24}»", "la clé API est perdue";
    "palavra-chave secreta é", "Portuguese: the secret word is", "palavra-chave secreta é «gato1234»", "a palavra-chave secreta";
    "código de acesso", "Portuguese: access code", "código de acesso: «gato1234»", "o código de acesso expirou";
    "código de acceso", "Spanish: access code", "código de acceso: «gato1234»", "el código de acceso caducó";
    "Geheimschlüssel", "German: secret key", "Geheimschlüssel: «{A24}»", "der Geheimschlüssel fehlt";
    "Schlüssel", "German: key", "API-Schlüssel: «{A24}»", "der Schlüssel fehlt";
    "Zugangsschlüssel", "German: access key", "Zugangsschlüssel: «{A24}»", "der Zugangsschlüssel fehlt";
    "hasło", "Polish: password", "hasło: «kotek12»", "hasło jest złe";
    "şifre", "Turkish: password", "şifre: «kedi1234»", "şifre yanlış";
    "mật khẩu", "Vietnamese: password", "mật khẩu: «meo12345»", "mật khẩu sai";
    "пароль", "Russian: password", "пароль: «котик77»", "неверный пароль";
    "Пароль", "Russian: password, capital", "Пароль: «kotik77»", "Пароль неверный";
    "ПАРОЛЬ", "Russian: password, capitals", "ПАРОЛЬ=«kotik77»", "ПАРОЛЬ НЕВЕРНЫЙ";
    "секрет", "Russian: secret", "секрет: «kotik77»", "секрет успеха";
    "Секрет", "Russian: secret, capital", "Секрет: «kotik77»", "Секрет успеха";
    "ключ", "Russian: key", "ключ: «{A24}»", "ключ к успеху";
    "Ключ", "Russian: key, capital", "Ключ: «{A24}»", "Ключ к успеху";
    "токен", "Russian: token", "токен: «{A24}»", "токен истёк";
    "密码", "Mandarin: password", "密码：«mao12345»", "密码错误";
    "密碼", "Mandarin, traditional: password", "密碼是«mao12345»", "密碼錯誤";
    "口令", "Mandarin: pass phrase", "口令: «mao12345»", "口令错误";
    "密钥", "Mandarin: secret key", "密钥: «{A24}»", "密钥无效";
    "密鑰", "Mandarin, traditional: secret key", "密鑰: «{A24}»", "密鑰無效";
    "令牌", "Mandarin: token", "令牌: «{A24}»", "令牌过期";
    "パスワード", "Japanese: password", "パスワードは«neko1234»", "パスワードが違います";
    "暗証番号", "Japanese: PIN", "暗証番号: «483920»", "暗証番号が違います";
    "秘密鍵", "Japanese: private key", "秘密鍵: «{A24}»", "秘密鍵がありません";
    "合言葉", "Japanese: pass word", "合言葉: «neko1234»", "合言葉が違います";
    "비밀번호", "Korean: password", "비밀번호: «goyang12»", "비밀번호가 틀렸습니다";
    "पासवर्ड", "Hindi: password", "पासवर्ड: «billi123»", "पासवर्ड गलत है";
    "कूटशब्द", "Hindi: code word", "कूटशब्द: «billi123»", "कूटशब्द गलत है";
    "गुप्त कुंजी", "Hindi: secret key", "गुप्त कुंजी: «{A24}»", "गुप्त कुंजी नहीं मिली";
    "গোপন কী", "Bengali: secret key", "গোপন কী: «{A24}»", "গোপন কী পাওয়া যায়নি";
    "পাসওয়ার্ড", "Bengali: password", "পাসওয়ার্ড: «biral123»", "পাসওয়ার্ড ভুল";
    "পাসওয়ার্ড", "Bengali: password, composed", "পাসওয়ার্ড: «biral123»", "পাসওয়ার্ড ভুল";
    "كلمة المرور", "Arabic: password", "كلمة المرور: «qitta123»", "كلمة المرور خاطئة";
    "كلمة السر", "Arabic: secret word", "كلمة السر: «qitta123»", "كلمة السر خاطئة";
    "المفتاح السري", "Arabic: secret key", "المفتاح السري: «{A24}»", "المفتاح السري مفقود";
    "الرقم السري", "Arabic: PIN", "الرقم السري: «483920»", "الرقم السري خاطئ";
    "رمز المرور", "Arabic: passcode", "رمز المرور: «qitta123»", "رمز المرور خاطئ";
    "پاس ورڈ", "Urdu: password", "پاس ورڈ: «billi123»", "پاس ورڈ غلط ہے";
    "پاسورڈ", "Urdu: password, joined", "پاسورڈ: «billi123»", "پاسورڈ غلط ہے";
    "خفیہ کلید", "Urdu: secret key", "خفیہ کلید: «{A24}»", "خفیہ کلید نہیں ملی";
    "Şifre", "Turkish: password, capital", "Şifre: «kedi1234»", "Şifre yanlış";
    "Mật khẩu", "Vietnamese: password, capital", "Mật khẩu：«meo12345»", "Mật khẩu sai";
    "lösenord", "Swedish: password", "lösenord: «katt1234»", "fel lösenord";
    "Lösenord", "Swedish: password, capital", "Lösenord: «katt1234»", "Lösenord saknas";
    "jelszó", "Hungarian: password", "jelszó: «macska12»", "hibás jelszó";
    "κωδικός", "Greek: password", "κωδικός: «gata1234»", "λάθος κωδικός";
    "Κωδικός", "Greek: password, capital", "Κωδικός: «gata1234»", "Κωδικός λάθος";
    "סיסמה", "Hebrew: password", "סיסמה: «hatul123»", "סיסמה שגויה";
    "รหัสผ่าน", "Thai: password", "รหัสผ่าน: «maeo1234»", "รหัสผ่านผิด";
    "암호", "Korean: password, older word", "암호: «goyang12»", "암호가 틀렸습니다";
    "كلمة مرور", "Arabic: a password", "كلمة مرور: «qitta123»", "كلمة مرور خاطئة";
    "الرمز السري", "Arabic: secret code", "الرمز السري: «qitta123»", "الرمز السري خاطئ";
    "গোপন নম্বর", "Bengali: secret number", "গোপন নম্বর: «483920»", "গোপন নম্বর ভুল";
    "验证码", "Mandarin: verification code", "验证码：«483920»", "验证码错误";
    "驗證碼", "Mandarin, traditional: verification code", "驗證碼：«483920»", "驗證碼錯誤";
    "رمز عبور", "Persian: password", "رمز عبور: «gorbe123»", "رمز عبور اشتباه است";
}

/// Whether a name may begin with a byte.
const FIRST: [bool; 256] = {
    let mut first = [false; 256];
    let mut at = 0;
    while at < TABLE.len() {
        first[TABLE[at].as_bytes()[0] as usize] = true;
        at += 1;
    }
    first
};

/// Whether a name may begin with two bytes. Most words that begin with the first do not go on with the second.
static PAIRS: [bool; 1 << 12] = {
    let mut pairs = [false; 1 << 12];
    let mut at = 0;
    while at < TABLE.len() {
        let name = TABLE[at].as_bytes();
        pairs[pair(name[0], name[1])] = true;
        at += 1;
    }
    pairs
};

/// The place of two bytes in the table: six bits of each, which distinguish all letters of ASCII but not their cases.
const fn pair(first: u8, second: u8) -> usize {
    (first as usize & 63) << 6 | second as usize & 63
}

/// Finds values behind these names, each of which holds letters that ASCII has not.
pub(super) fn find(text: &str, found: &mut Vec<Range<usize>>) {
    let mut at = 0;
    while let Some(name) = next_name(text, &mut at) {
        let start = name.end + value::gap(&text[name.end..]);
        if start == name.end {
            continue;
        }
        let context = Context {
            strength: Strength::Password,
            assigned: text[name.end..start].contains([
                ':', '=', '：', '＝', '是', '为', '為', 'は', 'é', '는', '은', '—', '–', '→',
            ]),
            option: false,
        };
        if let Some(value) = value::judge(text, start, context) {
            at = value.end;
            found.push(value);
        }
    }
}

/// The next of these names at or behind `at`, which moves on behind it.
pub(super) fn next_name(text: &str, at: &mut usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    while let Some(skipped) = bytes
        .get(*at..)?
        .iter()
        .position(|byte| FIRST[usize::from(*byte)])
    {
        let start = *at + skipped;
        let rest = &bytes[start..];
        let second = rest.get(1).copied().unwrap_or_default();
        if !PAIRS[pair(rest[0], second)] {
            *at = start + 1;
            continue;
        }
        if let Some(name) = TABLE.iter().find(|name| rest.starts_with(name.as_bytes())) {
            *at = start + name.len();
            return Some(start..*at);
        }
        *at = start + 1;
    }
    None
}
