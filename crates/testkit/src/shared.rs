//! An optional folder of other people's models beside the checkout.

use std::path::PathBuf;

/// The folder `name` of it, or `None` with a line that says so: the caller's
/// test then has nothing to do.
pub fn models(name: &str) -> Option<PathBuf> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/models").join(name);
    if root.is_dir() {
        return Some(root);
    }
    println!("not run: there is no folder {} beside the checkout", root.display());
    None
}
