//! Invented secrets: shapes filled with characters that a fixed sequence gives.

#![allow(
    dead_code,
    reason = "every test that includes this file uses a part of it"
)]

/// Secrets in text as tools are given them.
pub(crate) const ATTACKS: &str = include_str!("attack-shapes.txt");

/// Secrets in arguments, as JSON.
pub(crate) const STRUCTURED: &str = include_str!("structured-shapes.txt");

/// Lines without a secret.
pub(crate) const ORDINARY: &str = include_str!("ordinary-lines.txt");

/// A text with secrets in it.
pub(crate) struct Shape {
    pub(crate) text: String,
    pub(crate) secrets: Vec<String>,
}

/// All shapes, filled.
pub(crate) fn all() -> Vec<Shape> {
    let mut numbers = Numbers::new();
    include_str!("secret-shapes.txt")
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .map(|line| shape(line, &mut numbers))
        .collect()
}

/// The lines of a list, filled with what a seed gives, and whether each is marked as one that is not mended yet.
pub(crate) fn list(lines: &str, seed: u64) -> Vec<(bool, Shape)> {
    let mut numbers = Numbers::seeded(seed);
    lines
        .lines()
        .filter(|line| !line.starts_with("# ") && !line.is_empty())
        .map(|line| match line.strip_prefix("~ ") {
            Some(line) => (true, shape(line, &mut numbers)),
            None => (false, shape(line, &mut numbers)),
        })
        .collect()
}

impl Shape {
    /// Whether a text still holds one of the secrets.
    pub(crate) fn leaks_into(&self, clean: &str) -> bool {
        self.secrets.iter().any(|secret| clean.contains(&**secret))
    }
}

/// A shape, filled. What stands between `«` and `»` is secret.
pub(crate) fn shape(line: &str, numbers: &mut Numbers) -> Shape {
    let filled = fill(&line.replace("\\n", "\n"), numbers);
    let marked = filled.split('«').skip(1);
    let mut secrets: Vec<String> = marked
        .filter_map(|rest| rest.split('»').next())
        .map(str::to_owned)
        .collect();
    let text = filled.replace(['«', '»'], "");
    if secrets.is_empty() {
        // The longest run without a space is the secret.
        let longest = text.split(' ').max_by_key(|word| word.len());
        secrets.extend(longest.map(str::to_owned));
    }
    // Half of a secret is one, too.
    for secret in secrets.clone() {
        if secret.len() >= 24 {
            let half = secret.chars().count() / 2;
            secrets.push(secret.chars().skip(half).collect());
            secrets.push(secret.chars().take(half).collect());
        }
    }
    Shape { text, secrets }
}

fn fill(line: &str, numbers: &mut Numbers) -> String {
    const LOWER: &[u8] = b"abcdefghijklmnopqrstuvwxyz0123456789";
    const UPPER: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    const MIXED: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    const BASE64: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const SIGNS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!#$%*_-^";
    const HEX: &[u8] = b"0123456789abcdef";
    let mut out = String::new();
    let mut rest = line;
    while let Some(open) = rest.find('{') {
        let (before, from) = rest.split_at(open);
        out.push_str(before);
        let hole = from[1..].split('}').next().unwrap_or_default();
        let length: usize = hole
            .get(1..)
            .and_then(|text| text.parse().ok())
            .unwrap_or(0);
        let letters = match hole.get(..1) {
            Some("A") => MIXED,
            Some("l") => LOWER,
            Some("u") => UPPER,
            Some("h") => HEX,
            Some("d") => b"0123456789",
            Some("b") => BASE64,
            Some("p") => SIGNS,
            Some("G") if hole == "G" => {
                let parts = [8, 4, 4, 4, 12].map(|length| numbers.text(HEX, length));
                out.push_str(&parts.join("-"));
                rest = &from[3..];
                continue;
            }
            Some("C" | "c" | "I" | "i" | "w" | "W") if hole.len() == 1 => {
                out.push_str(&match hole {
                    "C" => grouped(&numbers.card()),
                    "c" => numbers.card(),
                    "I" => grouped(&numbers.account()),
                    "i" => numbers.account(),
                    "w" => numbers.pick(&WORDS).to_owned() + &numbers.digits(),
                    _ => numbers.password(),
                });
                rest = &from[3..];
                continue;
            }
            Some("S") if seed_words(hole).is_some() => {
                let (words, between, count) = seed_words(hole).unwrap_or((&[], "", 0));
                let words: Vec<&str> = (0..count).map(|_| numbers.pick(words)).collect();
                out.push_str(&words.join(between));
                rest = &from[hole.len() + 2..];
                continue;
            }
            Some("s") => b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
            // No hole after all, but JSON.
            _ => {
                out.push('{');
                rest = &from[1..];
                continue;
            }
        };
        if length == 0 {
            out.push('{');
            rest = &from[1..];
            continue;
        }
        out.push_str(&numbers.text(letters, length));
        rest = &from[hole.len() + 2..];
    }
    out.push_str(rest);
    out
}

