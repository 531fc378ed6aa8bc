//! `cargo xtask book`: the pages of `docs`, looked through, and made into a book where mdBook is installed.
//!
//! Without mdBook the book can still not fall apart: every page has a place in the summary, and every link to a file or
//! a heading leads somewhere, from a page of the book to the book. This is a test as well.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use crate::shell::{Outcome, root, show, succeeds, target_directory};

const SUMMARY: &str = "docs/SUMMARY.md";

/// Pages beside the book, whose links are followed as well.
const OUTSIDE: [&str; 4] =
    ["README.md", "ARCHITECTURE.md", "examples/README.md", "examples/papers/README.md"];

/// Looks through the pages and builds the book where that is possible.
pub(crate) fn run() -> Outcome {
    let complaints = complaints(root())?;
    if !complaints.is_empty() {
        return Err(format!("the book is not in order:\n  {}", complaints.join("\n  ")));
    }
    let Some(mdbook) = mdbook()? else {
        println!(
            "every page is in the summary and every link leads somewhere; mdbook is not installed, so no book is built"
        );
        return Ok(());
    };
    show(Command::new(mdbook).args(["build", "docs"]).current_dir(root()))
}

/// Where mdBook is: on the path, or where the tests install it.
pub(crate) fn mdbook() -> Outcome<Option<PathBuf>> {
    let places = ["mdbook".into(), tools()?.join("bin/mdbook")];
    Ok(places.into_iter().find(|place| succeeds(Command::new(place).arg("--version"))))
}

/// Where tools are installed that nobody else needs.
pub(crate) fn tools() -> Outcome<PathBuf> {
    Ok(target_directory()?.join("tools"))
}

/// What is wrong with the pages below `root`.
fn complaints(root: &Path) -> Outcome<Vec<String>> {
    let mut pages = BTreeSet::new();
    collect(&root.join("docs"), &mut pages)?;
    let summary = root.join(SUMMARY);
    let listed: BTreeSet<PathBuf> =
        links(&read(&summary)?).iter().map(|link| normal(&root.join("docs").join(&link.target))).collect();
    let mut complaints: Vec<String> = pages
        .iter()
        .filter(|page| **page != summary && !listed.contains(*page))
        .map(|page| format!("{}: is not in {SUMMARY}", shown(page, root)))
        .collect();
    let book = root.join("docs");
    pages.extend(OUTSIDE.iter().map(|page| root.join(page)));
    for page in &pages {
        let text = read(page)?;
        let within = page.starts_with(&book).then_some(book.as_path());
        for Link { line, target } in links(&text) {
            if let Err(why) = resolves(page, &text, &target, within) {
                complaints.push(format!("{}:{line}: {target}: {why}", shown(page, root)));
            }
        }
    }
    Ok(complaints)
}

fn shown(page: &Path, root: &Path) -> String {
    page.strip_prefix(root).unwrap_or(page).display().to_string()
}

fn read(path: &Path) -> Outcome<String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// All pages of a folder and of those in it.
fn collect(folder: &Path, pages: &mut BTreeSet<PathBuf>) -> Outcome {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for entry in entries {
        let path = entry.map_err(|error| format!("{}: {error}", folder.display()))?.path();
        if path.is_dir() {
            collect(&path, pages)?;
        } else if path.extension().is_some_and(|ending| ending == "md") {
            pages.insert(path);
        }
    }
    Ok(())
}

/// Without `.` and `..`.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(normal.pop()),
            Component::CurDir => {}
            other => normal.push(other),
        }
    }
    normal
}

