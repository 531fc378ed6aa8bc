//! The laws of [`Order`], for every implementation.

use dwell_base::Rng;
use dwell_explore::Order;
use dwell_explore::order::{BreadthFirst, DepthFirst};
use std::collections::VecDeque;

/// What goes in comes out, each as often as it went in, and `len` counts it.
fn gives_back_a_permutation<O: Order + Default>() {
    let rng = &mut Rng::new(1);
    let mut order = O::default();
    let (mut inside, mut pushed, mut popped) = (0, Vec::new(), Vec::new());
    assert!(order.is_empty() && order.pop().is_none());
    for _ in 0..20_000 {
        if rng.percent(55) {
            // Numbers come again when nodes are used again.
            let node = rng.below(500) as u32;
            order.push(node);
            pushed.push(node);
            inside += 1;
        } else if let Some(node) = order.pop() {
            popped.push(node);
            inside -= 1;
        }
        assert_eq!((order.len(), order.is_empty()), (inside, inside == 0));
    }
    assert!(order.bytes() >= (inside * size_of::<u32>()) as u64);
    popped.extend(std::iter::from_fn(|| order.pop()));
    pushed.sort_unstable();
    popped.sort_unstable();
    assert_eq!(pushed, popped);
    assert!(order.pop().is_none());
}

macro_rules! order_laws {
    ($($module:ident: $order:ty,)*) => {$(
        mod $module {
            use super::*;

            #[test]
            fn it_gives_back_a_permutation() {
                gives_back_a_permutation::<$order>();
            }
        }
    )*};
}

order_laws! {
    breadth_first: BreadthFirst,
    depth_first: DepthFirst,
}

#[test]
fn breadth_first_is_first_in_first_out_and_depth_first_the_opposite() {
    let rng = &mut Rng::new(2);
    let (mut queue, mut stack) = (BreadthFirst::default(), DepthFirst::default());
    let (mut by_age, mut by_youth) = (VecDeque::new(), Vec::new());
    for node in 0..10_000 {
        if rng.percent(60) {
            queue.push(node);
            stack.push(node);
            by_age.push_back(node);
            by_youth.push(node);
        } else {
            assert_eq!(queue.pop(), by_age.pop_front());
            assert_eq!(stack.pop(), by_youth.pop());
        }
    }
}