/// A fixed sequence of numbers.
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn new() -> Self {
        Self::seeded(0)
    }

    pub(crate) fn seeded(seed: u64) -> Self {
        let mut numbers = Self(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(2 * seed + 1));
        if seed > 0 {
            // Seeds that differ little begin alike.
            (0..16).for_each(|_| {
                numbers.next();
            });
        }
        numbers
    }

    fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[(self.next() >> 20) as usize % words.len()]
    }

    /// Two to four digits.
    fn digits(&mut self) -> String {
        let length = 2 + (self.next() >> 20) as usize % 3;
        self.text(b"0123456789", length)
    }

    /// A password as forms ask for it: a word with a capital, digits and a sign.
    fn password(&mut self) -> String {
        let word = self.pick(&WORDS);
        let (first, rest) = word.split_at(1);
        let digits = self.digits();
        let sign = self.text(b"!#$%*", 1);
        format!("{}{rest}{digits}{sign}", first.to_uppercase())
    }

    /// Sixteen digits of which the last one fits.
    fn card(&mut self) -> String {
        let digits = format!("4{}", self.text(b"0123456789", 14));
        let double = |digit: u32| if digit > 4 { digit * 2 - 9 } else { digit * 2 };
        let values = digits.bytes().map(|byte| u32::from(byte - b'0'));
        let sum: u32 = values
            .enumerate()
            .map(|(at, digit)| if at % 2 == 0 { double(digit) } else { digit })
            .sum();
        format!("{digits}{}", (10 - sum % 10) % 10)
    }

    /// A German account number with its check digits.
    fn account(&mut self) -> String {
        let digits = self.text(b"0123456789", 18);
        // `DE00` behind the digits, as numbers.
        let rest = format!("{digits}131400")
            .bytes()
            .fold(0, |rest, byte| (rest * 10 + u64::from(byte - b'0')) % 97);
        format!("DE{:02}{digits}", 98 - rest)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn text(&mut self, letters: &[u8], length: usize) -> String {
        let mut letter = || char::from(letters[(self.next() >> 20) as usize % letters.len()]);
        (0..length).map(|_| letter()).collect()
    }
}

/// Four letters a group.
fn grouped(letters: &str) -> String {
    let groups: Vec<&str> = letters
        .as_bytes()
        .chunks(4)
        .filter_map(|group| std::str::from_utf8(group).ok())
        .collect();
    groups.join(" ")
}

/// Words that people make passwords of.
const WORDS: [&str; 24] = [
    "tiger", "dragon", "summer", "winter", "monkey", "shadow", "master", "sunshine", "hunter",
    "flower", "orange", "purple", "rocket", "guitar", "soccer", "coffee", "banana", "silver",
    "autumn", "berlin", "london", "pepper", "ginger", "falcon",
];

/// The seed words of a hole such as `Sen12`, what stands between them, and how many there are.
fn seed_words(hole: &str) -> Option<(&'static [&'static str], &'static str, usize)> {
    let language = hole.get(1..3)?;
    let count = hole.get(3..)?.parse().ok()?;
    let (_, words) = SEED_WORDS.iter().find(|(name, _)| *name == language)?;
    let between = if language == "ja" { "\u{3000}" } else { " " };
    Some((words, between, count))
}

