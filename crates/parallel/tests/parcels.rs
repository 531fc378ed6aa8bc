//! States as bytes, and back.

use dwell_explore::{NodeId, Origin, Parcel, Parent, Progress};
use proptest::prelude::*;

/// Not a node.
const NO_PARENT: u32 = u32::MAX;

fn origin(parent: Option<u32>, index: u32, depth: u32) -> Origin {
    Origin { depth, ..Origin::here(parent.map(NodeId), index) }
}

proptest! {
    #[test]
    fn what_is_written_is_read(
        states in prop::collection::vec(
            (any::<[u64; 2]>(), prop::collection::vec(any::<i16>(), 0..9), any::<(u32, u32, i64, u16)>()),
            0..20,
        )
    ) {
        let progress = |rank: i64| if rank % 2 == 0 { Progress::Waits } else { Progress::Expanded };
        let mut batch = Vec::new();
        for (words, cells, (node, index, rank, flag)) in &states {
            let origin = origin((*node != NO_PARENT).then_some(*node), *index, node ^ index);
            let (rank, flag) = (*rank, *flag);
            Parcel { words, cells, origin, rank, flag, progress: progress(rank) }.write(&mut batch);
        }
        let mut rest = &batch[..];
        let (mut words, mut cells) = ([0; 2], [0i16; 9]);
        for (expected_words, expected_cells, (node, index, rank, flag)) in &states {
            let parcel = Parcel::read(3, &mut rest, &mut words, &mut cells).unwrap();
            prop_assert_eq!(parcel.words, expected_words);
            prop_assert_eq!(parcel.cells, &expected_cells[..]);
            prop_assert_eq!((parcel.origin.index, parcel.rank, parcel.flag), (*index, *rank, *flag));
            prop_assert_eq!(parcel.progress, progress(*rank));
            let parent = match *node {
                NO_PARENT => Parent::None,
                node => Parent::Elsewhere { worker: 3, node },
            };
            prop_assert_eq!(parcel.origin.parent, parent);
        }
        prop_assert!(Parcel::read(3, &mut rest, &mut words, &mut cells).is_none());
    }

    #[test]
    fn other_bytes_are_no_batch(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let mut rest = &bytes[..];
        let (mut words, mut cells) = ([0; 2], [0i16; 9]);
        while Parcel::read(0, &mut rest, &mut words, &mut cells).is_some() {}
    }
}
