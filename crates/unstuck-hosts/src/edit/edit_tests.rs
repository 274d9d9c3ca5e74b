use proptest::prelude::*;

use super::*;

fn step(at: usize, text: &str) -> Step {
    Step {
        at,
        text: text.to_owned(),
    }
}

#[test]
fn steps_are_taken_back_last_first() {
    let steps = [step(1, "[]"), step(2, "x")];
    assert_eq!(undo("a[x]b", &steps), Some("ab".to_owned()));
}

#[test]
fn steps_that_no_longer_fit_are_not_taken_back() {
    for text in ["a[y]b", "a", "", "aé[x]b"] {
        assert_eq!(undo(text, &[step(1, "[]"), step(2, "x")]), None, "{text}");
    }
    assert_eq!(undo("a", &[step(usize::MAX, "x")]), None);
}

#[test]
fn an_error_counts_lines_and_characters() {
    let error = EditError::new("é\näö!", 7, "here");
    assert_eq!((error.line, error.column), (2, 3));
}

/// A group of the kind most hosts have.
pub(super) fn group(command: &str) -> Node {
    let handler = Node::Table(vec![
        ("type", Node::Text("command".to_owned())),
        ("command", Node::Text(command.to_owned())),
        ("timeout", Node::Number(5)),
    ]);
    Node::Table(vec![
        ("matcher", Node::Text("*".to_owned())),
        ("hooks", Node::List(vec![handler])),
    ])
}

pub(super) fn wish(event: &str, command: &str) -> Wish {
    Wish {
        list: vec!["hooks".to_owned(), event.to_owned()],
        element: group(command),
    }
}

pub(super) fn is_guard(command: &str) -> bool {
    command == "guard"
}

/// A document of any shape: members with or without hooks in them, white space and comments anywhere.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    members: Vec<(String, Value)>,
    trivia: Vec<u8>,
    trailing: Vec<bool>,
}

#[derive(Clone, Debug)]
enum Value {
    Scalar(String),
    List(Vec<Self>),
    Table(Vec<(String, Self)>),
}

fn scalar() -> impl Strategy<Value = Value> {
    let word = prop_oneof![
        Just("1".to_owned()),
        Just("null".to_owned()),
        Just(r#""a // b""#.to_owned()),
        Just(r#""/* \" """#.replace(r#"" ""#, r#"""#)),
        Just(r#""ünï, ]}""#.to_owned()),
        "[a-z]{1,6}".prop_map(|word| format!("\"{word}\"")),
    ];
    word.prop_map(Value::Scalar)
}

fn value() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::List),
            prop::collection::vec(("[a-z]{1,4}", inner), 0..3).prop_map(Value::Table),
        ]
    })
}

fn foreign() -> impl Strategy<Value = Value> {
    let handler = |command: String| {
        Value::Table(vec![(
            "command".to_owned(),
            Value::Scalar(format!("\"{command}\"")),
        )])
    };
    let hooks = prop::collection::vec("[a-z]{1,4}".prop_map(handler), 0..3);
    hooks.prop_map(|hooks| Value::Table(vec![("hooks".to_owned(), Value::List(hooks))]))
}

/// A `hooks` table with other people's hooks.
fn hooks() -> impl Strategy<Value = Value> {
    let event = prop_oneof![Just("Before"), Just("After"), Just("Other")];
    let list = prop::collection::vec(foreign(), 0..3).prop_map(Value::List);
    prop::collection::btree_map(event, list, 0..3).prop_map(|events| {
        let events = events.into_iter();
        Value::Table(
            events
                .map(|(event, list)| (event.to_owned(), list))
                .collect(),
        )
    })
}

impl Tree {
    pub(super) fn any() -> impl Strategy<Value = Self> {
        let members = prop::collection::vec(("[a-f]{1,3}", value()), 0..4);
        (
            members,
            prop::option::of((0_usize..5, hooks())),
            prop::collection::vec(any::<u8>(), 1..40),
            prop::collection::vec(any::<bool>(), 1..10),
        )
            .prop_map(|(mut members, hooks, trivia, trailing)| {
                if let Some((at, hooks)) = hooks {
                    members.insert(at.min(members.len()), ("hooks".to_owned(), hooks));
                }
                Self {
                    members,
                    trivia,
                    trailing,
                }
            })
    }

    pub(super) fn to_json(&self) -> String {
        let mut writer = Writer {
            tree: self,
            text: String::new(),
            trivia: 0,
            trailing: 0,
        };
        writer.trivia();
        writer.value(&Value::Table(self.members.clone()));
        writer.trivia();
        writer.text
    }
}

struct Writer<'a> {
    tree: &'a Tree,
    text: String,
    trivia: usize,
    trailing: usize,
}

impl Writer<'_> {
    fn trivia(&mut self) {
        let seeds = &self.tree.trivia;
        self.trivia += 1;
        self.text
            .push_str(match seeds[self.trivia % seeds.len()] % 16 {
                0..=4 => "",
                5 | 6 => " ",
                7 => "\n",
                8 => "\n    ",
                9 => "\r\n\t",
                10 => " // a note\n",
                11 => "// one, \"two\" ]\r\n  ",
                12 => "/* there */",
                13 => " /* over\n lines */ ",
                14 => " // first\n // second\n",
                _ => "\n\n",
            });
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Scalar(text) => self.text.push_str(text),
            Value::List(items) => self.items('[', items.iter().map(|item| (None, item)), ']'),
            Value::Table(members) => {
                let members = members.iter().map(|(key, value)| (Some(key), value));
                self.items('{', members, '}');
            }
        }
    }

    fn items<'a>(
        &mut self,
        open: char,
        items: impl Iterator<Item = (Option<&'a String>, &'a Value)>,
        close: char,
    ) {
        self.text.push(open);
        let mut count = 0;
        for (key, value) in items {
            if count > 0 {
                self.trivia();
                self.text.push(',');
            }
            count += 1;
            self.trivia();
            if let Some(key) = key {
                self.text.extend(["\"", key, "\""]);
                self.trivia();
                self.text.push(':');
                self.trivia();
            }
            self.value(value);
        }
        self.trivia();
        let choices = &self.tree.trailing;
        self.trailing += 1;
        if count > 0 && choices[self.trailing % choices.len()] {
            self.text.push(',');
            self.trivia();
        }
        self.text.push(close);
    }
}
