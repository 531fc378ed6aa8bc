//! The start-up of a `FlexRay` cluster, after the description of coldstart and integration in the
//! *`FlexRay` Communications System Protocol Specification*, version 2.1, chapter 7.
//!
//! F. Herbreteau and T.-T. Tran (*Improving search order for reachability testing in timed automata*,
//! FORMATS 2015) measure a `FlexRay` model that is not public; this one is ours and has other figures.
//! What it shares is that much of the state lies in variables: slot, cycle and attempt counters.
//!
//! Simplified: frames take no time; a cycle has one slot per node and no dynamic segment; there is one
//! channel, which loses a frame for everybody or for nobody, and once in all; the noise timeout is left
//! out with the noise. Clocks drift by up to one unit a slot and are set right by every frame instead of
//! every other cycle. A node in normal operation stays there.

use crate::Family;
use crate::model::{Header, Model};

pub(crate) const FAMILY: Family = Family {
    name: "flexray",
    summary: "start-up of a FlexRay cluster; the size counts nodes",
    default_size: 3,
    min_size: 2,
    // Every node synchronises with every other, so the text grows with the square.
    max_size: 50,
    write,
};

/// The longest a slot may last.
const SLOT: u32 = 20;
/// By how much a slot may be shorter.
const DRIFT: u32 = 1;
/// When in its slot a node sends: far from both ends, so that nodes agree whose frame it is unless ten slots
/// in a row are silent.
const ACTION_POINT: u32 = 10;
/// How often a node may lead a start-up.
const ATTEMPTS: u32 = 2;
/// How many frames the channel may lose.
const LOSSES: u32 = 1;

const COLDSTART_LISTEN: &str = "ColdstartListen";
const INTEGRATION_LISTEN: &str = "IntegrationListen";
const COLLISION_RESOLUTION: &str = "CollisionResolution";
const CONSISTENCY_CHECK: &str = "ConsistencyCheck";
const GAP: &str = "Gap";
const INITIALIZE_SCHEDULE: &str = "InitializeSchedule";
const COLDSTART_CHECK: &str = "IntegrationColdstartCheck";
const INTEGRATION_CHECK: &str = "IntegrationConsistencyCheck";
const JOIN: &str = "Join";
const ACTIVE: &str = "Active";

/// The phases in which a node sends in its slot.
const SENDING: [&str; 4] = [COLLISION_RESOLUTION, CONSISTENCY_CHECK, JOIN, ACTIVE];

/// The location of a phase before the node's frame in its own slot.
fn sending(phase: &str) -> String {
    format!("{phase}Sends")
}

/// Nodes that may begin or vouch for a start-up; the others only integrate.
fn coldstart_nodes(n: u32) -> u32 {
    n.min(3)
}

fn write(n: u32) -> String {
    let mut model = Model::new(&header(n), format_args!("flexray_{n}"));
    for event in ["tau", "cas", "send", "deliver", "lose", "hear_cas"] {
        model.event(event);
    }
    for i in 1..=n {
        model.event(format_args!("hear{i}"));
    }
    model.int("lost", (0, LOSSES), 0);

    model.process("Channel");
    model.location("Open").initial();
    model.edge("Open", "Open", "deliver");
    model.edge("Open", "Open", "lose").when(format_args!("lost<{LOSSES}")).then("lost=lost+1");

    for i in 1..=n {
        Node { i, n }.write(&mut model);
    }
    model.blank();
    for i in 1..=n {
        let with_others = |own: &str, heard: &str| {
            let others = (1..=n).filter(|&j| j != i).map(|j| format!(":Node{j}@{heard}"));
            format!("Channel@deliver:Node{i}@{own}{}", others.collect::<String>())
        };
        if i <= coldstart_nodes(n) {
            model.sync(with_others("cas", "hear_cas"));
        }
        model.sync(with_others("send", &format!("hear{i}")));
        model.sync(format_args!("Channel@lose:Node{i}@send"));
    }
    model.finish()
}

