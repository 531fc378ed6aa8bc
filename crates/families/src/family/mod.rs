//! One file per family; each exports its [`Family`] as `FAMILY`.

mod blowup;
mod corsso;
mod critical_region;
mod csmacd;
mod dining_philosophers;
mod fddi;
mod fischer;
mod flexray;
mod lynch;
mod parallel;
mod train_gate;

use crate::Family;

/// Every family, in alphabetical order of the names.
pub(crate) static ALL: &[Family] = &[
    blowup::FAMILY,
    corsso::FAMILY,
    critical_region::FAMILY,
    critical_region::FORMATS15,
    csmacd::FAMILY,
    csmacd::FULL,
    dining_philosophers::FAMILY,
    fddi::FAMILY,
    fischer::FAMILY,
    flexray::FAMILY,
    lynch::FAMILY,
    parallel::FAMILY,
    train_gate::FAMILY,
];
