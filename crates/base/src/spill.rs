//! A file for what does not fit into memory.
//!
//! It has no name once it is open, so that nothing is left behind however the
//! process ends. Room in it is mapped, shared: the pages may leave memory at
//! any time and come back when they are looked at.
//!
//! SP-1 Room is written to before it is handed out: a disk that is full is an
//!      error then, not a fault at the first use of a page.
//! SP-2 Room is handed out once and never taken back.

use memmap2::{MmapOptions, MmapRaw};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Bytes mapped at once: the number of mappings of a process is limited.
const SEGMENT: usize = 1 << 26;

/// Bytes handed out before their pages are dropped: until then what moves is in
/// memory twice.
const DROP_EVERY: usize = 1 << 21;

/// An open file without a name.
#[derive(Debug)]
pub struct SpillFile {
    file: File,
    segments: Vec<Arc<MmapRaw>>,
    /// Of the last segment.
    used: usize,
    /// Where the next segment begins.
    end: u64,
    bytes: u64,
    /// Of those, handed out since pages were last dropped.
    undropped: usize,
}

impl SpillFile {
    /// Room begins at multiples of this: a line of the cache, and more than any
    /// element needs.
    pub const ALIGN: usize = 64;

    /// A new file in a folder.
    pub fn create_in(folder: &Path) -> io::Result<Self> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = folder.join(format!("dwell-spill-{}-{number}", std::process::id()));
        let file = OpenOptions::new().read(true).write(true).create_new(true).open(&path)?;
        fs::remove_file(&path)?;
        Ok(Self { file, segments: Vec::new(), used: 0, end: 0, bytes: 0, undropped: 0 })
    }

    /// Room for so many bytes, all zero, and the mapping that it is in.
    pub(crate) fn room(&mut self, bytes: usize) -> io::Result<(Arc<MmapRaw>, NonNull<u8>)> {
        let bytes = bytes.next_multiple_of(Self::ALIGN);
        if self.undropped > DROP_EVERY {
            self.undropped = 0;
            drop_pages(self.segments.last());
        }
        if self.segments.last().is_none_or(|last| last.len() - self.used < bytes) {
            let len = bytes.next_multiple_of(SEGMENT);
            self.file.set_len(self.end + len as u64)?;
            self.segments.push(Arc::new(MmapOptions::new().offset(self.end).len(len).map_raw(&self.file)?));
            self.end += len as u64;
            self.used = 0;
        }
        let segment = Arc::clone(self.segments.last().expect("there is one now"));
        let offset = self.end - segment.len() as u64 + self.used as u64;
        self.file.seek(SeekFrom::Start(offset))?;
        write_zeros(&mut self.file, bytes)?; // SP-1
        // SAFETY: `used + bytes` is at most the length of the mapping.
        let start = unsafe { segment.as_mut_ptr().add(self.used) };
        self.used += bytes;
        self.bytes += bytes as u64;
        self.undropped += bytes;
        Ok((segment, NonNull::new(start).expect("a mapping is not at zero")))
    }

    /// Bytes handed out.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Lets all pages leave memory, and memory that was given back too. They
    /// are in the file, or on their way to it.
    pub fn drop_pages(&self) {
        drop_pages(&self.segments);
    }
}

fn drop_pages<'a>(segments: impl IntoIterator<Item = &'a Arc<MmapRaw>>) {
    for segment in segments {
        #[cfg(not(unix))]
        let _ = segment;
        #[cfg(unix)]
        // SAFETY: the mapping is shared and of a file: what was written stays
        // with the file, so no byte changes.
        let _ = unsafe { segment.unchecked_advise(memmap2::UncheckedAdvice::DontNeed) };
    }
    release_free_memory();
}

fn write_zeros(file: &mut File, mut bytes: usize) -> io::Result<()> {
    static ZEROS: [u8; 1 << 16] = [0; 1 << 16];
    while bytes > 0 {
        let piece = bytes.min(ZEROS.len());
        file.write_all(&ZEROS[..piece])?;
        bytes -= piece;
    }
    Ok(())
}

/// Gives pages of the heap that nobody uses back to the system. The allocator
/// keeps what was freed between things that are still in use.
pub fn release_free_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: may be called at any time.
    unsafe {
        libc::malloc_trim(0);
    }
}
