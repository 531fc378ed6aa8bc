//! The laws of [`Order`], for every implementation.

use dwell_base::Rng;
use dwell_explore::Order;
use dwell_explore::order::{
    Adaptive, BestFirst, BreadthFirst, Buckets, Depth, DepthFirst, Random, RandomDepthFirst, Ranking,
    ReversedDepth,
};
use std::collections::VecDeque;

/// What goes in comes out, each as often as it went in, and `len` counts it.
fn gives_back_a_permutation(mut order: impl Order) {
    let rng = &mut Rng::new(1);
    let (mut inside, mut pushed, mut popped) = (0, Vec::new(), Vec::new());
    assert!(order.is_empty() && order.pop().is_none());
    for _ in 0..20_000 {
        if rng.percent(55) {
            // Numbers come again when nodes are used again.
            let node = rng.below(500) as u32;
            order.push(node, rng.range(-9, 9).into());
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
    ($($module:ident: $order:expr,)*) => {$(
        mod $module {
            use super::*;

            #[test]
            fn it_gives_back_a_permutation() {
                gives_back_a_permutation($order);
            }
        }
    )*};
}

order_laws! {
    breadth_first: BreadthFirst::default(),
    depth_first: DepthFirst::default(),
    random_depth_first: RandomDepthFirst::new(7),
    random: Random::new(7),
    best_first: BestFirst::default(),
    buckets: Buckets::default(),
    depth: Depth::default(),
    reversed_depth: ReversedDepth::default(),
    adaptive: Adaptive::default(),
}

#[test]
fn breadth_first_is_first_in_first_out_and_depth_first_the_opposite() {
    let rng = &mut Rng::new(2);
    let (mut queue, mut stack) = (BreadthFirst::default(), DepthFirst::default());
    let (mut by_age, mut by_youth) = (VecDeque::new(), Vec::new());
    for node in 0..10_000 {
        if rng.percent(60) {
            queue.push(node, 0);
            stack.push(node, 0);
            by_age.push_back(node);
            by_youth.push(node);
        } else {
            assert_eq!(queue.pop(), by_age.pop_front());
            assert_eq!(stack.pop(), by_youth.pop());
        }
    }
}

#[test]
fn best_first_and_buckets_take_the_least_rank_and_of_equals_the_oldest() {
    takes_the_least_rank_and_of_equals_the_oldest(BestFirst::default());
    takes_the_least_rank_and_of_equals_the_oldest(Buckets::default());
}

fn takes_the_least_rank_and_of_equals_the_oldest(mut order: impl Order) {
    let rng = &mut Rng::new(3);
    let mut inside: Vec<(i64, u32)> = Vec::new();
    for node in 0..10_000 {
        if rng.percent(60) {
            let rank = match rng.below(20) {
                0 => i64::MAX,
                1 => i64::MIN,
                _ => rng.range(-5, 5).into(),
            };
            order.push(node, rank);
            inside.push((rank, node));
        } else if let Some(&least) = inside.iter().min() {
            // Numbers grow, so the least pair is the oldest of the least rank.
            assert_eq!(order.pop(), Some(least.1));
            inside.retain(|&entry| entry != least);
        }
    }
}

/// Pushes what `children` says, pop by pop.
fn taken(mut order: RandomDepthFirst, children: &[usize]) -> Vec<u32> {
    let (mut node, mut taken) = (0, Vec::new());
    for &count in children {
        for _ in 0..count {
            order.push(node, 0);
            node += 1;
        }
        taken.extend(order.pop());
    }
    taken
}

#[test]
fn random_depth_first_goes_down_first_and_is_fixed_by_its_seed() {
    // Four children, then three of the first of them: one of the three is next.
    for seed in 0..200 {
        let order = taken(RandomDepthFirst::new(seed), &[4, 3, 0, 0, 0, 0, 0]);
        assert!(order[0] < 4 && order[1..4].iter().all(|&node| node >= 4), "{order:?}");
        assert_eq!(order, taken(RandomDepthFirst::new(seed), &[4, 3, 0, 0, 0, 0, 0]));
    }
}

#[test]
fn random_depth_first_gives_every_order_of_siblings_about_equally_often() {
    let mut times = std::collections::HashMap::new();
    for seed in 0..6_000 {
        *times.entry(taken(RandomDepthFirst::new(seed), &[3, 0, 0])).or_insert(0) += 1;
    }
    assert_eq!(times.len(), 6);
    assert!(times.values().all(|&n| (800..1_200).contains(&n)), "{times:?}");
}

#[test]
fn random_takes_each_of_the_waiting_about_equally_often() {
    let mut times = [0; 5];
    for seed in 0..5_000 {
        let mut order = Random::new(seed);
        (0..5).for_each(|node| order.push(node, 0));
        times[order.pop().expect("one of five") as usize] += 1;
    }
    assert!(times.iter().all(|n| (900..1_100).contains(n)), "{times:?}");
}

#[test]
fn depth_takes_the_least_depth_first_even_if_it_comes_late() {
    // A root and two children; a grandchild comes before the children of the second.
    let mut order = Depth::default();
    order.push(0, 0);
    assert_eq!(order.pop(), Some(0));
    order.push(1, 0);
    order.push(2, 0);
    assert_eq!(order.pop(), Some(1));
    order.push(3, 0);
    assert_eq!((order.pop(), order.pop(), order.pop(), order.len()), (Some(2), Some(3), None, 0));
}

/// What is dropped stays in the heap until its turn; its number is used again
/// afterwards only.
#[test]
fn ranking_puts_what_takes_the_place_of_another_before_what_that_led_to() {
    let mut order = Ranking::default();
    let store = |order: &mut Ranking, node, parent| {
        order.stored(node, parent);
        order.push(node, 0);
    };
    store(&mut order, 0, None);
    assert_eq!(order.pop(), Some(0));
    store(&mut order, 1, Some(0));
    store(&mut order, 2, Some(0));
    assert_eq!(order.pop(), Some(1));
    store(&mut order, 3, Some(1));
    store(&mut order, 4, Some(1));
    assert_eq!(order.pop(), Some(2));
    // Takes the place of 1, which led to 3 and 4, and of the waiting 4, and of its own parent.
    for node in [1, 4, 2] {
        order.dropped(node);
    }
    store(&mut order, 5, Some(2));
    store(&mut order, 6, Some(2));
    assert_eq!(order.pop(), Some(5));
    // The walk from 1 looked at 1, 3 and 4; that from 2 at 2.
    assert_eq!(order.ranking_visits(), 4);
    // All that is left is below 0, and above 0 comes what takes its place.
    order.dropped(0);
    store(&mut order, 7, Some(5));
    assert_eq!(order.ranking_visits(), 4 + 4);
    let rest: Vec<u32> = std::iter::from_fn(|| order.pop()).collect();
    assert_eq!(rest, [7, 3, 4, 6]);
}

#[test]
fn depth_takes_the_shallowest_and_reversed_depth_the_deepest() {
    let (mut near, mut far) = (Depth::default(), ReversedDepth::default());
    let orders: [&mut dyn Order; 2] = [&mut near, &mut far];
    let taken = orders.map(|order| {
        order.push(0, 0);
        assert_eq!((order.pop(), order.depth()), (Some(0), 1));
        // Two that it made, and two from elsewhere.
        order.push(1, 0);
        order.arrive(2, 0, 5);
        order.arrive(3, 0, 0);
        order.push(4, 0);
        std::iter::from_fn(|| order.pop().map(|node| (node, order.depth()))).collect::<Vec<_>>()
    });
    assert_eq!(taken[0], [(3, 1), (1, 2), (4, 2), (2, 6)]);
    assert_eq!(taken[1], [(2, 6), (1, 2), (4, 2), (3, 1)]);
}

/// Who is faster decides about the first 4,096 states of several workers.
#[test]
fn adaptive_takes_its_time_where_the_work_is_shared() {
    let changed_after = |mut order: Adaptive| {
        let mut seen = 0;
        while order.changed_after().is_none() {
            order.push(seen, 0);
            order.stored(seen, None);
            order.pop();
            order.dropped(seen);
            seen += 1;
        }
        order.changed_after()
    };
    assert_eq!(changed_after(Adaptive::default()), Some(64));
    assert_eq!(changed_after(Adaptive::shared()), Some(4179));
}

/// A root with a hundred children, of which each third takes the place of a
/// state that was taken before.
#[test]
fn adaptive_changes_to_ranking_after_too_many_mistakes() {
    let mut order = Adaptive::default();
    let store = |order: &mut Adaptive, node, parent, rank| {
        order.stored(node, parent);
        order.push(node, rank);
    };
    store(&mut order, 0, None, 0);
    assert_eq!(order.pop(), Some(0));
    for node in 1..=100 {
        store(&mut order, node, Some(0), i64::from(100 - node % 2));
    }
    // The smaller rank first, in the first order.
    let odd: Vec<u32> = (1..=100).step_by(2).collect();
    let taken: Vec<u32> = odd.iter().map_while(|_| order.pop()).collect();
    assert_eq!(taken, odd);
    // One of 51 was a mistake, and one that waited was none; that is looked at from 64 states on.
    order.dropped(1);
    order.dropped(2);
    store(&mut order, 101, Some(99), 7);
    assert_eq!((order.pop(), order.changed_after()), (Some(101), None));
    order.dropped(3);
    for even in (2..=26).step_by(2) {
        assert_eq!((order.pop(), order.changed_after()), (Some(even), None));
    }
    // From here on by rank: 102 has a child that waits when 103 takes its place.
    store(&mut order, 102, Some(26), i64::MIN);
    assert_eq!((order.pop(), order.changed_after()), (Some(102), Some(64)));
    store(&mut order, 104, Some(102), 0);
    assert_eq!(order.pop(), Some(28));
    order.dropped(102);
    store(&mut order, 103, Some(28), 0);
    let rest: Vec<u32> = std::iter::from_fn(|| order.pop()).collect();
    let even: Vec<u32> = (30..=100).step_by(2).collect();
    assert_eq!(rest, [&[103][..], &even, &[104]].concat());
    assert_eq!(order.ranking_visits(), 2);
}
