//! Does a word look like a secret all by itself?

/// How issuers start their keys and tokens; a word that starts so and goes on is one.
const PREFIXES: [&str; 73] = [
    "sk-",
    "sk_",
    "pk_live_",
    "rk_live_",
    "rk_test_",
    "whsec_",
    "ghp_",
    "gho_",
    "ghu_",
    "ghs_",
    "ghr_",
    "github_pat_",
    "glpat-",
    "glptt-",
    "gldt-",
    "glrt-",
    "glsoat-",
    "xoxb-",
    "xoxp-",
    "xoxa-",
    "xoxr-",
    "xoxs-",
    "xoxe",
    "xapp-",
    "AKIA",
    "ASIA",
    "ABIA",
    "ACCA",
    "AIza",
    "ya29.",
    "1//0",
    "GOCSPX-",
    "npm_",
    "pypi-",
    "rubygems_",
    "dckr_pat_",
    "hf_",
    "r8_",
    "gsk_",
    "pplx-",
    "xai-",
    "sbp_",
    "shpat_",
    "shpca_",
    "shpss_",
    "shppa_",
    "SG.",
    "key-",
    "dop_v1_",
    "doo_v1_",
    "dor_v1_",
    "hvs.",
    "hvb.",
    "hvr.",
    "s.",
    "b.",
    "lin_api_",
    "ntn_",
    "secret_",
    "figd_",
    "PMAK-",
    "EAAC",
    "EAAG",
    "sq0atp-",
    "sq0csp-",
    "sqOatp-",
    "atlasv1.",
    "dapi",
    "dp.pt.",
    "eyJ",
    "NRAK-",
    "glc_",
    "dt0c01.",
];

/// Does this run of letters, digits and the signs of base64 look like a key, a token or a hash?
pub(super) fn is_opaque(word: &str) -> bool {
    let word = word.trim_matches(['.', '-', '/', ':', '_', '%']);
    if word.len() < 12 {
        return false;
    }
    let starts = |prefix: &str| {
        word.strip_prefix(prefix)
            .is_some_and(|rest| rest.len() >= 8 && (prefix.len() > 2 || rest.len() >= 20))
    };
    let first = word.as_bytes().first();
    let alike = |prefix: &&&str| prefix.as_bytes().first() == first;
    if PREFIXES.iter().filter(alike).any(|prefix| starts(prefix)) {
        return true;
    }
    if is_uuid(word) {
        return true;
    }
    // A path is judged by its parts, and as a whole only where it could be base64.
    let base64 = !word.contains(['.', '_', '~', '%']) && !word.contains("--");
    (base64 && word.len() >= 32 && is_mixed(word))
        || word
            .split(['/', '.', '%', '~', ':'])
            .any(|part| is_random(part) || part.split(['_', '-']).any(is_random))
}

/// Is a part, within which nothing is separated, too irregular for a name?
fn is_random(part: &str) -> bool {
    let looks = Looks::of(part);
    let length = part.len();
    if length < 16 {
        return false;
    }
    let hex = part.bytes().all(|byte| byte.is_ascii_hexdigit());
    (hex && length >= 24 && looks.digits > 0)
        || (hex && looks.runs >= 4)
        || (length >= 20 && looks.upper > 0 && looks.lower > 0 && looks.digits > 0)
        || (looks.runs >= 4 && looks.digits >= 3)
        || (length >= 24 && looks.runs >= 3)
        || (length >= 24 && looks.upper >= 6 && looks.lower >= 6 && looks.bumps * 4 >= length)
}

/// Upper and lower case and digits throughout, as in base64.
fn is_mixed(word: &str) -> bool {
    let looks = Looks::of(word);
    looks.upper >= 3 && looks.lower >= 3 && looks.digits >= 1
}

fn is_uuid(word: &str) -> bool {
    let lengths = word.split('-').map(str::len);
    lengths.eq([8, 4, 4, 4, 12])
        && word
            .bytes()
            .all(|byte| byte == b'-' || byte.is_ascii_hexdigit())
}

#[derive(Default)]
struct Looks {
    upper: usize,
    lower: usize,
    digits: usize,
    /// Changes between letters and digits.
    runs: usize,
    /// Changes between any two kinds.
    bumps: usize,
}

impl Looks {
    fn of(word: &str) -> Self {
        let mut looks = Self::default();
        let mut last = None;
        for byte in word.bytes() {
            let kind = match byte {
                b'A'..=b'Z' => {
                    looks.upper += 1;
                    0
                }
                b'a'..=b'z' => {
                    looks.lower += 1;
                    1
                }
                b'0'..=b'9' => {
                    looks.digits += 1;
                    2
                }
                _ => continue,
            };
            if let Some(last) = last
                && last != kind
            {
                looks.bumps += 1;
                looks.runs += usize::from(last == 2 || kind == 2);
            }
            last = Some(kind);
        }
        looks
    }
}