/// What is heard while the node follows a schedule.
#[derive(Clone, Copy, PartialEq)]
enum Hears {
    /// Anything: another node leads, and this one gives way.
    Rival,
    /// Startup frames in their slots, counted up to so many; a frame in another slot ends the phase.
    Startup(u32),
    /// A frame in another slot than its own is the error that is searched for.
    Operation,
}

/// A phase of the start-up in which the node follows a schedule.
struct Phase {
    name: &'static str,
    sends: bool,
    hears: Hears,
    /// What happens at the end of a cycle: guard, next phase and statements.
    ends: Vec<(String, &'static str, String)>,
}

/// Node `i` of `n`. Its clock is `x`; `s` is the slot, `c` the cycle within the phase, `h` counts the
/// startup frames heard in this cycle and `a` the attempts to lead.
#[derive(Clone, Copy)]
struct Node {
    i: u32,
    n: u32,
}

impl Node {
    fn write(self, model: &mut Model) {
        let Self { i, n } = self;
        model.process(format_args!("Node{i}"));
        model.clock(format_args!("x{i}"));
        model.int(format_args!("s{i}"), (1, n), 1);
        model.int(format_args!("c{i}"), (0, 3), 0);
        model.int(format_args!("h{i}"), (0, 2), 0);
        if self.may_coldstart() {
            model.int(format_args!("a{i}"), (0, ATTEMPTS), 0);
        }
        let phases = self.phases();

        model.location("Ready").initial();
        if self.may_coldstart() {
            model.location(COLDSTART_LISTEN).invariant(format_args!("x{i}<={}", self.timeout()));
        }
        model.location(INTEGRATION_LISTEN);
        for phase in &phases {
            self.locations(model, phase);
        }
        model.location("Disagree").label("disagree");

        model.edge("Ready", self.listening(), "tau").then(format_args!("x{i}=0"));
        self.is_deaf(model, "Ready");
        if self.may_coldstart() {
            self.coldstart(model);
            self.integrates(model, COLDSTART_LISTEN);
        }
        self.integrates(model, INTEGRATION_LISTEN);
        for phase in &phases {
            self.keeps_schedule(model, phase);
            self.hears(model, phase);
        }
        self.is_deaf(model, "Disagree");
    }

    fn may_coldstart(self) -> bool {
        self.i <= coldstart_nodes(self.n)
    }

    /// Where a node waits for others, at first and after it gave up.
    fn listening(self) -> &'static str {
        if self.may_coldstart() { COLDSTART_LISTEN } else { INTEGRATION_LISTEN }
    }

    /// Two silent cycles and what clocks may differ by.
    fn timeout(self) -> u32 {
        2 * (self.n * SLOT + DRIFT)
    }

    fn others(self) -> impl Iterator<Item = u32> {
        (1..=self.n).filter(move |&j| j != self.i)
    }

    /// Where a cycle of a phase begins: the first node sends at once.
    fn first_slot(self, phase: &str) -> String {
        if self.i == 1 && SENDING.contains(&phase) { sending(phase) } else { phase.to_owned() }
    }

    /// Stays where it is, whatever is on the channel.
    fn is_deaf(self, model: &mut Model, location: &str) {
        model.edge(location, location, "hear_cas");
        for j in self.others() {
            model.edge(location, location, format_args!("hear{j}"));
        }
    }

    /// After two silent cycles the node sends the collision avoidance symbol and leads, if it still may.
    fn coldstart(self, model: &mut Model) {
        let i = self.i;
        let expired = format!("x{i}=={}", self.timeout());
        model
            .edge(COLDSTART_LISTEN, self.first_slot(COLLISION_RESOLUTION), "cas")
            .when(format_args!("{expired}&&a{i}<{ATTEMPTS}"))
            .then(format_args!("x{i}=0;a{i}=a{i}+1"));
        model
            .edge(COLDSTART_LISTEN, INTEGRATION_LISTEN, "tau")
            .when(format_args!("{expired}&&a{i}=={ATTEMPTS}"))
            .then(format_args!("x{i}=0"));
        // A node that is about to send its own symbol may miss the other: then both lead for a while.
        model.edge(COLDSTART_LISTEN, COLDSTART_LISTEN, "hear_cas").when(expired);
    }

