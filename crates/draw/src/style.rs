//! What the classes of elements look like, on light and on dark pages.
//!
//! Plain properties of classes only: programs that know no variables and no
//! media queries show the light version.

/// Colours of series, told apart also by people who see fewer of them
/// (M. Okabe, K. Ito: *Color universal design*, 2008); the second is for dark
/// pages.
const SERIES: [(&str, &str); 8] = [
    ("#0072b2", "#4ba6e0"),
    ("#d55e00", "#f0803c"),
    ("#009e73", "#2fc79b"),
    ("#aa4499", "#d989c6"),
    ("#b07d00", "#e6b13a"),
    ("#3a9bdc", "#8bcbf5"),
    ("#6b6b6b", "#b0b0b0"),
    ("#8c2d04", "#d08a66"),
];

/// How many colours there are.
pub(crate) const COLOURS: usize = SERIES.len();

/// Selector, light properties, dark properties.
const RULES: &[(&str, &str, &str)] = &[
    ("text", "fill:#1f2328;font-family:Arial,\"Liberation Sans\",\"DejaVu Sans\",sans-serif", "fill:#e6edf3"),
    (".paper", "fill:#ffffff", "fill:#15191f"),
    (".halo", "stroke:#ffffff;stroke-width:3px;stroke-linejoin:round;paint-order:stroke", "stroke:#15191f"),
    (".soft", "fill:#59636e", "fill:#9aa4af"),
    (".line", "fill:none;stroke:#3d444d;stroke-width:1.2px", "stroke:#b7bfc8"),
    (".thin", "fill:none;stroke:#a8b0b9;stroke-width:1px", "stroke:#59626d"),
    (".grid", "fill:none;stroke:#e3e7eb;stroke-width:1px", "stroke:#2a3038"),
    (".tip", "fill:#3d444d;stroke:none", "fill:#b7bfc8"),
    (".box", "fill:#eef4fb;stroke:#4a6785;stroke-width:1.2px", "fill:#1d2b3a;stroke:#7fa3c7"),
    (".committed", "fill:#fbe3e1;stroke:#a33a32;stroke-width:1.2px", "fill:#45211e;stroke:#e58a82"),
    (".urgent", "fill:#fdf3d3;stroke:#8f6c00;stroke-width:1.2px", "fill:#3f340f;stroke:#dcb84a"),
    (".panel", "fill:none;stroke:#d5dae0;stroke-width:1px", "stroke:#333b45"),
    (".invariant", "fill:#8a3f96", "fill:#d9a0e2"),
    (".select", "fill:#8a6300", "fill:#dcb84a"),
    (".guard", "fill:#0b6b2e", "fill:#6fcf8f"),
    (".sync", "fill:#00639c", "fill:#6cb8ee"),
    (".update", "fill:#3d3db8", "fill:#a3a9ff"),
    (".broken", "stroke-dasharray:5 3", ""),
    (".mark", "fill:none;stroke:#d55e00;stroke-width:1.5px", "stroke:#f0803c"),
];

/// The style sheet; of the series those that are used.
pub(crate) fn sheet(series: usize) -> String {
    let (mut light, mut dark) = (String::new(), String::new());
    for (selector, of_light, of_dark) in RULES {
        light.push_str(&format!("{selector}{{{of_light}}}\n"));
        if !of_dark.is_empty() {
            dark.push_str(&format!("{selector}{{{of_dark}}}\n"));
        }
    }
    for (number, (of_light, of_dark)) in SERIES.iter().enumerate().take(series) {
        for (sheet, colour) in [(&mut light, of_light), (&mut dark, of_dark)] {
            sheet.push_str(&format!(
                ".s{number}{{fill:none;stroke:{colour};stroke-width:1.6px}}\n.f{number}{{fill:{colour};stroke:none}}\n"
            ));
        }
    }
    format!("{light}@media (prefers-color-scheme:dark){{\n{dark}}}\n")
}
