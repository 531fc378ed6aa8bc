//! Where the texts of a file lie, by XPath.

use super::dom::Element;
use crate::uppaal::tree::TextPath;

/// The elements whose text is parsed.
const TEXTS: [&str; 7] = ["declaration", "name", "parameter", "label", "instantiation", "system", "formula"];

/// Those of which an element may hold many; their place among them is part of
/// the path.
const NUMBERED: [&str; 6] = ["template", "location", "branchpoint", "transition", "label", "query"];

/// The texts of a file, in its order.
pub(super) fn of(root: &Element) -> Vec<TextPath> {
    let mut paths = Vec::new();
    walk(root, &mut format!("/{}", root.name), &mut paths);
    paths
}

fn walk(element: &Element, path: &mut String, paths: &mut Vec<TextPath>) {
    let mut seen = [0; NUMBERED.len()];
    for child in element.elements() {
        let length = path.len();
        path.push('/');
        path.push_str(child.name);
        if let Some(kind) = NUMBERED.iter().position(|&name| name == child.name) {
            seen[kind] += 1;
            path.push_str(&format!("[{}]", seen[kind]));
        }
        if TEXTS.contains(&child.name) {
            paths.push(TextPath { span: child.content, path: path.clone() });
        } else {
            walk(child, path, paths);
        }
        path.truncate(length);
    }
}