    /// The first startup frame gives the schedule; all else is activity that restarts the timer.
    fn integrates(self, model: &mut Model, location: &str) {
        let Self { i, n } = self;
        model.edge(location, location, "hear_cas").then(format_args!("x{i}=0"));
        for j in self.others() {
            if j <= coldstart_nodes(n) {
                let schedule = format!("x{i}={ACTION_POINT};s{i}={j}");
                model.edge(location, INITIALIZE_SCHEDULE, format_args!("hear{j}")).then(schedule);
            } else {
                model.edge(location, location, format_args!("hear{j}")).then(format_args!("x{i}=0"));
            }
        }
    }

    fn locations(self, model: &mut Model, phase: &Phase) {
        let i = self.i;
        let operates = phase.hears == Hears::Operation;
        let mut location = |name: &str, until: u32| {
            let line = model.location(name).invariant(format_args!("x{i}<={until}"));
            if operates {
                line.label(format_args!("active{i}"));
            }
        };
        location(phase.name, SLOT);
        if phase.sends {
            location(&sending(phase.name), ACTION_POINT);
        }
    }

    /// Slot after slot, cycle after cycle.
    fn keeps_schedule(self, model: &mut Model, phase: &Phase) {
        let Self { i, n } = self;
        let (name, slot_ends) = (phase.name, format!("x{i}>={}", SLOT - DRIFT));
        let next_slot = format!("x{i}=0;s{i}=s{i}+1");
        if phase.sends {
            let sends = sending(name);
            model.edge(&sends, name, "send").when(format_args!("x{i}=={ACTION_POINT}"));
            if i > 1 {
                let mine = format!("{slot_ends}&&s{i}=={}", i - 1);
                model.edge(name, &sends, "tau").when(mine).then(&next_slot);
            }
            let not_mine = format!("{slot_ends}&&s{i}<{n}&&s{i}!={}", i - 1);
            model.edge(name, name, "tau").when(not_mine).then(&next_slot);
        } else {
            model.edge(name, name, "tau").when(format_args!("{slot_ends}&&s{i}<{n}")).then(&next_slot);
        }
        for (guard, next, statements) in &phase.ends {
            model
                .edge(name, self.first_slot(next), "tau")
                .when(format_args!("{slot_ends}&&s{i}=={n}{guard}"))
                .then(format_args!("x{i}=0;s{i}=1;h{i}=0{statements}"));
        }
    }

    fn hears(self, model: &mut Model, phase: &Phase) {
        let Self { i, n } = self;
        let (name, forget) = (phase.name, format!("x{i}=0;s{i}=1;c{i}=0;h{i}=0"));
        let wrong = if phase.hears == Hears::Operation { "Disagree" } else { self.listening() };
        let before_own_frame = phase.sends.then(|| sending(name));
        for location in before_own_frame.iter().map(String::as_str).chain([name]) {
            if phase.hears == Hears::Rival {
                model.edge(location, wrong, "hear_cas").then(&forget);
            } else {
                model.edge(location, location, "hear_cas");
            }
        }
        for j in self.others() {
            let heard = format!("hear{j}");
            if let Some(location) = &before_own_frame {
                model.edge(location, wrong, &heard).then(&forget);
            }
            if phase.hears == Hears::Rival {
                model.edge(name, wrong, &heard).then(&forget);
                continue;
            }
            let (in_slot, adjust) = (format!("s{i}=={j}"), format!("x{i}={ACTION_POINT}"));
            model.edge(name, wrong, &heard).when(format_args!("s{i}!={j}")).then(&forget);
            match phase.hears {
                Hears::Startup(most) if j <= coldstart_nodes(n) => {
                    let more = format!("{in_slot}&&h{i}<{most}");
                    model.edge(name, name, &heard).when(more).then(format_args!("{adjust};h{i}=h{i}+1"));
                    let enough = format!("{in_slot}&&h{i}=={most}");
                    model.edge(name, name, &heard).when(enough).then(adjust);
                }
                _ => {
                    model.edge(name, name, &heard).when(in_slot).then(adjust);
                }
            }
        }
    }

