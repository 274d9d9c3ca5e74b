//! Parses words into commands and the operators between them.

use std::borrow::Cow;

use crate::{
    expansion::MAX_DEPTH,
    lexer::Lexer,
    script::{Link, Redirect, RedirectKind, Role, Script, Simple, Token},
    word::Word,
};

/// A text of more bytes is not looked at.
pub(crate) const MAX_BYTES: usize = 128 * 1024;

/// A script of more simple commands, or a command of more words, is not looked at.
const MAX_COMMANDS: usize = 1_024;
const MAX_WORDS: usize = 4_096;

/// Most commands have no more words.
const USUAL_WORDS: usize = 6;

impl<'s> Script<'s> {
    /// Parses a script. `None` if this parser does not understand it.
    pub fn parse(text: &'s str) -> Option<Self> {
        if text.len() > MAX_BYTES {
            return None;
        }
        Parser {
            lexer: Lexer::new(text),
            script: Self::default(),
            link: Link::Start,
            last: Last::Nothing,
            open: Vec::new(),
            documents: Vec::new(),
        }
        .script()
    }
}

/// The kind of item that was parsed last.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    /// Nothing, or a keyword after which a command must come.
    Nothing,
    Command,
    /// A keyword that closes: only redirections and links may follow.
    Closed,
    /// A link after which a command must come.
    Joined,
    /// A link after which the script, or what was opened, may end.
    Ended,
}

/// A construct that was opened and has to be closed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    If,
    Loop,
    Brace,
    Parenthesis,
}

/// A document that was announced and begins on the next line.
struct Document<'s> {
    command: usize,
    redirect: usize,
    end: Word<'s>,
    tabs: Tabs,
}

/// What happens with tabs at the start of a document's lines.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tabs {
    Stay,
    Go,
}

struct Parser<'s> {
    lexer: Lexer<'s>,
    script: Script<'s>,
    /// The operator before the next command.
    link: Link,
    last: Last,
    open: Vec<Open>,
    documents: Vec<Document<'s>>,
}

