//! What agents used, and the limits on it.

use std::{
    collections::{HashMap, HashSet},
    sync::Mutex,
};

use unstuck_llm::Used;
use unstuck_session::clock;

use crate::{guard::lock, ledger::Ledger};

/// Sessions that are counted at once. Further ones are counted for the day only.
const MOST_SESSIONS: usize = 4_096;

/// Models without a price that are remembered as reported.
const MOST_UNPRICED: usize = 64;

const DAY: i64 = 86_400_000;

/// Limits of a session or of a day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SpendingLimit {
    /// Millionths of a dollar.
    pub micros: Option<u64>,
    /// Tokens.
    pub tokens: Option<u64>,
}

/// What was used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Spent {
    /// Answers that said what they used.
    pub answers: u64,
    /// Tokens.
    pub tokens: u64,
    /// Millionths of a dollar, of the answers whose model has a price.
    pub micros: u64,
}

/// What an answer cost, in millionths of a dollar. `None` for a model without a price.
pub type PriceOf = dyn Fn(&Used) -> Option<u64> + Send + Sync;

/// How agents' spending is limited.
pub struct SpendingOptions {
    /// Limits of each session, for a day.
    pub session: SpendingLimit,
    /// Limits of all sessions together, for a day.
    pub day: SpendingLimit,
    /// Shares of a limit, in percent, at which an agent gets a message.
    pub warn_percent: Vec<u8>,
    /// What an answer cost, in millionths of a dollar. `None` for a model without a price.
    pub price: Box<PriceOf>,
    /// Directory of the files in which proxies write what was used. Without one, each proxy counts by itself.
    pub directory: Option<std::path::PathBuf>,
    /// The time in milliseconds since 1970.
    pub now: fn() -> i64,
}

impl Default for SpendingOptions {
    fn default() -> Self {
        Self {
            session: SpendingLimit::default(),
            day: SpendingLimit::default(),
            warn_percent: Vec::new(),
            price: Box::new(|used| used.cost_micros),
            directory: None,
            now: clock::now,
        }
    }
}

/// What was used today, and how it compares with the limits.
pub(crate) struct Spending {
    options: SpendingOptions,
    today: Mutex<Today>,
}

#[derive(Default)]
struct Today {
    /// Days since 1970. `None` before the first look.
    day: Option<i64>,
    all: Spent,
    sessions: HashMap<Box<str>, Spent>,
    /// The highest share that a session was warned of, for each limit.
    warned: HashMap<(Box<str>, Scope), u8>,
    unpriced: HashSet<Box<str>>,
    ledger: Option<Ledger>,
}

/// What a limit is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Scope {
    Session,
    Day,
}

/// What the limits say of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    Within,
    /// A share of a limit was passed since the last look.
    Warned(String),
    /// A limit is reached.
    Over(String),
}

impl Spending {
    pub(crate) fn new(options: SpendingOptions) -> Self {
        Self {
            options,
            today: Mutex::default(),
        }
    }

    /// Counts what an answer used. Returns the model if it has no price, once.
    pub(crate) fn spend(&self, session: &str, used: &Used) -> Option<Box<str>> {
        let mut today = self.today();
        let micros = (self.options.price)(used);
        let spent = Spent {
            answers: 1,
            tokens: used.tokens.total(),
            micros: micros.unwrap_or(0),
        };
        today.add(session, spent);
        if let Some(ledger) = &mut today.ledger {
            ledger.write(session, spent);
        }
        let is_new = micros.is_none()
            && spent.tokens > 0
            && today.unpriced.len() < MOST_UNPRICED
            && today.unpriced.insert(used.model.clone());
        is_new.then(|| used.model.clone())
    }

    /// What a session used today.
    pub(crate) fn of(&self, session: &str) -> Spent {
        let today = self.today();
        today.sessions.get(session).copied().unwrap_or_default()
    }

    /// Compares what a session and all of them used with the limits.
    pub(crate) fn standing(&self, session: &str) -> Standing {
        let options = &self.options;
        if options.session == SpendingLimit::default() && options.day == SpendingLimit::default() {
            return Standing::Within;
        }
        let mut today = self.today();
        today.catch_up();
        let of_session = today.sessions.get(session).copied().unwrap_or_default();
        let scopes = [
            (Scope::Session, options.session, of_session),
            (Scope::Day, options.day, today.all),
        ];
        for (scope, limit, spent) in scopes {
            if let Some(reached) = Share::largest(limit, spent).filter(|share| share.percent >= 100)
            {
                return Standing::Over(reached.over(scope, spent));
            }
        }
        let mut message = None;
        for (scope, limit, spent) in scopes {
            let Some(share) = Share::largest(limit, spent) else {
                continue;
            };
            let passed = options.warn_percent.iter().copied();
            let passed = passed.filter(|percent| u64::from(*percent) <= share.percent);
            let Some(passed) = passed.max() else { continue };
            let warned = today.warned.entry((session.into(), scope)).or_default();
            if passed > *warned {
                *warned = passed;
                message.get_or_insert_with(|| share.warning(scope));
            }
        }
        message.map_or(Standing::Within, Standing::Warned)
    }

