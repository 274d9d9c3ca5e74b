//! Names that stand before a secret: `password`, `api_key`, `contraseña`.

use super::table::table;

/// How sure a name is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Strength {
    /// Many other things have this name too: its value must look like a secret.
    Weak,
    /// A key or token: its value looks like one.
    Token,
    /// A password: its value may be any word.
    Password,
}

use Strength::{Password, Token, Weak};

/// Where in a name the words may stand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Stands {
    /// As words of their own: `db_key`, `dbKey`.
    Alone,
    /// At the end of a longer word as well: `dbpassword`.
    Joined,
}

use Stands::{Alone, Joined};

/// A name in lower case without separators: letters only, at least two.
pub(super) struct Named(&'static str, Stands, Strength);

table! { Named;
    Named("acceso", Alone, Token), "Spanish: access", "clave de acceso: «sol12345»", "acceso = None";
    Named("accesskey", Joined, Token), "access key", "access_key=«{A20}»", "access_key=None";
    Named("accountkey", Joined, Token), "account key", "AccountKey=«{b86}»==", "account_key: str";
    Named("adgangskode", Joined, Password), "Danish", "adgangskode: «hund»", "adgangskode = None";
    Named("apikey", Joined, Token), "API key", "apiKey: «{p20}»", "api_key = get_key()";
    Named("apisecret", Joined, Password), "API secret", "api_secret=«{A20}»", "api_secret = None";
    Named("apitoken", Joined, Token), "API token", "API_TOKEN=«{A20}»", "api_token: Optional[str]";
    Named("auth", Alone, Weak), "auth", "auth=«{A24}»", "auth = true";
    Named("authident", Joined, Token), "user and password of npm", "npmAuthIdent: \"«joe:hunter2»\"", "npmAuthIdent: none";
    Named("authkey", Joined, Token), "auth key", "authkey: «{A24}»", "authkey = None";
    Named("authorization", Joined, Token), "Authorization", "Authorization: «{A40}»", "authorization is required";
    Named("bearer", Joined, Token), "bearer token", "bearer=«{A30}»", "the bearer of the ring";
    Named("cardnumber", Joined, Token), "card number", "card_number=«{d16}»", "card_number: str";
    Named("clave", Alone, Password), "Spanish: key", "clave: «gatito7»", "la clave es importante";
    Named("connectionstring", Joined, Token), "connection string", "connectionString=«abc{A20}»", "connection_string = None";
    Named("contrasena", Joined, Password), "Spanish, plain letters", "contrasena: «hola1234»", "contrasena = None";
    Named("cookie", Alone, Token), "cookie", "cookie=«{A24}»", "cookie: str";
    Named("credential", Joined, Token), "credential", "credential=«{p16}»", "credential: Credential";
    Named("credentials", Joined, Token), "credentials", "credentials: «{p16}»", "credentials = load()";
    Named("creds", Alone, Token), "credentials, short", "creds: «joe:hunter2»", "creds = load()";
    Named("creditcard", Joined, Token), "credit card", "credit_card=«{d16}»", "credit_card: str";
    Named("cvc", Alone, Weak), "card check", "cvc=«{d3}»", "cvc is a word";
    Named("cvv", Alone, Weak), "card check value", "cvv: «{d3}»", "cvv is a word";
    Named("dsn", Alone, Weak), "data source name", "dsn=«{A30}»", "dsn = None";
    Named("encryptionkey", Joined, Token), "encryption key", "encryption_key=«{h64}»", "encryption_key = None";
    Named("haslo", Alone, Password), "Polish, plain letters", "haslo: «kot12345»", "haslo = None";
    Named("heslo", Alone, Password), "Czech and Slovak", "heslo: «kocka12»", "heslo = None";
    Named("jwt", Alone, Token), "JWT", "jwt=«{A40}»", "jwt: str";
    Named("kennwort", Joined, Password), "German, older word", "Kennwort: «geheim99»", "Kennwort = None";
    Named("key", Alone, Weak), "key", "key=«{A32}»", "sorted(rows, key=lambda row: row[1])";
    Named("keypass", Joined, Password), "key password", "keytool -keypass «changeit»", "keypass = None";
    Named("licensekey", Joined, Token), "licence key", "license_key=«{u32}»", "license_key: str";
    Named("masterauth", Joined, Password), "Redis replica", "masterauth «hunter22»", "masterauth = None";
    Named("masterkey", Joined, Token), "master key", "master_key: «{h32}»", "master_key = None";
    Named("mdp", Alone, Password), "French, short", "mdp: «soleil7»", "mdp = None";
    Named("mnemonic", Alone, Token), "mnemonic", "mnemonic=«{A24}»", "mnemonic = generate()";
    Named("motdepasse", Joined, Password), "French, joined", "motDePasse=«soleil7»", "motDePasse = null";
    Named("otp", Alone, Weak), "one-time password", "otp=«{d6}»", "otp = None";
    Named("parol", Alone, Password), "Russian in Latin letters", "parol: «kotik77»", "parol = None";
    Named("parola", Alone, Password), "Italian and Turkish", "parola: «segreta1»", "parola = None";
    Named("pass", Alone, Password), "pass", "DB_PASS=«hunter2»", "pass = None";
    Named("passcode", Joined, Password), "passcode", "passcode: «{d6}»", "passcode = None";
    Named("passe", Alone, Password), "French, last word", "mot de passe : «soleil7»", "il passe par la porte";
    Named("passkey", Joined, Token), "passkey", "passkey=«{A24}»", "passkey: str";
    Named("passphrase", Joined, Password), "passphrase", "passphrase: «{p20}»", "passphrase = None";
    Named("passwd", Joined, Password), "passwd", "passwd=«{p8}»", "/etc/passwd is a file";
    Named("password", Joined, Password), "password", "password=«abc»", "the password field is empty";
    Named("passwords", Joined, Token), "passwords", "passwords: «{p16}»", "passwords = []";
    Named("passwort", Joined, Password), "German", "Passwort: «hund»", "Passwort = None";
    Named("pin", Alone, Weak), "PIN", "pin=«{d4}»", "pin = board.D4";
    Named("privatekey", Joined, Token), "private key", "private_key=«{b64}»", "private_key = load()";
    Named("psk", Alone, Password), "pre-shared key", "psk=«{p16}»", "psk = None";
    Named("pw", Alone, Password), "pw", "pw: «hunter2»", "pw = None";
    Named("pwd", Joined, Password), "pwd", "DB_PWD=«hunter2»", "cd $(pwd) && ls";
    Named("rediscliauth", Joined, Password), "variable of redis-cli", "REDISCLI_AUTH=«hunter22»", "REDISCLI_AUTH is a variable";
    Named("requirepass", Joined, Password), "Redis setting", "requirepass «{p16}»", "requirepass = None";
    Named("salasana", Joined, Password), "Finnish", "salasana: «kissa»", "salasana = None";
    Named("sandi", Alone, Password), "Indonesian, last word", "kata sandi: «kucing1»", "sandi = None";
    Named("secret", Joined, Password), "secret", "client_secret: «{p24}»", "the secret is out";
    Named("secretkey", Joined, Password), "secret key", "SECRET_KEY='«{p24}»'", "secret_key = os.environ['SECRET_KEY']";
    Named("secrets", Alone, Token), "secrets", "secrets: «{p16}»", "import secrets";
    Named("senha", Joined, Password), "Portuguese", "Senha: «gato»", "senha = None";
    Named("sessid", Joined, Token), "session id of PHP", "PHPSESSID=«{l26}»", "sessid = None";
    Named("sessionid", Joined, Token), "session id", "sessionid=«{l32}»", "session_id: str";
    Named("sessionkey", Joined, Token), "session key", "session_key=«{A32}»", "session_key = None";
    Named("sharedkey", Joined, Token), "shared key", "SharedKey «account:{b44}»", "shared_key = None";
    Named("sid", Alone, Weak), "session id, short", "Set-Cookie: sid=«{A32}»; Path=/", "sid = None";
    Named("sifre", Alone, Password), "Turkish, plain letters", "sifre: «kedi1234»", "sifre = None";
    Named("sig", Alone, Weak), "signature, short", "sig=«{A43}»", "sig = inspect.signature(f)";
    Named("signature", Joined, Weak), "signature", "signature=«{b44}»", "signature: (a, b)";
    Named("signingkey", Joined, Token), "signing key", "signing_key: «{b44}»", "signing_key = None";
    Named("ssn", Alone, Weak), "social security number", "ssn: «{d9}»", "className: button";
    Named("sshpass", Joined, Password), "variable of sshpass", "SSHPASS=«hunter» x", "sshpass is a tool";
    Named("storepass", Joined, Password), "key store password", "keytool -storepass «changeit»", "storepass = None";
    Named("tkn", Alone, Token), "token, short", "tkn=«{A20}»", "tkn = None";
    Named("token", Joined, Token), "token", "token: «{p16}»", "max_tokens: 4096 and a token bucket";
    Named("wachtwoord", Joined, Password), "Dutch", "wachtwoord: «hond»", "wachtwoord = None";
    Named("webhook", Alone, Weak), "webhook", "webhook=«{A40}»", "webhook: enabled";
    Named("zugangscode", Joined, Token), "German: access code", "Zugangscode: «{d6}»", "Zugangscode = None";
    Named("xapikey", Joined, Token), "x-api-key", "x-api-key: «{p12}»", "x-api-key is a header";
}

/// Schemes of authentication: words after which a space is enough.
pub(super) const SCHEMES: [&str; 9] = [
    "apikey",
    "basic",
    "bearer",
    "digest",
    "negotiate",
    "ntlm",
    "sharedkey",
    "ssws",
    "token",
];

/// What codes to log in with are called, behind another word.
pub(super) const CODES: [&str; 2] = ["code", "codes"];

/// Words behind a secret's name that leave it one: `SECRET_KEY_BASE`, `password_hash`.
const LEAVE: [&str; 24] = [
    "1",
    "2",
    "b64",
    "backup",
    "base",
    "base64",
    "confirm",
    "confirmation",
    "current",
    "dev",
    "enc",
    "encrypted",
    "hash",
    "id",
    "key",
    "live",
    "new",
    "old",
    "plain",
    "prod",
    "staging",
    "string",
    "test",
    "value",
];

/// Words at the end of a name that make its value a number or a date: `token_count`, `PASSWORD_MIN_LENGTH`.
const NUMBERS: [&str; 14] = [
    "age", "budget", "count", "date", "days", "expiry", "length", "limit", "max", "min", "size",
    "total", "ttl", "year",
];

/// Places in the table, ordered by the last letter of the name.
const BY_END: [u8; TABLE.len()] = {
    let mut order = [0; TABLE.len()];
    let (mut filled, mut letter) = (0, b'a');
    while letter <= b'z' {
        let mut at = 0;
        while at < TABLE.len() {
            let name = TABLE[at].0.as_bytes();
            if name[name.len() - 1] == letter {
                order[filled] = at as u8;
                filled += 1;
            }
            at += 1;
        }
        letter += 1;
    }
    order
};

/// Where in [`BY_END`] the names stand that end with a letter, by its place in the alphabet.
const ENDING_WITH: [(u8, u8); 32] = {
    let mut ranges = [(0, 0); 32];
    let mut at = 0;
    while at < BY_END.len() {
        let name = TABLE[BY_END[at] as usize].0.as_bytes();
        let range = &mut ranges[(name[name.len() - 1] & 31) as usize];
        if range.1 == 0 {
            range.0 = at as u8;
        }
        at += 1;
        range.1 = at as u8;
    }
    ranges
};

/// Which letters stand before the last two letters of a name or of a scheme, one bit each.
static THIRD: [u32; 1024] = ends().0;

/// Which letters stand before the last three letters of a name or of a scheme, by the third last letter and the last.
static FOURTH: [u32; 1024] = ends().1;

const fn ends() -> ([u32; 1024], [u32; 1024]) {
    let mut thirds = [0; 1024];
    let mut fourths = [0; 1024];
    let mut at = 0;
    while at < TABLE.len() + SCHEMES.len() + CODES.len() {
        let name = if at < TABLE.len() {
            TABLE[at].0.as_bytes()
        } else if at < TABLE.len() + SCHEMES.len() {
            SCHEMES[at - TABLE.len()].as_bytes()
        } else {
            CODES[at - TABLE.len() - SCHEMES.len()].as_bytes()
        };
        let last = name.len() - 1;
        // Any byte may stand before a name.
        let mut third = 0;
        while third < 32 {
            if name.len() == 2 || name[last - 2] & 31 == third {
                thirds[pair(name[last - 1], name[last])] |= 1 << third;
                fourths[pair(third, name[last])] |= match name.len() {
                    2 | 3 => u32::MAX,
                    _ => 1 << (name[last - 3] & 31),
                };
            }
            third += 1;
        }
        at += 1;
    }
    (thirds, fourths)
}

const fn pair(before: u8, last: u8) -> usize {
    (before as usize & 31) << 5 | last as usize & 31
}

/// Whether a word may end with a name or be a scheme, judged by its last four letters in either case. Tells most words
/// apart from all names.
#[inline]
pub(super) fn may_end(word: &[u8]) -> bool {
    match word {
        [.., fourth, third, before, last] => {
            THIRD[pair(*before, *last)] >> (third & 31) & 1 == 1
                && FOURTH[pair(*third, *last)] >> (fourth & 31) & 1 == 1
        }
        [third, before, last] => THIRD[pair(*before, *last)] >> (third & 31) & 1 == 1,
        [before, last] => THIRD[pair(*before, *last)] != 0,
        _ => false,
    }
}

/// The longest name that is looked at.
const LONGEST: usize = 64;

/// A name in lower case without separators, and where its words begin.
struct Letters {
    bytes: [u8; LONGEST],
    starts: u64,
    length: usize,
}

impl Letters {
    fn of(name: &[u8]) -> Self {
        let mut all = Self {
            bytes: [0; LONGEST],
            starts: 1,
            length: 0,
        };
        let mut before = b'_';
        for (at, byte) in name.iter().enumerate() {
            if byte.is_ascii_alphanumeric() {
                let after = name.get(at + 1).copied().unwrap_or(b'_');
                let starts = !before.is_ascii_alphanumeric()
                    || byte.is_ascii_uppercase()
                        && (before.is_ascii_lowercase()
                            || before.is_ascii_digit()
                            || before.is_ascii_uppercase() && after.is_ascii_lowercase())
                    || byte.is_ascii_digit() != before.is_ascii_digit();
                all.starts |= u64::from(starts) << all.length;
                all.bytes[all.length] = byte.to_ascii_lowercase();
                all.length += 1;
            }
            before = *byte;
        }
        all
    }

    fn is_start(&self, at: usize) -> bool {
        at >= self.length || self.starts >> at & 1 == 1
    }

    /// The surest of the names that end here.
    fn strength_before(&self, end: usize) -> Option<Strength> {
        let strength = strongest(&self.bytes[..end], |start| self.is_start(start))?;
        if self.leaves(end) {
            return Some(strength);
        }
        (!self.is_number()).then_some(Weak)
    }

    /// Whether the last word makes the value a number.
    #[cold]
    #[inline(never)]
    fn is_number(&self) -> bool {
        let last = (0..self.length).rfind(|at| self.is_start(*at));
        let last = &self.bytes[last.unwrap_or(0)..self.length];
        NUMBERS.iter().any(|word| word.as_bytes() == last)
    }

    /// Whether only words follow that leave a secret one.
    fn leaves(&self, mut at: usize) -> bool {
        while at < self.length {
            let end = (at + 1..self.length).find(|end| self.is_start(*end));
            let end = end.unwrap_or(self.length);
            let word = &self.bytes[at..end];
            if !LEAVE.iter().any(|known| known.as_bytes() == word) {
                return false;
            }
            at = end;
        }
        true
    }
}

/// The surest of the names at the end of these letters. `is_start` returns whether a word begins at a letter.
fn strongest(letters: &[u8], is_start: impl Fn(usize) -> bool) -> Option<Strength> {
    if !may_end(letters) {
        return None;
    }
    let last = *letters.last()?;
    let (from, to) = ENDING_WITH[usize::from(last & 31)];
    let names = &BY_END[usize::from(from)..usize::from(to)];
    let fitting = names.iter().filter_map(|at| {
        let Named(known, stands, strength) = &TABLE[usize::from(*at)];
        let start = letters.len().checked_sub(known.len())?;
        let fits = letters[start] == known.as_bytes()[0]
            && (*stands == Joined || is_start(start))
            && letters[start..] == *known.as_bytes();
        fits.then_some(*strength)
    });
    fitting.max()
}

/// How surely a name is that of a secret; `None` if it is not one.
pub(super) fn strength(name: &str) -> Option<Strength> {
    if name.len() > LONGEST || name.len() < 2 {
        return None;
    }
    // Nothing but small letters is one word: a name stands at its end or not at all.
    if name.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return strongest(name.as_bytes(), |start| start == 0);
    }
    let letters = Letters::of(name.as_bytes());
    // Names end where words do. Bit `end - 1` stands for a word that ends before `end`.
    let mut ends = letters.starts >> 1;
    if letters.length > 0 {
        ends |= 1 << (letters.length - 1);
    }
    let mut best = None;
    while ends != 0 {
        let end = ends.trailing_zeros() as usize + 1;
        ends &= ends - 1;
        best = best.max(letters.strength_before(end));
    }
    best
}

/// Whether a value under this name, such as that of a member of a JSON object, is taken for a secret whatever it is.
///
/// ```
/// assert!(unstuck_text::names_a_secret("db_password"));
/// assert!(!unstuck_text::names_a_secret("className"));
/// ```
pub fn names_a_secret(name: &str) -> bool {
    if name.is_ascii() {
        return strength(name).is_some();
    }
    let mut from = 0;
    super::foreign::next_name(name, &mut from).is_some()
}

/// Whether an environment variable holds a secret of this program: `UNSTUCK_…` with the name of a secret. Programs that
/// are started do not get it.
///
/// ```
/// assert!(unstuck_text::names_own_secret("UNSTUCK_MCP_TOKEN"));
/// assert!(!unstuck_text::names_own_secret("UNSTUCK_HOME"));
/// assert!(!unstuck_text::names_own_secret("GITHUB_TOKEN"));
/// ```
pub fn names_own_secret(variable: &str) -> bool {
    variable.starts_with("UNSTUCK_") && names_a_secret(variable)
}

#[cfg(test)]
#[path = "names_tests.rs"]
mod tests;