/// Does a link of a page lead to a file, and to a heading of it? What a page of the book links to is in the book, or
/// the link would lead nowhere once the book is made.
fn resolves(page: &Path, text: &str, target: &str, within: Option<&Path>) -> Result<(), String> {
    if target.contains("://") {
        return Ok(()); // not ours
    }
    let (file, anchor) = target.split_once('#').map_or((target, None), |(file, anchor)| (file, Some(anchor)));
    let path = normal(&page.with_file_name("").join(file));
    if !file.is_empty() && !path.exists() {
        return Err("there is no such file".into());
    }
    if within.is_some_and(|book| !file.is_empty() && !path.starts_with(book)) {
        return Err("is not in the book".into());
    }
    let Some(anchor) = anchor else { return Ok(()) };
    let there = if file.is_empty() { text.to_owned() } else { read(&path)? };
    if anchors(&there).iter().any(|known| known == anchor) {
        Ok(())
    } else {
        Err("no such heading there".into())
    }
}

/// A link of a page.
struct Link {
    line: usize,
    target: String,
}

/// The lines of a page that are no code, with their numbers.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut code = false;
    text.lines().enumerate().filter_map(move |(number, line)| {
        let fence = line.trim_start().starts_with("```");
        code ^= fence;
        (!code && !fence).then_some((number + 1, line))
    })
}

/// The links of a page. One may begin on a line and end on the next.
fn links(text: &str) -> Vec<Link> {
    let mut links = Vec::new();
    for (line, text) in prose(text) {
        // What stands between backquotes is code: `a[b](c)`.
        let plain: String = text.split('`').step_by(2).collect::<Vec<_>>().join("`");
        for part in plain.split("](").skip(1) {
            if let Some((target, _)) = part.split_once(')') {
                links.push(Link { line, target: target.to_owned() });
            }
        }
    }
    links
}

/// What the headings of a page are called in links, as mdBook and most hosts make it: lower case, no punctuation,
/// hyphens for spaces.
fn anchors(text: &str) -> Vec<String> {
    prose(text)
        .filter_map(|(_, line)| line.strip_prefix('#').map(|rest| rest.trim_start_matches('#').trim()))
        .map(|heading| {
            let letters = heading.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
            letters.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_has_a_place_and_every_link_leads_somewhere() {
        let complaints = complaints(root()).expect("the pages can be read");
        assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
    }

    #[test]
    fn links_in_code_are_none() {
        let text = "a [b](c.md) `x[1](y)` [d](e.md#f)\n```\n[g](h)\n```\n[i\nj](k)";
        let targets: Vec<String> = links(text).into_iter().map(|link| link.target).collect();
        assert_eq!(targets, ["c.md", "e.md#f", "k"]);
    }

    #[test]
    fn headings_have_names() {
        let text = "# A page\n## `sup`, `inf`, `bounds`\n```sh\n# no heading\n```\n### What's 2-3?";
        assert_eq!(anchors(text), ["a-page", "sup-inf-bounds", "whats-2-3"]);
    }

    #[test]
    fn what_is_missing_is_named() {
        let folder = std::env::temp_dir().join(format!("dwell-book-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("docs")).expect("a folder");
        std::fs::create_dir_all(folder.join("examples/papers")).expect("a folder");
        for (name, text) in [
            ("README.md", "[here](docs/a.md)"),
            ("ARCHITECTURE.md", ""),
            ("examples/README.md", "[gone](gone.xml)"),
            ("examples/papers/README.md", "[good](../../docs/a.md#a)"),
            (SUMMARY, "[a](a.md)\n[gone](gone.md)"),
            ("docs/a.md", "# A\n[good](#a) [bad](#b) [web](https://example.org/x)"),
            ("docs/b.md", "[bad](a.md#c)\n[outside](../README.md)"),
        ] {
            std::fs::write(folder.join(name), text).expect("written");
        }
        let complaints = complaints(&folder).expect("readable");
        std::fs::remove_dir_all(&folder).expect("removed");
        assert_eq!(
            complaints,
            [
                "docs/b.md: is not in docs/SUMMARY.md",
                "docs/SUMMARY.md:2: gone.md: there is no such file",
                "docs/a.md:2: #b: no such heading there",
                "docs/b.md:1: a.md#c: no such heading there",
                "docs/b.md:2: ../README.md: is not in the book",
                "examples/README.md:1: gone.xml: there is no such file",
            ]
        );
    }
}