    /// The account of today. A new day begins with an empty one.
    fn today(&self) -> std::sync::MutexGuard<'_, Today> {
        let mut today = lock(&self.today);
        let now = (self.options.now)();
        let day = Some(now.div_euclid(DAY));
        if today.day != day {
            let directory = self.options.directory.as_deref();
            *today = Today {
                day,
                ledger: directory.and_then(|directory| Ledger::open(directory, now)),
                ..Today::default()
            };
            today.catch_up();
        }
        today
    }
}

impl Today {
    fn add(&mut self, session: &str, spent: Spent) {
        self.all.add(spent);
        if let Some(known) = self.sessions.get_mut(session) {
            known.add(spent);
        } else if self.sessions.len() < MOST_SESSIONS {
            self.sessions.insert(session.into(), spent);
        }
    }

    /// Adds what other proxies wrote since the last look.
    fn catch_up(&mut self) {
        let Some(ledger) = &mut self.ledger else {
            return;
        };
        for (session, spent) in ledger.read() {
            self.add(&session, spent);
        }
    }
}

impl Spent {
    fn add(&mut self, more: Self) {
        self.answers = self.answers.saturating_add(more.answers);
        self.tokens = self.tokens.saturating_add(more.tokens);
        self.micros = self.micros.saturating_add(more.micros);
    }
}

/// How much of a limit was used.
struct Share {
    percent: u64,
    used: String,
    limit: String,
    setting: &'static str,
}

impl Share {
    /// The limit of which the largest share was used.
    fn largest(limit: SpendingLimit, spent: Spent) -> Option<Self> {
        let money = limit.micros.map(|limit| Self {
            percent: percent(spent.micros, limit),
            used: rounded(spent.micros, digits(limit)),
            limit: rounded(limit, 6),
            setting: "dollars",
        });
        let tokens = limit.tokens.map(|limit| Self {
            percent: percent(spent.tokens, limit),
            used: format!("{} tokens", spent.tokens),
            limit: format!("{limit} tokens"),
            setting: "tokens",
        });
        money
            .into_iter()
            .chain(tokens)
            .max_by_key(|share| share.percent)
    }

    fn warning(&self, scope: Scope) -> String {
        let Self { used, limit, .. } = self;
        let whose = match scope {
            Scope::Session => "this session",
            Scope::Day => "all sessions together",
        };
        format!(
            "[unstuck] {}% of the limit of {whose} is used: {used} of {limit} today. At the limit the run is stopped. Finish what matters most, and say what is left to do.",
            self.percent
        )
    }

    fn over(&self, scope: Scope, spent: Spent) -> String {
        let Self {
            used,
            limit,
            setting,
            ..
        } = self;
        let (whose, name) = match scope {
            Scope::Session => ("this session", "session"),
            Scope::Day => ("all sessions together", "day"),
        };
        format!(
            "[unstuck] The limit of {whose} is reached: {used} of {limit} today. In all, {} answer{} used {} tokens{}. To go on, raise `spending.{name}_{setting}` in the user's unstuck.toml and start the proxy again, or wait for the next day (UTC).",
            spent.answers,
            if spent.answers == 1 { "" } else { "s" },
            spent.tokens,
            cost(spent).map_or_else(String::new, |cost| format!(" for {cost}"))
        )
    }
}

fn percent(used: u64, limit: u64) -> u64 {
    let share = u128::from(used) * 100 / u128::from(limit.max(1));
    u64::try_from(share).unwrap_or(u64::MAX)
}

/// What was used, in dollars. `None` if no price is known.
fn cost(spent: Spent) -> Option<String> {
    (spent.micros > 0 || spent.tokens == 0).then(|| dollars(spent.micros))
}

/// `$12.40`, rounded; small sums as less than a cent, so that they do not look free.
pub fn dollars(micros: u64) -> String {
    match micros {
        1..10_000 => "under 1¢".to_owned(),
        _ => rounded(micros, 2),
    }
}

/// Decimal places in which a part of a limit can be told from the whole.
fn digits(limit: u64) -> u32 {
    match limit {
        1_000_000.. => 2,
        10_000.. => 4,
        _ => 6,
    }
}

/// Dollars rounded to so many decimal places, at most six, without zeros behind the cents.
fn rounded(micros: u64, digits: u32) -> String {
    let step = 10_u64.pow(6_u32.saturating_sub(digits));
    let micros = micros.saturating_add(step / 2) / step * step;
    let parts = format!("{:06}", micros % 1_000_000);
    let (cents, rest) = parts.split_at(2);
    format!(
        "${}.{cents}{}",
        micros / 1_000_000,
        rest.trim_end_matches('0')
    )
}

#[cfg(test)]
#[path = "spending_tests.rs"]
mod tests;
