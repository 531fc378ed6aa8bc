//! Random functions.

use dwell_base::Rng;
use dwell_model::expr::{Expr, Function, Stmt};
use dwell_model::{ClockId, Network};

use super::Config;
use super::data::{Data, RANGES};
use super::writer::{Effects, Returns, Writer};

/// The range of every parameter.
pub const PARAMETER: (i32, i32) = (-1, 2);

/// Locals of a function besides its parameters.
const LOCALS: u32 = 8;

/// Adds a function to `network`, which calls those that are there already.
pub fn add(rng: &mut Rng, config: &Config, network: &mut Network, effects: Effects) {
    let data = Data::of(network);
    let clocks: Vec<ClockId> = (0..network.clocks.len()).map(ClockId::new).collect();
    let first_param = network.locals;
    let params = rng.below(3) as u32;
    let (min, max) = if effects == Effects::Any && rng.percent(30) { (0, 0) } else { *rng.pick(&RANGES) };
    let own: Vec<u32> = (first_param..first_param + params).collect();
    let free = first_param + params..first_param + params + LOCALS;
    let (returns, risky) = match (min, max) {
        (0, 0) => (Returns::Nothing, config.risky_percent),
        _ if effects == Effects::Any => (Returns::Value(min, max), config.risky_percent),
        _ => (Returns::Value(min, max), config.risky_guard_percent),
    };
    let update = Writer::update(rng, config, network, &data, &clocks);
    let (readable, writable) = (own.clone(), own);
    let mut writer = Writer { effects, returns, risky, readable, writable, free, ..update };
    let body = writer.body();
    let locals = writer.free.start;
    let writes = effects == Effects::Any;
    let name = format!("f{}", network.functions.len());
    network.locals = locals;
    network.functions.push(Function { name, first_param, params, body, min, max, writes });
}

impl Writer<'_> {
    fn body(&mut self) -> Vec<Stmt> {
        let mut body = Vec::new();
        for _ in 0..self.rng.below(3) {
            self.statement(&mut body, None, 0);
        }
        if let Returns::Value(..) = self.returns {
            let last = self.leave();
            body.push(last);
        }
        body
    }

    /// A `return`.
    pub fn leave(&mut self) -> Stmt {
        Stmt::Return(match self.returns {
            Returns::Value(min, max) => {
                let value = self.integer();
                // What is in the range already needs no check.
                let fits = matches!(value, Expr::Const(c) if (min..=max).contains(&c));
                Some(if fits { value } else { self.checked(value, min, max) })
            }
            Returns::Nothing | Returns::Never => None,
        })
    }
}
