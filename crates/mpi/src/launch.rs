//! Whether a launcher started this process, and how many others with it.

/// Where launchers tell their processes how many they are: `mpirun` of Open MPI;
/// `mpiexec` of MPICH and Intel MPI; `flux run`; `srun`. The first that is set
/// counts: Slurm's is also set where `mpirun` runs inside one of its steps. Those
/// that are set for a whole job, not for a step, say nothing about this process.
const SIZES: [&str; 4] = ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "FLUX_JOB_SIZE", "SLURM_STEP_NUM_TASKS"];

/// How many processes `mpirun`, `srun` or the like started, this one among them,
/// as the environment says; `None` where it is the only one.
///
/// Needs no MPI: a program without it can refuse to be started so, instead of
/// doing the same work n times.
pub fn launched() -> Option<u16> {
    launch(|name| std::env::var(name).ok()).map(|(ranks, _)| ranks)
}

/// How many processes, and which variable says so.
pub(crate) fn launch(variable: impl Fn(&str) -> Option<String>) -> Option<(u16, &'static str)> {
    let said = |name: &&'static str| Some((variable(name)?.trim().parse::<u32>().ok()?, *name));
    let (ranks, name) = SIZES.iter().find_map(said)?;
    // More than there are numbers of workers: refused where the world is joined.
    (ranks > 1).then(|| (u16::try_from(ranks).unwrap_or(u16::MAX), name))
}

/// Why a program that was built without MPI does not run under a launcher.
pub fn needs_mpi(ranks: u16) -> String {
    format!(
        "started as {ranks} processes by mpirun or srun, but built without MPI: each would do all of the work; \
         build with `--features mpi` (which needs the packages libopenmpi-dev, openmpi-bin and libclang-dev, \
         or those of another MPI), or start one process and use --threads"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(variables: &[(&str, &str)]) -> Option<(u16, &'static str)> {
        launch(|name| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn launchers_say_how_many_processes_there_are() {
        assert_eq!(of(&[("OMPI_COMM_WORLD_SIZE", "4")]), Some((4, "OMPI_COMM_WORLD_SIZE")));
        assert_eq!(of(&[("PMI_SIZE", "2")]), Some((2, "PMI_SIZE")));
        assert_eq!(of(&[("SLURM_STEP_NUM_TASKS", "16")]), Some((16, "SLURM_STEP_NUM_TASKS")));
        assert_eq!(of(&[("FLUX_JOB_SIZE", "100000")]), Some((u16::MAX, "FLUX_JOB_SIZE")));
    }

    #[test]
    fn the_launcher_next_to_the_process_counts() {
        let step = [("SLURM_STEP_NUM_TASKS", "2"), ("OMPI_COMM_WORLD_SIZE", "8")];
        assert_eq!(of(&step), Some((8, "OMPI_COMM_WORLD_SIZE")));
        assert_eq!(of(&[("SLURM_STEP_NUM_TASKS", "2"), ("OMPI_COMM_WORLD_SIZE", "1")]), None);
    }

    #[test]
    fn a_process_alone_is_not_launched() {
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[("OMPI_COMM_WORLD_SIZE", "1")]), None);
        assert_eq!(of(&[("SLURM_NTASKS", "8")]), None, "a job of eight tasks, not a step");
        assert_eq!(of(&[("PMI_SIZE", "many")]), None);
    }
}
