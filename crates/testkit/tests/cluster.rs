//! Several processes on one question, here threads that think they are
//! processes: the first one has the answers of one worker alone.

use dwell_base::Rng;
use dwell_engine::{Control, Model, Options, Question, Report, Session, TraceKind, Verdict};
use dwell_parallel::threads::{self, Threads};
use dwell_parallel::{Cluster, Transport, Worker};
use dwell_testkit::differential::replayed;
use dwell_testkit::random::{Config, describe, network};
use dwell_testkit::seeds::seeds;
use std::cell::Cell;
use std::sync::{Arc, Mutex};

/// The ends of every connection that was made, until they are handed out.
type Pool = Arc<Mutex<Vec<Vec<Option<Threads>>>>>;

struct Local {
    rank: Worker,
    ranks: Worker,
    pool: Pool,
    connections: Cell<usize>,
}

impl Cluster for Local {
    fn rank(&self) -> Worker {
        self.rank
    }

    fn ranks(&self) -> Worker {
        self.ranks
    }

    fn connect(&self, threads: Worker) -> Vec<Box<dyn Transport + Send + '_>> {
        let number = self.connections.replace(self.connections.get() + 1);
        let mut pool = self.pool.lock().unwrap();
        if pool.len() == number {
            pool.push(threads::connect(self.ranks * threads).into_iter().map(Some).collect());
        }
        let first = usize::from(self.rank * threads);
        let mine = &mut pool[number][first..first + usize::from(threads)];
        mine.iter_mut().map(|end| Box::new(end.take().expect("not handed out yet")) as _).collect()
    }
}

/// What the first of so many processes says, each with so many threads.
fn ask(model: &Model, questions: &[Question], ranks: Worker, threads: Worker) -> Vec<Report> {
    let pool = Pool::default();
    let rank = |rank| {
        let local = Local { rank, ranks, pool: Arc::clone(&pool), connections: Cell::default() };
        let cluster = (ranks > 1).then_some(&local as &dyn Cluster);
        let mut session = Session::new(model, questions.len()).on_cluster(cluster);
        let reports = questions.iter().map(|question| {
            let options = Options { ranks, threads, trace: Some(TraceKind::Some), ..Options::default() };
            let plan = options.plan(model, question).expect("a sound plan");
            session.check(question, &plan, Control::default())
        });
        reports.collect::<Vec<_>>()
    };
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..ranks).map(|r| scope.spawn(move || rank(r).len())).collect();
        let reports = rank(0);
        others.into_iter().for_each(|other| assert_eq!(other.join().unwrap(), questions.len()));
        reports
    })
}

#[test]
fn the_first_process_answers_as_one_alone() {
    let mut traces = 0;
    for seed in seeds(150) {
        let config = [Config::small(), Config::timed(), Config::loud()][seed as usize % 3].clone();
        let risky_percent = if seed.is_multiple_of(4) { 5 } else { 0 };
        let made = network(&mut Rng::new(seed), &Config { risky_guard_percent: 0, risky_percent, ..config });
        let model = Model::from_network(made.clone()).expect("a valid network");
        let mut questions = vec![Question::space()];
        questions.extend(["goal", "other"].map(|label| Question::labels(&model, &[label]).expect("a label")));
        let alone = ask(&model, &questions, 1, 1);
        for (ranks, threads) in [(2, 1), (3, 2)] {
            let shared = ask(&model, &questions, ranks, threads);
            for (alone, shared) in alone.iter().zip(&shared) {
                let what = format!("DWELL_SEED={seed}, {ranks} × {threads}\n{}", describe(&made));
                // Where the model fails on the way, a state may be found before that, or after.
                let lucky = alone.verdict == Verdict::Error && shared.verdict == Verdict::Satisfied;
                assert!(lucky || shared.verdict == alone.verdict, "{:?}: {what}", shared.verdict);
                assert!(lucky || shared.trace.is_some() == alone.trace.is_some(), "{what}");
                if let Some(trace) = &shared.trace {
                    replayed(&made, trace).unwrap_or_else(|error| panic!("{error}\n{what}"));
                    traces += 1;
                }
            }
        }
    }
    println!("{traces} traces were put together");
    assert!(traces > 50 || std::env::var_os("DWELL_SEED").is_some());
}

#[test]
fn values_of_clocks_and_integers_are_agreed_on() {
    let text = "clock x, y; int[0,9] n;
        process P() { state A { x <= 5 }, B { y <= 70 }; init A;
          trans A -> A { guard x >= 2, n < 9; assign x = 0, n++; }, A -> B { guard n == 9; assign y = 0; }; }
        system P;";
    let model = Model::read(text, dwell_engine::Format::Xta, &Default::default()).expect("a correct model");
    let queries = ["sup: n", "sup{P.B}: x, y", "inf{n > 2}: x", "A[] n < 10", "A<> P.B", "bounds: y"];
    let queries: Vec<_> = queries.iter().map(|q| dwell_engine::syntax::uppaal::parse_query(q).0).collect();
    let questions: Vec<Question> =
        model.questions(&queries).into_iter().map(|q| q.unwrap_or_else(|_| panic!("a query"))).collect();
    let answers = |reports: Vec<Report>| -> Vec<_> {
        reports.into_iter().map(|r| (r.verdict, r.values.map(|v| format!("{v:?}")))).collect()
    };
    let alone = answers(ask(&model, &questions, 1, 1));
    for (ranks, threads) in [(1, 3), (2, 1), (2, 2)] {
        assert_eq!(answers(ask(&model, &questions, ranks, threads)), alone, "{ranks} × {threads}");
    }
}
