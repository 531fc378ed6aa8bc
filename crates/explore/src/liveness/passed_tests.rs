//! The states met, against a plain list of zones: also where there are so many
//! that they stand by digest.

use super::passed::{Colour, Met, Passed};
use crate::cover::Inclusion;
use crate::digest::LONG;
use crate::store::CopiedKeys;
use dwell_base::Rng;
use dwell_zones::LuBounds;

const CELLS: usize = 6;

/// Cells that are often not ordered: what one has more another has less.
fn cells(rng: &mut Rng) -> [i16; CELLS] {
    let mut cells: [i16; CELLS] = std::array::from_fn(|_| rng.range(-3, 4) as i16);
    cells[CELLS - 1] = rng.range(0, 3) as i16 - cells[..CELLS - 1].iter().sum::<i16>();
    cells
}

fn is_within(small: &[i16; CELLS], large: &[i16; CELLS]) -> bool {
    small.iter().zip(large).all(|(a, b)| a <= b)
}

/// All zones ever met, by number.
struct Plain(Vec<([i16; CELLS], Colour)>);

impl Plain {
    fn meet(&mut self, new: [i16; CELLS]) -> Met {
        let find = |colour: Colour, like: &dyn Fn(&[i16; CELLS]) -> bool| {
            self.0.iter().position(|(old, c)| *c == colour && like(old)).map(|at| at as u32)
        };
        if find(Colour::Black, &|old| is_within(&new, old)).is_some() {
            Met::Done
        } else if let Some(at) = find(Colour::Grey, &|old| is_within(old, &new)) {
            Met::Loop(at)
        } else if let Some(at) = find(Colour::White, &|old| *old == new) {
            Met::Open(at)
        } else {
            self.0.push((new, Colour::White));
            Met::Open(self.0.len() as u32 - 1)
        }
    }

    fn blacken(&mut self, id: u32) {
        let large = self.0[id as usize].0;
        for (at, (small, colour)) in self.0.iter_mut().enumerate() {
            if at == id as usize {
                *colour = Colour::Black;
            } else if matches!(colour, Colour::White | Colour::Black) && is_within(small, &large) {
                *colour = Colour::Gone;
            }
        }
    }

    fn count(&self, colour: Colour) -> usize {
        self.0.iter().filter(|(_, c)| *c == colour).count()
    }
}

#[test]
fn it_answers_like_a_plain_list() {
    let bounds = LuBounds::<i16>::new(CELLS);
    let mut most = 0;
    for seed in 0..30 {
        let rng = &mut Rng::new(seed);
        let mut plain = Plain(Vec::new());
        let mut passed = Passed::new(1, CopiedKeys::new(1), Inclusion);
        let mut path = Vec::new();
        for step in 0..400 {
            let new = cells(rng);
            let met = passed.meet(&[7], &new, &[], &bounds);
            match (met, plain.meet(new)) {
                // Of several states on the path either will do.
                (Met::Loop(at), Met::Loop(_)) => {
                    assert_eq!(plain.0[at as usize].1, Colour::Grey);
                    assert!(is_within(&plain.0[at as usize].0, &new), "seed {seed}, step {step}");
                }
                (met, expected) => assert_eq!(met, expected, "seed {seed}, step {step}"),
            }
            if let Met::Open(id) = met
                && rng.percent(80)
            {
                passed.put_on_path(id);
                plain.0[id as usize].1 = Colour::Grey;
                path.push(id);
            }
            while path.len() > rng.below(4) as usize {
                let id = path.pop().expect("it is not empty");
                if passed.is_alone(id) {
                    passed.blacken_alone(id);
                } else {
                    passed.blacken(id, CELLS, &[], &bounds);
                }
                plain.blacken(id);
            }
            let left = plain.0.len() - plain.count(Colour::Gone);
            assert_eq!(passed.len(), left, "seed {seed}, step {step}");
        }
        for (id, (cells, colour)) in plain.0.iter().enumerate() {
            assert_eq!(passed.colour(id as u32), *colour);
            assert!(*colour == Colour::Gone || passed.cells(id as u32, CELLS) == cells);
        }
        most = most.max(plain.count(Colour::Black));
    }
    assert!(most > 2 * LONG, "{most} zones at most");
}
