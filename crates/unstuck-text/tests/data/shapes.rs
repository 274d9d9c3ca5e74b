//! Invented secrets: shapes filled with characters that a fixed sequence gives.

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
            secrets.push(secret.chars().skip(secret.chars().count() / 2).collect());
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
            Some("C") if hole == "C" => {
                out.push_str("4111 1111 1111 1111");
                rest = &from[3..];
                continue;
            }
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
        Self(0x9e37_79b9_7f4a_7c15)
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
