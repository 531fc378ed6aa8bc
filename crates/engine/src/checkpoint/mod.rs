//! Runs written to a file, to be gone on with by another process.
//!
//! ```text
//!  "dwell checkpoint 5\n" · frames: what the run is · width of its zones · the run
//! ```
//!
//! C-1 A file is written beside its place and renamed when it is whole: whatever
//!     happens, there is the last good one.
//! C-2 A run goes on only from a file that the same version of dwell wrote for
//!     the same model, query and plan. The file says what they were, so that
//!     a refusal can name what differs.
//! C-3 Damage is noticed (the frames have checksums), malice is not: a file that
//!     somebody made with care is believed.

mod frames;

use crate::plan::{DistributionName, Plan, Switch, TraceKind};
use crate::question::Goal;
use crate::{Model, Question};
use dwell_base::SpillFile;
use dwell_base::persist::{Persist, corrupt, put, take};
use dwell_explore::Keeper;
use frames::{FrameReader, FrameWriter};
use std::fmt::{self, Debug, Write as _};
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The last character but one is the version of the format.
const MAGIC: &[u8; 19] = b"dwell checkpoint 5\n";

/// What a run may use of the disk.
#[derive(Clone, Debug, Default)]
pub struct Disk {
    /// Where the run is written down, and after how long again.
    pub checkpoint: Option<(PathBuf, Duration)>,
    /// What it goes on from.
    pub resume: Option<PathBuf>,
    /// A folder for what does not fit into memory.
    pub spill: Option<PathBuf>,
}

impl Disk {
    /// Whether runs are written down or gone on with.
    pub fn keeps_runs(&self) -> bool {
        self.checkpoint.is_some() || self.resume.is_some()
    }

    /// Why a question cannot be answered with it.
    pub(crate) fn refuses(&self, question: &Question, plan: &Plan) -> Option<String> {
        if let Some(folder) = &self.spill {
            if matches!(question.goal, Goal::Live(_)) {
                return Some(
                    "--spill is not for E[], A<> and -->, whose searches keep their states otherwise".into(),
                );
            }
            if let Err(error) = SpillFile::create_in(folder) {
                return Some(format!("cannot write in {}: {error}", folder.display()));
            }
        }
        // Better now than after hours, when there is something to lose.
        if let Some((file, _)) = &self.checkpoint {
            let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
            if let Err(error) = SpillFile::create_in(folder.unwrap_or(Path::new("."))) {
                return Some(format!("cannot write {}: {error}", file.display()));
            }
        }
        let shared = self.keeps_runs() && plan.all_workers() > 1;
        let lacks = match plan.distribution {
            _ if !shared => None,
            _ if !plan.keep.is_all() => Some("--keep all"),
            _ if plan.waiting_inclusion == Switch::Off => Some("--waiting-inclusion on"),
            _ if plan.trace == TraceKind::Shortest => Some("another trace than the shortest"),
            DistributionName::D1 => Some("another distribution than d1"),
            _ => None,
        };
        if let Some(lacks) = lacks {
            return Some(format!("--checkpoint and --resume with several threads need {lacks}"));
        }
        let searched_otherwise = matches!(question.goal, Goal::Live(_) | Goal::Measure(_));
        (self.keeps_runs() && searched_otherwise).then(|| {
            "--checkpoint and --resume are for queries about single states (E<>, A[], labels, --space); this one \
             is answered by other searches"
                .into()
        })
    }
}

/// What must be the same for a run to go on; C-2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Identity(Vec<(String, String)>);

impl Identity {
    pub fn new(model: &Model, question: &Question, plan: &Plan) -> Self {
        let mut parts = vec![
            ("version".to_owned(), env!("CARGO_PKG_VERSION").to_owned()),
            ("model".into(), fingerprint(model.network())),
            ("query".into(), question.formula.clone()),
            ("meaning".into(), fingerprint(&question.goal)),
        ];
        parts.extend(plan.reasons.iter().map(|reason| (reason.part.into(), reason.choice.into())));
        let heuristic = plan.heuristic.as_ref().map_or("none", |heuristic| &heuristic.text);
        parts.push(("heuristic".into(), heuristic.into()));
        parts.push(("trace".into(), plan.trace.name().into()));
        parts.push(("seed".into(), plan.seed.to_string()));
        // How many share the work may change; whether it is shared may not.
        let workers = plan.all_workers().min(2);
        let failure_trace = Switch::Off;
        let bare = Plan { reasons: Vec::new(), failure_trace, workers, ranks: 1, ..plan.clone() };
        parts.push(("plan".into(), fingerprint(&bare)));
        Self(parts)
    }

    /// What a file with another identity is of.
    fn difference(&self, other: &Self) -> String {
        let differ = self.0.iter().zip(&other.0).find(|(here, there)| here != there);
        let Some(((part, here), (_, there))) = differ else { return "a run with other options".into() };
        match part.as_str() {
            "version" => format!("dwell {there}; this is dwell {here}"),
            "model" => "another model".into(),
            "query" => format!("another query: {there}"),
            "meaning" | "plan" => "a run with other options".into(),
            part => format!("a run with {part} {there}; this one would have {part} {here}"),
        }
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        put(out, self.0.len() as u64)?;
        for text in self.0.iter().flat_map(|(part, value)| [part, value]) {
            text.as_bytes().to_vec().freeze(out)?;
        }
        Ok(())
    }

