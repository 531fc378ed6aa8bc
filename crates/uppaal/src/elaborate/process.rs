//! Processes as queries see them: `P.x`, `Set(1, i).loc`.

use dwell_model::expr::{BinaryOp, Expr};
use dwell_model::{ProcessId, Span};
use dwell_syntax::uppaal::tree;

use super::Elaborator;
use super::expression::Value;
use super::scope::Binding;

/// Sets up to this large may be indexed by what is computed while running.
const MAX_CHOICE: usize = 256;

impl<'a> Elaborator<'a> {
    /// `P(1, 2)`.
    pub(super) fn process_of_set(&mut self, set: usize, args: &'a [tree::Expr], span: Span) -> Value {
        let args: Vec<_> = args.iter().map(|arg| self.int(arg)).collect();
        let known = |arg: &Expr| if let Expr::Const(value) = arg { Some(*value) } else { None };
        if let Some(values) = args.iter().map(known).collect::<Option<Vec<_>>>() {
            return match self.tables.sets[set].members.get(&values) {
                Some(process) => Value::Process(*process),
                None => self.no_such_process(set, span),
            };
        }
        let mut members: Vec<_> = self.tables.sets[set]
            .members
            .iter()
            .filter(|(values, _)| {
                values.len() == args.len()
                    && values.iter().zip(&args).all(|(value, arg)| known(arg).is_none_or(|arg| arg == *value))
            })
            .map(|(values, process)| (values.clone(), *process))
            .collect();
        members.sort_unstable();
        // The last member stands for all values that are left: there must be no holes.
        let mut all = 1;
        let mut bounds = Vec::new();
        for at in 0..args.len() {
            let low = members.iter().map(|(values, _)| values[at]).min().unwrap_or(0);
            let high = members.iter().map(|(values, _)| values[at]).max().unwrap_or(0);
            all *= i64::from(high) - i64::from(low) + 1;
            bounds.push((low, high));
        }
        if members.is_empty() || members.len() > MAX_CHOICE || members.len() as i64 != all {
            self.unsupported("such a process whose number is computed while running", span);
            return Value::NOTHING;
        }
        let args = args.into_iter().zip(bounds).map(|(arg, (low, high))| self.checked(arg, low, high, span));
        let args: Vec<_> = args.collect();
        let choice = members.into_iter().map(|(values, process)| {
            let equal = values
                .into_iter()
                .zip(&args)
                .map(|(value, arg)| self.binary(BinaryOp::Eq, arg.clone(), Expr::Const(value), span));
            (self.chain(equal.collect(), true), process)
        });
        Value::OneOf(choice.collect())
    }

    /// Says which processes there are instead.
    fn no_such_process(&mut self, set: usize, span: Span) -> Value {
        let mut members: Vec<_> = self.tables.sets[set].members.iter().collect();
        members.sort_unstable();
        let name = |at: usize| &self.network.processes[members[at].1.index()].name;
        let known = match members.len() {
            0 => "there is none".to_owned(),
            1 => format!("there is only `{}`", name(0)),
            2 => format!("there are `{}` and `{}`", name(0), name(1)),
            n => format!("there are {n}, from `{}` to `{}`", name(0), name(n - 1)),
        };
        self.bad(&format!("there is no such process; {known}"), span)
    }

    /// What a name declared in a process stands for.
    pub(super) fn own_binding(&self, process: ProcessId, name: &str) -> Option<Binding> {
        let instance = self.tables.instances.get(process.index())?;
        self.tables.scopes.own(instance.scope, name).cloned()
    }

    /// `P.name`: something declared in the process, or a location.
    pub(super) fn member(&mut self, process: ProcessId, name: &str, span: Span) -> Value {
        if let Some(binding) = self.own_binding(process, name) {
            return self.bound(binding, name, span);
        }
        let template = self.tables.instances.get(process.index()).map(|i| i.template);
        let location = template.and_then(|t| self.tables.locations.get(t)?.get(name).copied());
        match location {
            Some(location) => Value::Int(Expr::At(process, location)),
            None => {
                self.error("unknown-name", span, format!("the process has no `{name}`"));
                Value::NOTHING
            }
        }
    }

    /// `Set(e).name`: an integer or a location of whichever process it is.
    pub(super) fn member_of_one(
        &mut self,
        processes: Vec<(Expr, ProcessId)>,
        name: &str,
        span: Span,
    ) -> Value {
        let mut result: Option<Expr> = None;
        for (condition, process) in processes.into_iter().rev() {
            let value = self.member(process, name, span);
            let Value::Int(value) = self.read(value, span) else {
                self.unsupported(
                    "a clock or array of a process whose number is computed while running",
                    span,
                );
                return Value::NOTHING;
            };
            result = Some(match result {
                None => value,
                Some(rest) => self.if_then_else(condition, value, rest),
            });
        }
        Value::Int(result.unwrap_or(Expr::Const(0)))
    }
}