/// Some seed words of each language.
const SEED_WORDS: [(&str, &[&str]); 9] = [
    (
        "en",
        &[
            "ripple", "scissors", "kick", "mammal", "hire", "column", "oak", "again", "sun",
            "offer", "wealth", "tomorrow", "wagon", "turn", "flat", "legal", "winner", "thank",
            "year", "wave", "sausage", "worth", "useful", "letter", "advice", "cage", "absurd",
            "amount", "doctor", "acoustic", "avoid", "above",
        ],
    ),
    (
        "es",
        &[
            "ábaco", "abdomen", "abeja", "abierto", "abogado", "abono", "aborto", "abrazo",
            "cable", "cacao", "cadáver", "cadena", "caer", "café", "caída", "dados", "daño",
            "dardo", "datos", "deber", "débil", "eco", "edad", "edición", "fábrica", "gaita",
            "hábil", "ícono", "lado", "maceta", "nación", "oasis",
        ],
    ),
    (
        "fr",
        &[
            "abaisser",
            "abandon",
            "abdiquer",
            "abeille",
            "abolir",
            "aborder",
            "aboutir",
            "aboyer",
            "abrasif",
            "badge",
            "bagage",
            "bague",
            "bambou",
            "cabanon",
            "cadeau",
            "caféine",
            "caillou",
            "danger",
            "décaler",
            "déclarer",
            "écharpe",
            "éclair",
            "fabuleux",
            "galerie",
            "habitude",
            "ignorer",
            "jaguar",
            "kayak",
            "lactose",
            "machine",
            "nager",
            "obéir",
        ],
    ),
    (
        "it",
        &[
            "abaco", "abbaglio", "abbinato", "abete", "abisso", "abolire", "abrasivo", "badile",
            "bagnato", "balcone", "cabina", "cadetto", "caffeina", "dado", "daino", "dattero",
            "ebano", "ebbro", "eclissi", "fachiro", "fagotto", "gabbiano", "gallo", "iberico",
            "lacca", "maceria", "nababbo", "oasi", "pacato", "quadro", "rabbia", "sabato",
        ],
    ),
    (
        "pt",
        &[
            "abacate", "abaixo", "abalar", "abater", "abduzir", "abelha", "aberto", "abismo",
            "bacia", "baixo", "balada", "cabelo", "cabide", "cabo", "debaixo", "decente", "ebulir",
            "economia", "fabricar", "fachada", "gabarito", "ganhar", "habitar", "iceberg",
            "jabuti", "lacre", "macaco", "nacional", "obeso", "pacato", "quadro", "rabanada",
        ],
    ),
    (
        "cs",
        &[
            "abdikace", "abeceda", "adresa", "agrese", "akce", "aktovka", "alej", "alkohol",
            "babka", "bachor", "bahno", "balkon", "celer", "celkem", "cenovka", "datel", "debata",
            "dech", "ebenova", "efekt", "fakulta", "fanda", "garance", "glosa", "hadice", "hala",
            "idea", "jablko", "kabina", "lachtan", "magie", "nabytek",
        ],
    ),
    (
        "zh",
        &[
            "的", "一", "是", "在", "不", "了", "有", "和", "人", "这", "中", "大", "为", "上",
            "个", "国", "我", "以", "要", "他", "时", "来", "用", "们", "生", "到", "作", "地",
            "于", "出", "就", "分",
        ],
    ),
    (
        "ja",
        &[
            "あいこくしん",
            "あいさつ",
            "あいだ",
            "あおぞら",
            "あかちゃん",
            "あきる",
            "あけがた",
            "あける",
            "いきなり",
            "いきもの",
            "いきる",
            "いくじ",
            "うえる",
            "うおざ",
            "うかい",
            "えいえん",
            "えいが",
            "えいきょう",
            "おいかける",
            "おいこす",
            "かいが",
            "かいがい",
            "きうい",
            "きおん",
            "くいず",
            "けいけん",
            "こいぬ",
            "さいかい",
            "しあい",
            "すあし",
            "せいかつ",
            "そあく",
        ],
    ),
    (
        "ko",
        &[
            "가격",
            "가끔",
            "가난",
            "가능",
            "가득",
            "가르침",
            "가뭄",
            "가방",
            "나들이",
            "나란히",
            "나머지",
            "다람쥐",
            "다리",
            "다방",
            "라디오",
            "라면",
            "마늘",
            "마당",
            "바가지",
            "바구니",
            "사건",
            "사계절",
            "아가씨",
            "아기",
            "자가용",
            "자격",
            "차남",
            "카드",
            "타입",
            "파란색",
            "하느님",
            "학교",
        ],
    ),
];