impl<'s> Parser<'s> {
    fn script(mut self) -> Option<Script<'s>> {
        loop {
            self.lexer.skip_blanks();
            let Some(next) = self.lexer.peek() else { break };
            match next {
                b'\n' => {
                    self.lexer.take("\n");
                    self.documents()?;
                    // Elsewhere a new line has no effect.
                    if matches!(self.last, Last::Command | Last::Closed) {
                        self.join(Link::Then)?;
                    }
                }
                b';' => {
                    self.lexer.take(";");
                    self.join(Link::Then)?;
                }
                b'&' if !self.lexer.comes("&>") => {
                    let link = if self.lexer.take("&&") {
                        Link::And
                    } else {
                        self.lexer.take("&");
                        Link::Background
                    };
                    self.join(link)?;
                }
                b'|' => {
                    let link = if self.lexer.take("||") {
                        Link::Or
                    } else {
                        let _ = self.lexer.take("|&") || self.lexer.take("|");
                        Link::Pipe
                    };
                    self.join(link)?;
                }
                b'(' => self.open("(", Open::Parenthesis)?,
                b')' => {
                    self.lexer.take(")");
                    self.close(")", Open::Parenthesis)?;
                }
                _ => self.command()?,
            }
        }
        let complete = matches!(self.last, Last::Command | Last::Closed | Last::Ended);
        let empty = self.script.commands.is_empty();
        self.script.background = self.link == Link::Background;
        (complete && !empty && self.open.is_empty() && self.documents.is_empty())
            .then_some(self.script)
    }

    fn join(&mut self, link: Link) -> Option<()> {
        if !matches!(self.last, Last::Command | Last::Closed) {
            return None;
        }
        self.link = link;
        self.last = match link {
            Link::Then | Link::Background => Last::Ended,
            _ => Last::Joined,
        };
        if !self.script.tokens.is_empty() {
            self.script.tokens.push(Token::Link(link));
        }
        Some(())
    }

    fn open(&mut self, keyword: &'static str, open: Open) -> Option<()> {
        if matches!(self.last, Last::Command | Last::Closed) || self.open.len() >= MAX_DEPTH {
            return None;
        }
        if open == Open::Parenthesis {
            // `((` is arithmetic.
            self.lexer.take("(");
            if self.lexer.peek() == Some(b'(') {
                return None;
            }
        }
        self.open.push(open);
        self.keyword(keyword);
        Some(())
    }

    fn close(&mut self, keyword: &'static str, open: Open) -> Option<()> {
        if !matches!(self.last, Last::Command | Last::Closed | Last::Ended)
            || self.open.pop() != Some(open)
        {
            return None;
        }
        self.keyword(keyword);
        self.last = Last::Closed;
        Some(())
    }

    /// A keyword after which a command must come.
    fn keyword(&mut self, keyword: &'static str) {
        if self.script.tokens.is_empty() {
            for (at, command) in self.script.commands.iter().enumerate() {
                if command.link != Link::Start {
                    self.script.tokens.push(Token::Link(command.link));
                }
                self.script.tokens.push(Token::Command(at));
            }
            if self.link != Link::Start {
                self.script.tokens.push(Token::Link(self.link));
            }
        }
        self.script.tokens.push(Token::Keyword(keyword));
        self.link = Link::Start;
        self.last = Last::Nothing;
    }

    /// A simple command, or a keyword in its place.
    fn command(&mut self) -> Option<()> {
        let closed = self.last == Last::Closed;
        let mut only_redirects = closed;
        if self.last == Last::Command || self.script.commands.len() >= MAX_COMMANDS {
            return None;
        }
        let mut command = Simple {
            link: self.link,
            role: Role::Command,
            assignments: Vec::new(),
            words: Vec::with_capacity(USUAL_WORDS),
            redirects: Vec::new(),
        };
        loop {
            self.lexer.skip_blanks();
            match self.lexer.peek() {
                None | Some(b'\n' | b';' | b'|' | b')') => break,
                Some(b'&') if !self.lexer.comes("&>") => break,
                Some(b'(') => return None,
                _ => {}
            }
            if self.redirect(&mut command)? {
                continue;
            }
            if only_redirects {
                return None;
            }
            if command.words.is_empty()
                && let Some(name) = self.lexer.assigned_name()
            {
                // `a=(1 2)`
                if self.lexer.peek() == Some(b'(') {
                    return None;
                }
                command.assignments.push((name, self.lexer.word()?));
                continue;
            }
            let word = self.lexer.word()?;
            let is_first = command.words.is_empty()
                && command.assignments.is_empty()
                && command.redirects.is_empty();
            if is_first && let Some(bare) = word.as_bare() {
                match self.reserved(bare, &mut command)? {
                    Reserved::No => {}
                    Reserved::Keyword => return Some(()),
                    Reserved::Header => continue,
                    Reserved::Condition => {
                        only_redirects = true;
                        continue;
                    }
                }
            }
            if command.words.len() >= MAX_WORDS {
                return None;
            }
            command.words.push(word);
        }
        if command.role == Role::Header
            && !(command.assignments.is_empty() && command.redirects.is_empty())
        {
            return None;
        }
        let empty = command.words.is_empty() && command.assignments.is_empty();
        if empty && !command.redirects.iter().any(Redirect::matters) {
            // `done 2>&1` ends what came before; by itself it is nothing.
            self.last = Last::Command;
            return closed.then_some(());
        }
        self.push(command);
        Some(())
    }

    fn push(&mut self, command: Simple<'s>) {
        if !self.script.tokens.is_empty() {
            self.script
                .tokens
                .push(Token::Command(self.script.commands.len()));
        }
        self.script.commands.push(command);
        self.link = Link::Start;
        self.last = Last::Command;
    }

    fn reserved(&mut self, word: &str, command: &mut Simple<'s>) -> Option<Reserved> {
        match word {
            "if" => self.open("if", Open::If)?,
            "then" | "elif" | "else" => {
                let keyword = match word {
                    "then" => "then",
                    "elif" => "elif",
                    _ => "else",
                };
                self.within(keyword, Open::If)?;
            }
            "while" => self.open("while", Open::Loop)?,
            "until" => self.open("until", Open::Loop)?,
            "do" => self.within("do", Open::Loop)?,
            "{" => self.open("{", Open::Brace)?,
            "!" => {
                if matches!(self.last, Last::Closed) {
                    return None;
                }
                self.keyword("!");
            }
            "fi" => self.close("fi", Open::If)?,
            "done" => self.close("done", Open::Loop)?,
            "}" => self.close("}", Open::Brace)?,
            "for" => {
                self.open("for", Open::Loop)?;
                command.link = Link::Start;
                command.role = Role::Header;
                return Some(Reserved::Header);
            }
            "[[" => {
                self.condition(command)?;
                return Some(Reserved::Condition);
            }
            "case" | "coproc" | "esac" | "function" | "in" | "select" => return None,
            _ => return Some(Reserved::No),
        }
        Some(Reserved::Keyword)
    }

    /// A keyword in the middle of what was opened.
    fn within(&mut self, keyword: &'static str, open: Open) -> Option<()> {
        if self.last != Last::Ended || self.open.last() != Some(&open) {
            return None;
        }
        self.keyword(keyword);
        Some(())
    }

    /// `[[ … ]]`: words, and operators that are words here.
    fn condition(&mut self, command: &mut Simple<'s>) -> Option<()> {
        const OPERATORS: [&str; 6] = ["&&", "||", "<", ">", "(", ")"];
        command.words.push(Word::spelled("[["));
        loop {
            if command.words.len() >= MAX_WORDS {
                return None;
            }
            self.lexer.skip_blanks();
            if self.lexer.take("\n") {
                continue;
            }
            if let Some(operator) = OPERATORS.into_iter().find(|text| self.lexer.take(text)) {
                command.words.push(Word::spelled(operator));
                continue;
            }
            let before = self.lexer.position();
            let word = self.lexer.word()?;
            // A regular expression has rules of its own, and a quoted bracket would be written without its quotes.
            if self.lexer.position() == before || word.text() == "=~" {
                return None;
            }
            if word.text() == "]]" {
                word.as_bare()?;
                command.words.push(Word::spelled("]]"));
                return Some(());
            }
            command.words.push(word);
        }
    }

    /// A redirection, if one comes.
    fn redirect(&mut self, command: &mut Simple<'s>) -> Option<bool> {
        let descriptor = self.lexer.descriptor();
        let lexer = &mut self.lexer;
        // Most words start with none of these.
        if descriptor.is_none() && !matches!(lexer.peek(), Some(b'<' | b'>' | b'&')) {
            return Some(false);
        }
        if descriptor.is_none() && (lexer.comes("<(") || lexer.comes(">(")) {
            return Some(false);
        }
        let kind = if lexer.take("<<<") {
            RedirectKind::Text
        } else if lexer.take("<<") {
            let tabs = if lexer.take("-") {
                Tabs::Go
            } else {
                Tabs::Stay
            };
            lexer.skip_blanks();
            let end = lexer.word()?;
            let end = end.as_literal().is_some().then_some(end)?;
            self.documents.push(Document {
                command: self.script.commands.len(),
                redirect: command.redirects.len(),
                end,
                tabs,
            });
            command.redirects.push(Redirect {
                descriptor,
                kind: RedirectKind::Text,
                target: Word::quoted(""),
            });
            return Some(true);
        } else if lexer.take("&>>") {
            RedirectKind::Append
        } else if lexer.take("&>") {
            RedirectKind::Both
        } else if lexer.take(">>") {
            RedirectKind::Append
        } else if lexer.take(">&") || lexer.take("<&") {
            RedirectKind::Duplicate
        } else if lexer.take(">|") || lexer.take(">") {
            RedirectKind::Output
        } else if lexer.take("<>") || lexer.take("<") {
            RedirectKind::Input
        } else if descriptor.is_some() {
            return None;
        } else {
            return Some(false);
        };
        lexer.skip_blanks();
        let before = lexer.position();
        let target = lexer.word()?;
        if lexer.position() == before {
            return None;
        }
        let is_number = |text: &str| text == "-" || text.bytes().all(|byte| byte.is_ascii_digit());
        let kind = match kind {
            // `>& file`
            RedirectKind::Duplicate if !target.as_literal().is_some_and(is_number) => {
                RedirectKind::Both
            }
            kind => kind,
        };
        command.redirects.push(Redirect {
            descriptor,
            kind,
            target,
        });
        Some(true)
    }

    /// The documents that were announced on the line that has ended.
    fn documents(&mut self) -> Option<()> {
        for document in std::mem::take(&mut self.documents) {
            let text = self.document(document.end.text(), document.tabs)?;
            let command = self.script.commands.get_mut(document.command)?;
            command.redirects.get_mut(document.redirect)?.target = Word::quoted(text);
        }
        Some(())
    }

    /// The lines up to the one that ends the document, without the last line's end.
    fn document(&mut self, end: &str, tabs: Tabs) -> Option<Cow<'s, str>> {
        let start = self.lexer.position();
        let mut stripped = String::new();
        let mut before = start;
        loop {
            let line = self.lexer.line()?;
            let line = match tabs {
                Tabs::Stay => line,
                Tabs::Go => line.trim_start_matches('\t'),
            };
            if line == end {
                break;
            }
            if tabs == Tabs::Go {
                stripped.push_str(line);
                stripped.push('\n');
            }
            before = self.lexer.position();
        }
        // The line's end belongs to the command line that announced the document.
        Some(match tabs {
            Tabs::Stay => {
                let text = &self.lexer.source()[start..before];
                Cow::Borrowed(text.strip_suffix('\n').unwrap_or(text))
            }
            Tabs::Go => {
                stripped.pop();
                Cow::Owned(stripped)
            }
        })
    }
}

/// The role of a word where a command may begin.
enum Reserved {
    No,
    /// A keyword, which has been dealt with.
    Keyword,
    /// The beginning of a command that goes on.
    Header,
    /// A whole condition: only redirections may follow.
    Condition,
}
