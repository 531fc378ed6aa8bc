//! Text in columns.

/// Lines of cells below each other: the first one is the head. Columns of
/// figures go to the right; the last column is not filled up.
pub fn aligned(lines: &[Vec<String>]) -> String {
    let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
    let cells = |column: usize| lines.iter().filter_map(move |line| line.get(column));
    let widths: Vec<usize> =
        (0..columns).map(|column| cells(column).map(|cell| length(cell)).max().unwrap_or(0)).collect();
    let figures: Vec<bool> =
        (0..columns).map(|column| cells(column).skip(1).all(|cell| figure(cell))).collect();
    let mut text = String::new();
    for line in lines {
        let mut row = String::new();
        for (column, cell) in line.iter().enumerate() {
            let fill = " ".repeat(widths[column] - length(cell));
            row.push_str(&if figures[column] { format!("{fill}{cell}") } else { format!("{cell}{fill}") });
            row.push_str("  ");
        }
        text.push_str(row.trim_end());
        text.push('\n');
    }
    text
}

fn length(text: &str) -> usize {
    text.chars().count()
}

/// A number, or a word in its place.
fn figure(cell: &str) -> bool {
    matches!(cell, "" | "-" | "none") || cell.chars().all(|c| c.is_ascii_digit() || ".,".contains(c))
}

#[cfg(test)]
mod tests {
    use super::aligned;

    #[test]
    fn figures_go_to_the_right() {
        let line = |cells: &[&str]| cells.iter().map(|&cell| cell.to_owned()).collect();
        let lines =
            [line(&["model", "s", "why"]), line(&["a", "10.25", ""]), line(&["lång", "-", "out of time"])];
        assert_eq!(aligned(&lines), "model      s  why\na      10.25\nlång       -  out of time\n");
        assert_eq!(aligned(&[]), "");
    }
}
