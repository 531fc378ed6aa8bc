//! The plain kernels against those of this machine, on arbitrary words in range.
//!
//! The naive twin judges the kernels this machine picks; this carries its verdict
//! over to the others, and to row lengths that small zones never reach.

use dwell_base::Rng;

use super::*;
use crate::bound::Raw;
use crate::zone::Row;

fn word<B: Bound>(rng: &mut Rng) -> B {
    if rng.percent(30) {
        return B::INF;
    }
    let limit = if rng.percent(10) { B::HIGHEST.value() as i32 } else { 40 };
    B::of(i64::from(rng.range(1 - limit, limit)))
}

fn matrix<B: Bound>(rng: &mut Rng, dim: usize, blocks: usize) -> Row<B> {
    let mut row = Row::new(dim * blocks + 1);
    let stride = blocks * B::LANES;
    for i in 0..dim {
        for j in 0..dim {
            // Mostly loose upper bounds, so that not every matrix is empty.
            let b: B = word(rng);
            row.cells_mut()[i * stride + j] = match (i, j) {
                _ if i == j => B::LE_ZERO,
                (0, _) => b.min(B::LE_ZERO),
                _ => b.max(B::of(-b.value())),
            };
        }
    }
    row
}

fn agree<B: Bound>(plain: &Kernels<B>, fast: &Kernels<B>, dim: usize, seed: u64) {
    let mut rng = Rng::new(seed);
    let blocks = B::blocks(dim);
    let len = dim * blocks * B::LANES;
    let a: Row<B> = matrix(&mut rng, dim, blocks);
    let b: Row<B> = matrix(&mut rng, dim, blocks);
    let (mut lower, mut upper) = (Row::<B>::new(blocks), Row::<B>::new(blocks));
    for x in 0..dim {
        let (l, u) = (rng.range(0, 20), rng.range(0, 20));
        lower.cells_mut()[x] = if rng.percent(20) { B::MIN } else { B::weak(l).unwrap() };
        upper.cells_mut()[x] = if rng.percent(20) { B::INF } else { B::strict(-u).unwrap() };
    }
    let (l, u) = (lower.cells().as_ptr(), upper.cells().as_ptr());
    let (pa, pb) = (a.cells().as_ptr(), b.cells().as_ptr());
    let (i, j) = (rng.range(0, dim as i32 - 1) as usize, rng.range(0, dim as i32 - 1) as usize);
    let note = |what: &str| format!("{what}, dim {dim}, seed {seed}, {} bits", B::BITS);

    // What a kernel returns and what it leaves behind.
    let run = |op: &dyn Fn(*mut B) -> u8| {
        let mut work = a.clone();
        let result = op(work.cells_mut().as_mut_ptr());
        (result, work.cells().to_vec())
    };
    let both = |what: &str, op: &dyn Fn(&Kernels<B>, *mut B) -> u8| {
        let (left, right) = (run(&|m| op(plain, m)), run(&|m| op(fast, m)));
        assert!(left == right, "{}", note(what));
    };
    // SAFETY (of all blocks below): the matrices have `dim` rows of `blocks` blocks and
    // one more, the bounds one row, and both tables are for `blocks`.
    // SAFETY: as above.
    both("close", &|k, m| unsafe { (k.close)(m, dim, blocks) } as u8);
    if i != j {
        // SAFETY: as above.
        both("close_after", &|k, m| unsafe { (k.close_after)(m, dim, blocks, i, j) } as u8);
    }
    let mut boxed = [Row::<B>::new(blocks), Row::<B>::new(blocks)];
    for x in 1..dim {
        boxed[0].cells_mut()[x] = word(&mut rng);
        boxed[1].cells_mut()[x] = word::<B>(&mut rng);
    }
    let (above, below) = (boxed[0].cells().as_ptr(), boxed[1].cells().as_ptr());
    // SAFETY: as above, and the box is two rows.
    both("meet_box", &|k, m| unsafe { (k.meet_box)(m, dim, blocks, above, below) } as u8);
    // SAFETY: as above.
    both("down", &|k, m| unsafe { ((k.down)(m, dim, blocks), 0).1 });
    // SAFETY: as above.
    both("meet", &|k, m| unsafe { (k.meet)(m, pb, len) } as u8);
    // SAFETY: as above.
    both("join", &|k, m| unsafe { ((k.join)(m, pb, len), 0).1 });
    // SAFETY: as above.
    both("extra_lu", &|k, m| unsafe { (k.extra_lu)(m, dim, blocks, l, u) } as u8);
    // SAFETY: as above.
    both("extra_lu_plus", &|k, m| unsafe { (k.extra_lu_plus)(m, dim, blocks, l, u) } as u8);
    // SAFETY: as above.
    both("alu", &|k, m| unsafe { (k.alu)(m, pb, dim, blocks, l, u) } as u8);
    // SAFETY: as above.
    both("alu of itself", &|k, m| unsafe { (k.alu)(m, pa, dim, blocks, l, u) } as u8);
    for cells in [len, len - len % 7, len / 2, 3, 0] {
        // SAFETY: as above, and shorter.
        both("compare", &|k, m| unsafe { (k.compare)(m, pb, cells) });
        // SAFETY: as above, and shorter.
        both("below", &|k, m| unsafe { (k.below)(m, pb, cells) } as u8);
        // SAFETY: as above, and shorter.
        both("below itself", &|k, m| unsafe { (k.below)(m, pa, cells) } as u8);
    }
    let over: Vec<u16> = (0..dim as u16).filter(|_| rng.percent(60)).collect();
    // SAFETY: as above; the indices are below `dim`, and row 0 of `m` is not of `a`.
    both("detours", &|k, m| unsafe { ((k.detours)(pa, blocks, i, over.as_ptr(), over.len(), m), 0).1 });
    let pack = |k: &Kernels<B>| {
        let mut out = vec![B::LE_ZERO; dim * (dim - 1)];
        // SAFETY: as above, and `out` has dim (dim - 1) cells.
        unsafe { (k.pack)(pa, dim, blocks, out.as_mut_ptr()) };
        out
    };
    let packed = pack(plain);
    assert!(packed == pack(fast), "{}", note("pack"));
    let other: Vec<B> = packed.iter().map(|&b| if rng.percent(10) { word(&mut rng) } else { b }).collect();
    let mut gate = vec![B::MIN; dim + 33];
    gate[..dim].fill_with(|| if rng.percent(30) { B::MIN } else { word(&mut rng) });
    let lows: Vec<B> = (0..dim).map(|_| B::strict(-rng.range(0, 20)).unwrap()).collect();
    let (p, o, g) = (packed.as_ptr(), other.as_ptr(), gate.as_ptr());
    // SAFETY: as above, and the gate has more than a vector beyond `dim`.
    both("alu_compact", &|k, _| unsafe { (k.alu_compact)(p, o, g, lows.as_ptr(), dim) } as u8);
    // SAFETY: as above.
    both("unpack", &|k, m| unsafe { ((k.unpack)(packed.as_ptr(), dim, blocks, m), 0).1 });
    let mut back = Row::<B>::new(dim * blocks + 1);
    // SAFETY: as above.
    unsafe { (fast.unpack)(packed.as_ptr(), dim, blocks, back.cells_mut().as_mut_ptr()) };
    assert!(back.cells() == a.cells(), "{}", note("unpack of pack"));
}

#[test]
fn plain_and_native_kernels_agree() {
    // An interpreter gets fewer sizes: each block count once.
    let (dims, seeds) = if cfg!(miri) { (vec![1, 3, 12, 20, 66], 1) } else { ((1..=101).collect(), 12) };
    for dim in dims {
        for seed in 0..seeds {
            let (b16, b32) = (i16::blocks(dim), i32::blocks(dim));
            agree(plain::select::<Portable<i16, 16>>(b16), table_i16(b16), dim, seed);
            agree(plain::select::<Portable<i32, 8>>(b32), table_i32(b32), dim, seed);
        }
    }
}
