//! Processes under `mpirun`: all of them do the same, the first one speaks.

use dwell_engine::Cluster;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether this process is to say nothing.
static SILENT: AtomicBool = AtomicBool::new(false);

/// Whether this process is to say nothing: another one does.
pub fn silent() -> bool {
    SILENT.load(Ordering::Relaxed)
}

/// The processes that were started together.
#[cfg(feature = "mpi")]
pub struct World(Option<dwell_mpi::World>);

/// This process alone.
#[cfg(not(feature = "mpi"))]
pub struct World;

#[cfg(feature = "mpi")]
impl World {
    /// Joins the others, if there are any.
    pub fn join() -> Result<Self, String> {
        let world = dwell_mpi::World::join()?;
        SILENT.store(world.as_ref().is_some_and(|world| world.rank() != 0), Ordering::Relaxed);
        Ok(Self(world))
    }

    /// The others, if there are any.
    pub fn cluster(&self) -> Option<&dyn Cluster> {
        self.0.as_ref().map(|world| world as &dyn Cluster)
    }
}

#[cfg(not(feature = "mpi"))]
impl World {
    /// There must be no others.
    pub fn join() -> Result<Self, String> {
        dwell_mpi::launched().map_or(Ok(Self), |ranks| Err(dwell_mpi::needs_mpi(ranks)))
    }

    /// None.
    pub fn cluster(&self) -> Option<&dyn Cluster> {
        None
    }
}