    fn read(from: &mut dyn Read) -> io::Result<Self> {
        let text = |from: &mut dyn Read| {
            let mut bytes = Vec::new();
            bytes.thaw(from)?;
            String::from_utf8(bytes).map_err(|_| corrupt("a text is none"))
        };
        let mut parts = Vec::new();
        for _ in 0..take::<u64>(from)? {
            parts.push((text(from)?, text(from)?));
        }
        Ok(Self(parts))
    }
}

/// A hash of everything there is to see (FNV-1a).
fn fingerprint(value: &dyn Debug) -> String {
    struct Fnv(u64);
    impl fmt::Write for Fnv {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            for byte in text.bytes() {
                self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
            }
            Ok(())
        }
    }
    let mut hash = Fnv(0xCBF2_9CE4_8422_2325);
    let _ = write!(hash, "{value:?}");
    format!("{:016x}", hash.0)
}

/// A file that is what it should be, opened.
pub(crate) struct Frozen {
    path: PathBuf,
    /// Width of the zones.
    pub bits: u32,
    /// The run.
    pub body: Box<dyn Read>,
}

impl Frozen {
    /// Opens a file for a run of this identity.
    pub fn open(path: &Path, identity: &Identity) -> Result<Self, String> {
        let file = File::open(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        let (found, bits, body) = Self::read(file).map_err(|error| unusable(path, &error))?;
        if found != *identity {
            return Err(format!("{} is a checkpoint of {}", path.display(), identity.difference(&found)));
        }
        Ok(Self { path: path.to_owned(), bits, body })
    }

    fn read(file: File) -> io::Result<(Identity, u32, Box<dyn Read>)> {
        let mut file = BufReader::new(file);
        let mut magic = [0; MAGIC.len()];
        file.read_exact(&mut magic)?;
        let version = MAGIC.len() - 2;
        if magic[..version] != MAGIC[..version] {
            return Err(corrupt("it is no checkpoint"));
        }
        if magic != *MAGIC {
            return Err(corrupt("it has the format of another version of dwell"));
        }
        let mut frames = FrameReader::new(file)?;
        let identity = Identity::read(&mut frames)?;
        let bits = take(&mut frames)?;
        Ok((identity, bits, Box::new(frames)))
    }

    /// Why it could not be read to the end.
    pub fn unusable(&self, error: &io::Error) -> String {
        unusable(&self.path, error)
    }
}

fn unusable(path: &Path, error: &io::Error) -> String {
    let path = path.display();
    match error.kind() {
        io::ErrorKind::UnexpectedEof => format!("cannot go on from {path}: it is cut short"),
        io::ErrorKind::InvalidData => format!("cannot go on from {path}: {error}"),
        _ => format!("cannot read {path}: {error}"),
    }
}

/// What became of the checkpoints of a run.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    /// There is one to go on from.
    pub written: bool,
    /// Why the last could not be written.
    pub failed: Option<String>,
}

/// Writes a run to a file.
pub(crate) struct FileKeeper<'a> {
    path: &'a Path,
    every: Duration,
    identity: &'a Identity,
    bits: u32,
    last: Instant,
    /// How long the last one took to write.
    took: Duration,
    kept: &'a mut Kept,
}

impl<'a> FileKeeper<'a> {
    /// `bits` is the width of the run's zones.
    pub fn new(
        (path, every): &'a (PathBuf, Duration),
        identity: &'a Identity,
        bits: u32,
        kept: &'a mut Kept,
    ) -> Self {
        Self { path, every: *every, identity, bits, last: Instant::now(), took: Duration::ZERO, kept }
    }

    /// C-1
    fn write(&self, run: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        let mut beside = self.path.as_os_str().to_owned();
        beside.push(".part");
        let beside = PathBuf::from(beside);
        let mut write = || {
            let mut file = BufWriter::new(File::create(&beside)?);
            file.write_all(MAGIC)?;
            let mut frames = FrameWriter::new(file)?;
            self.identity.write(&mut frames)?;
            put(&mut frames, self.bits)?;
            run(&mut frames)?;
            let file = frames.finish()?.into_inner().map_err(io::IntoInnerError::into_error)?;
            file.sync_all()?;
            fs::rename(&beside, self.path)
        };
        let written = write();
        if written.is_err() {
            let _ = fs::remove_file(&beside);
        }
        written
    }
}

/// The keeper of a worker that another one writes down.
pub(crate) struct KeptElsewhere;

impl Keeper for KeptElsewhere {
    fn keeps(&self) -> bool {
        true
    }
    fn due(&self) -> bool {
        false
    }
    fn keep(&mut self, _run: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) {}
}

impl Keeper for FileKeeper<'_> {
    fn keeps(&self) -> bool {
        true
    }

    fn due(&self) -> bool {
        // Writing takes a fifth of the time at most.
        self.last.elapsed() >= self.every.max(self.took * 4)
    }

    fn keep(&mut self, run: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) {
        let started = Instant::now();
        let written = self.write(run);
        self.took = started.elapsed();
        self.kept.written |= written.is_ok();
        self.kept.failed = written
            .err()
            .map(|error| format!("cannot write the checkpoint {}: {error}", self.path.display()));
        self.last = Instant::now();
    }
}