    /// The phases of the specification. The follower's cycles fit those of the leader: it is in its
    /// integration check while the leader sends alone, and joins when the leader looks for others.
    fn phases(self) -> Vec<Phase> {
        let i = self.i;
        let on = |guard: &str| guard.replace('@', &i.to_string());
        let end = |guard: &str, next: &'static str, then: &str| (on(guard), next, on(then));
        let phase = |name, hears, ends| Phase { name, sends: SENDING.contains(&name), hears, ends };
        let gives_up = |guard: &str| end(guard, self.listening(), ";c@=0");
        let (count, reset) = (";c@=c@+1", ";c@=0");
        let check = if self.may_coldstart() { COLDSTART_CHECK } else { INTEGRATION_CHECK };
        let initialize = vec![
            end("&&c@==0", INITIALIZE_SCHEDULE, count),
            end("&&c@==1&&h@>0", check, reset),
            gives_up("&&c@==1&&h@==0"),
        ];
        let mut phases = vec![phase(INITIALIZE_SCHEDULE, Hears::Startup(1), initialize)];
        if self.may_coldstart() {
            let resolve =
                vec![end("&&c@<3", COLLISION_RESOLUTION, count), end("&&c@==3", CONSISTENCY_CHECK, reset)];
            let consistency = vec![
                end("&&c@==0&&h@==0", GAP, ""),
                end("&&c@==0&&h@>0", CONSISTENCY_CHECK, count),
                end("&&c@==1&&h@>0", ACTIVE, reset),
                gives_up("&&c@==1&&h@==0"),
            ];
            let gap = vec![
                end(&format!("&&a@<{ATTEMPTS}"), COLLISION_RESOLUTION, ";a@=a@+1"),
                end(&format!("&&a@=={ATTEMPTS}"), INTEGRATION_LISTEN, ""),
            ];
            let integration = vec![
                gives_up("&&h@==0"),
                end("&&c@==0&&h@>0", COLDSTART_CHECK, count),
                end("&&c@==1&&h@>0", JOIN, reset),
            ];
            let join = vec![
                gives_up("&&h@==0"),
                end("&&c@<2&&h@>0", JOIN, count),
                end("&&c@==2&&h@>0", ACTIVE, reset),
            ];
            phases.extend([
                phase(COLLISION_RESOLUTION, Hears::Rival, resolve),
                phase(CONSISTENCY_CHECK, Hears::Startup(1), consistency),
                phase(GAP, Hears::Rival, gap),
                phase(COLDSTART_CHECK, Hears::Startup(1), integration),
                phase(JOIN, Hears::Startup(1), join),
            ]);
        } else {
            let integration = vec![
                gives_up("&&h@==0"),
                end("&&h@==1", INTEGRATION_CHECK, reset),
                end("&&c@==0&&h@==2", INTEGRATION_CHECK, count),
                end("&&c@==1&&h@==2", ACTIVE, reset),
            ];
            phases.push(phase(INTEGRATION_CHECK, Hears::Startup(2), integration));
        }
        phases.push(phase(ACTIVE, Hears::Operation, vec![end("", ACTIVE, "")]));
        phases
    }
}

fn header(n: u32) -> Header {
    Header {
        title: format!(
            "Start-up of a FlexRay cluster of {n} nodes, {} of them coldstart nodes",
            coldstart_nodes(n)
        ),
        instance: (FAMILY.name, n),
        about: &[
            "After two silent cycles a coldstart node sends a symbol and leads: it sends frames alone for",
            "four cycles, then looks for others. Nodes that hear it take over its schedule, check it, join.",
            "After the FlexRay specification 2.1, chapter 7. Simplified: frames take no time and set clocks",
            "right at once, a cycle has one slot per node and no dynamic segment, there is no noise, and the",
            "channel loses at most one frame, for all nodes alike.",
            "A node in normal operation has the label active and its number.",
        ],
        search: "disagree (a node in operation hears a frame in the wrong slot)".to_owned(),
    }
}
