//! The commands of a session, as text.

use dwell_engine::simulate::{Mode, Rational};

/// What the user wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Take a transition, numbered from 1.
    Take(usize, Option<Rational>),
    /// Let time pass.
    Delay(Rational),
    /// This many random steps.
    Random(usize),
    /// Go back this many steps.
    Undo(usize),
    /// Go back to the start.
    Restart,
    /// Choose an initial state, numbered from 1.
    Start(usize),
    /// Change the mode.
    Mode(Mode),
    /// Show the whole state.
    State,
    /// Show the run so far.
    Path,
    /// Write the run to a file.
    Save(String),
    /// Follow a run from a file.
    Load(String),
    /// List the commands.
    Help,
    /// End.
    Quit,
    /// An empty line or a comment.
    Nothing,
}

/// Most random steps at once: all states of a run are kept.
pub const MOST_STEPS: usize = 100_000;

/// What `help` shows.
pub const HELP: &str = "\
commands, and their short forms:
  N              take transition N; with exact clocks as early as it can be taken
  N after D      take transition N after exactly this delay: 3, 5/2 or 2.5
  delay D    d   let time pass (with exact clocks)
  random K   r   K random steps, one without K
  undo K     u   go back K steps, one without K
  restart    rs  go back to the start
  start N    i   start in initial state N
  mode M     m   `zone`: all clock values at once; `concrete`: one for each clock
  state      s   show the whole state
  path       p   show the run so far
  save FILE  w   write the run as JSON
  load FILE  l   follow a run from JSON
  help       h   this list
  quit       q   end
";

impl Command {
    /// Reads a line, or says what is wrong with it.
    pub fn read(line: &str) -> Result<Self, String> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let command = match word {
            "" => return Ok(Self::Nothing),
            comment if comment.starts_with('#') => return Ok(Self::Nothing),
            number if number.starts_with(|c: char| c.is_ascii_digit()) => return take(line),
            "delay" | "d" => return delay(rest).map(Self::Delay),
            "random" | "r" => return count(word, rest, Some(1)).map(Self::Random),
            "undo" | "u" => return count(word, rest, Some(1)).map(Self::Undo),
            "start" | "i" => return count(word, rest, None).map(Self::Start),
            "mode" | "m" => return mode(rest),
            "save" | "w" => return file(word, rest).map(Self::Save),
            "load" | "l" => return file(word, rest).map(Self::Load),
            "restart" | "rs" => Self::Restart,
            "state" | "s" => Self::State,
            "path" | "p" => Self::Path,
            "help" | "h" | "?" => Self::Help,
            "quit" | "q" | "exit" => Self::Quit,
            _ => return Err(format!("there is no command `{}`; `help` lists them", shown(word))),
        };
        if rest.is_empty() {
            Ok(command)
        } else {
            Err(format!("`{word}` stands alone, without `{}`", shown(rest)))
        }
    }
}

/// What the user wrote, short and printable.
fn shown(text: &str) -> String {
    let printable: String = text.chars().take(40).flat_map(char::escape_debug).collect();
    if text.chars().nth(40).is_some() { printable + "…" } else { printable }
}

fn take(line: &str) -> Result<Command, String> {
    let wrong = || format!("`{}` is no transition: write `2` or `2 after 5/2`", shown(line));
    let mut words = line.split_whitespace();
    let number = words.next().and_then(|word| word.parse().ok()).ok_or_else(wrong)?;
    let after = match (words.next(), words.next(), words.next()) {
        (None, ..) => None,
        (Some("after" | "a"), Some(time), None) => Some(delay(time)?),
        _ => return Err(wrong()),
    };
    if number == 0 { Err("transitions are numbered from 1".into()) } else { Ok(Command::Take(number, after)) }
}

