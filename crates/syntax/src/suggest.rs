//! Did you mean …?

/// The candidate nearest to `name`, if one is near enough to be meant.
///
/// Nearness is the number of inserted, deleted, replaced and swapped
/// characters, letter case aside; at most a third of the name may differ.
/// Among equals the first candidate wins.
pub fn closest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    const LONGEST: usize = 64;
    let wanted: Vec<char> = name.chars().flat_map(char::to_lowercase).take(LONGEST + 1).collect();
    if wanted.is_empty() || wanted.len() > LONGEST {
        return None;
    }
    let allowed = (wanted.len() / 3).max(1);
    let mut best = None;
    for candidate in candidates {
        let letters: Vec<char> = candidate.chars().flat_map(char::to_lowercase).take(LONGEST + 1).collect();
        if letters.len().abs_diff(wanted.len()) > allowed || candidate == name {
            continue;
        }
        let distance = edit_distance(&wanted, &letters);
        // A single letter is not a misspelling of another single letter.
        let shares_nothing = distance >= wanted.len().max(letters.len());
        if distance <= allowed && !shares_nothing && best.is_none_or(|(d, _)| distance < d) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Optimal string alignment distance: Levenshtein's plus swaps of neighbours.
fn edit_distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = vec![0; b.len() + 1];
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replace = above[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replace.min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = above;
        above = row;
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::closest;

    #[test]
    fn near_names_are_found_and_far_ones_are_not() {
        let names = ["idle", "waiting", "critical"];
        assert_eq!(closest("idel", names), Some("idle"));
        assert_eq!(closest("Idle", names), Some("idle"));
        assert_eq!(closest("critcal", names), Some("critical"));
        assert_eq!(closest("wait", names), None);
        assert_eq!(closest("", names), None);
        assert_eq!(closest("x", ["y", "x1"]), Some("x1"));
    }
}
