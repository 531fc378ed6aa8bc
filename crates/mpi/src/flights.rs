//! Sends on their way.
//!
//! The scoped requests of the `mpi` crate borrow their buffer; a pool of buffers
//! that outlive the call cannot be said in them. So the requests are raw ones, and
//! all of `unsafe` is here.
//!
//! FL-1 Request i reads from buffer i until MPI says that it is done; until then
//!      the buffer is neither moved out, changed nor freed.

use mpi::ffi::{self, MPI_Request};
use mpi::raw::AsRaw;
use mpi::topology::SimpleCommunicator;
use std::os::raw::c_int;

/// Sends that MPI has not finished.
#[derive(Debug, Default)]
pub(crate) struct Flights {
    requests: Vec<MPI_Request>,
    /// What they read from, and the rank they go to; FL-1.
    buffers: Vec<(Vec<u8>, usize)>,
    /// Where MPI says which are done.
    done: Vec<c_int>,
}

// SAFETY: a request is a handle (a pointer or a number) that MPI lets any thread
// use, one at a time; `&mut self` sees to that. Which thread calls MPI at all is
// checked by `Line`.
unsafe impl Send for Flights {}

impl Flights {
    /// Starts to send these bytes; at most `c_int::MAX` of them.
    pub(crate) fn start(&mut self, to: usize, tag: c_int, bytes: Vec<u8>) {
        let world = SimpleCommunicator::world();
        let count = c_int::try_from(bytes.len()).expect("a batch of less than 2 GiB");
        // SAFETY: a request that stands for nothing; a constant of the library.
        let mut request = unsafe { ffi::RSMPI_REQUEST_NULL };
        // SAFETY: `bytes` has `count` bytes, whose place on the heap does not change when the
        // vector is moved into `buffers`, and which stay there as they are until the request is
        // done (FL-1). `request` is written before the call returns. MPI is initialised: `Line`
        // is made by `World::join` only, and ends before MPI does.
        unsafe {
            ffi::MPI_Isend(
                bytes.as_ptr().cast(),
                count,
                ffi::RSMPI_UINT8_T,
                to as c_int,
                tag,
                world.as_raw(),
                &mut request,
            );
        }
        self.requests.push(request);
        self.buffers.push((bytes, to));
    }

    /// Hands out the buffers that have been sent, and the ranks they went to.
    pub(crate) fn land(&mut self, mut landed: impl FnMut(Vec<u8>, usize)) {
        if self.requests.is_empty() {
            return;
        }
        self.done.resize(self.requests.len(), 0);
        let mut count: c_int = 0;
        // SAFETY: the list has as many requests as is said, all of them started and none done;
        // `done` has room for as many numbers; no statuses are asked for.
        unsafe {
            ffi::MPI_Testsome(
                self.requests.len() as c_int,
                self.requests.as_mut_ptr(),
                &mut count,
                self.done.as_mut_ptr(),
                ffi::RSMPI_STATUSES_IGNORE,
            );
        }
        // All of them are started, so `count` is no MPI_UNDEFINED.
        let done = &mut self.done[..count.max(0) as usize];
        // The last first: what takes the place of one that is removed is then none of them.
        done.sort_unstable_by(|a, b| b.cmp(a));
        for at in done {
            self.requests.swap_remove(*at as usize);
            let (bytes, to) = self.buffers.swap_remove(*at as usize);
            landed(bytes, to);
        }
    }

    /// Whether all have been sent.
    pub(crate) fn is_empty(&self) -> bool {
        self.requests.is_empty()
    }
}

/// What has not been sent is never freed: MPI may still read it. Happens only
/// where the run is aborted.
impl Drop for Flights {
    fn drop(&mut self) {
        std::mem::forget(std::mem::take(&mut self.buffers));
    }
}