/// `3`, `5/2` or `2.5`, exactly.
fn delay(text: &str) -> Result<Rational, String> {
    let wrong = || format!("`{}` is no delay: write a number such as 3, 5/2 or 2.5", shown(text));
    let number = match text.split_once('.') {
        None => text.parse().ok(),
        Some((whole, digits)) if digits.bytes().all(|b| b.is_ascii_digit()) && !digits.is_empty() => {
            let scale = u32::try_from(digits.len()).ok().and_then(|n| 10i128.checked_pow(n));
            let all = format!("{whole}{digits}").parse().ok();
            scale.zip(all).and_then(|(scale, all)| Rational::new(all, scale))
        }
        Some(_) => None,
    };
    let number: Rational = number.ok_or_else(wrong)?;
    if number.is_negative() { Err("a delay is not negative".into()) } else { Ok(number) }
}

fn count(word: &str, text: &str, default: Option<usize>) -> Result<usize, String> {
    let number = if text.is_empty() { default } else { text.parse().ok() };
    match number {
        Some(0) | None => Err(format!("`{word}` takes a number from 1, as in `{word} 2`")),
        Some(number) if number > MOST_STEPS => Err(format!("at most {MOST_STEPS} at once")),
        Some(number) => Ok(number),
    }
}

fn mode(text: &str) -> Result<Command, String> {
    match text {
        "zone" | "z" => Ok(Command::Mode(Mode::Zone)),
        "concrete" | "c" => Ok(Command::Mode(Mode::Concrete)),
        _ => Err("write `mode zone` or `mode concrete`".into()),
    }
}

fn file(word: &str, text: &str) -> Result<String, String> {
    if text.is_empty() { Err(format!("`{word}` takes the name of a file")) } else { Ok(text.into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read() {
        let half = Rational::new(5, 2);
        assert_eq!(Command::read("  3 "), Ok(Command::Take(3, None)));
        assert_eq!(Command::read("3 after 5/2"), Ok(Command::Take(3, half)));
        assert_eq!(Command::read("3 a 2.5\n"), Ok(Command::Take(3, half)));
        assert_eq!(Command::read("d 2.50"), Ok(Command::Delay(half.unwrap())));
        assert_eq!(Command::read("random"), Ok(Command::Random(1)));
        assert_eq!(Command::read("u 4"), Ok(Command::Undo(4)));
        assert_eq!(Command::read("mode concrete"), Ok(Command::Mode(Mode::Concrete)));
        assert_eq!(Command::read("save a b.json"), Ok(Command::Save("a b.json".into())));
        assert_eq!(Command::read("# a remark"), Ok(Command::Nothing));
        assert_eq!(Command::read(""), Ok(Command::Nothing));
    }

    #[test]
    fn what_is_no_command_is_told_in_a_sentence() {
        let long = "z".repeat(100);
        for line in [
            "0",
            "1 2",
            "1 after",
            "1 after x",
            "1 after 1 2",
            "-1",
            "d",
            "d -1",
            "d 1.",
            "d .",
            "d 1.5.2",
            "d 1/0",
            "random 0",
            "random x",
            "random 1000000000000000000000",
            "start",
            "mode",
            "mode x",
            "save",
            "load",
            "quit now",
            "frobnicate",
            "\u{1b}[31m",
            "99999999999999999999999",
            &long,
            "d 0.00000000000000000000000000000000000000000000000001",
        ] {
            let why = Command::read(line).expect_err(line);
            assert!(!why.is_empty() && !why.contains('\u{1b}') && why.len() < 200, "{line}: {why}");
        }
    }

    #[test]
    fn help_tells_every_command_and_its_alias() {
        for line in HELP.lines().skip(3) {
            let words: Vec<&str> = line.split_whitespace().collect();
            let takes = words[1].chars().all(char::is_uppercase);
            let alias = words[if takes { 2 } else { 1 }];
            let argument = match words[1] {
                "M" => "zone",
                _ if takes => "2",
                _ => "",
            };
            let read = |word: &str| Command::read(&format!("{word} {argument}"));
            assert!(read(words[0]).is_ok(), "{line}");
            assert_eq!(read(words[0]), read(alias), "{line}");
        }
    }
}
