//! Nobody works and nothing travels: how that is noticed.
//!
//! Safra's algorithm (Dijkstra: *Shmuel Safra's version of termination
//! detection*, EWD 998, 1987). A token goes round the ring of workers; whoever
//! holds it passes it on when it has nothing to do.
//!
//! Every worker has a count `c` of batches sent less batches received, and is
//! black once it has received one since it last passed the token on. The token
//! sums the counts up and becomes black when a black worker passes it on.
//!
//! TD-1 The sum of all counts is the number of batches on their way.
//! TD-2 A worker without work gets some only by receiving a batch.
//! TD-3 Between two visits of the token to worker 0 the following holds, where
//!      t is the worker that has the token and Q the sum it carries. At least
//!      one of:
//!      - (P0) all workers above t have nothing to do, and their counts sum up
//!        to Q;
//!      - (P1) the counts of the workers 0 … t and Q sum up to more than 0;
//!      - (P2) one of the workers 0 … t is black;
//!      - (P3) the token is black.
//!
//! *Why it holds.* It holds when worker 0 sends the token (t is the last worker,
//! P0). While the token rests with t, P0 can be broken only by a worker above
//! t that receives a batch (TD-2). That batch was on its way, so by TD-1 the
//! counts of all workers summed up to at least 1 before, and with P0 the counts
//! of 0 … t and Q did too: P1 holds and goes on holding, since what is sent
//! inside 0 … t increases, and only what is received there decreases that sum,
//! which makes the receiver black: P2. When t passes the token on it has
//! nothing to do: P0 is kept, and so is P1, as its count moves into Q; if t was
//! the black one of P2, the token becomes black, P3, and stays so.
//!
//! *Why that is enough.* When worker 0 has the token back (t = 0), is white, has
//! nothing to do, the token is white, and `c` + Q = 0, then P1, P2 and P3 are
//! false, so P0 holds: nobody else has anything to do, and by TD-1 the number
//! of batches on their way is the sum of all counts, `c` + Q = 0. Otherwise the
//! token starts again.
//!
//! *Why it comes to an end.* If nobody works and nothing travels, the first full
//! round after that makes every worker white, and the second succeeds.

use dwell_explore::Worker;

/// What goes round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// Counts of those that have passed it on.
    pub sum: i64,
    /// Whether one of them was black, or it was black before.
    pub black: bool,
}

impl Token {
    /// As bytes.
    pub fn to_bytes(self) -> [u8; 9] {
        let mut bytes = [0; 9];
        bytes[..8].copy_from_slice(&self.sum.to_le_bytes());
        bytes[8] = self.black.into();
        bytes
    }

    /// From bytes; of a token that nobody sent, one that ends nothing.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        match bytes.first_chunk::<8>() {
            Some(sum) if bytes.len() == 9 => Self { sum: i64::from_le_bytes(*sum), black: bytes[8] != 0 },
            _ => Self { sum: 0, black: true },
        }
    }
}

/// What a worker without work is to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Wait.
    None,
    /// Send the token to this worker.
    Pass(Worker, Token),
    /// It is over: tell everybody.
    Over,
}

/// One worker's part.
#[derive(Clone, Debug)]
pub struct Termination {
    me: Worker,
    workers: Worker,
    count: i64,
    black: bool,
    token: Option<Token>,
    /// Worker 0 has found that it is over; nobody has the token.
    over: bool,
}

impl Termination {
    /// For one of so many workers. Worker 0 has the token, black: nobody has
    /// been asked yet.
    pub fn new(me: Worker, workers: Worker) -> Self {
        let token = (me == 0).then_some(Token { sum: 0, black: true });
        Self { me, workers, count: 0, black: false, token, over: false }
    }

    /// A batch was sent.
    pub fn sent(&mut self) {
        self.count += 1;
    }

    /// A batch was received.
    pub fn received(&mut self) {
        self.count -= 1;
        self.black = true;
    }

    /// It may have been over, and is not any more: worker 0 has the token, if
    /// nobody else has it.
    pub fn start_again(&mut self) {
        if self.over {
            self.over = false;
            self.token = Some(Token { sum: 0, black: true });
        }
    }

    /// The token was received.
    pub fn take(&mut self, token: Token) {
        self.token = Some(token);
    }

    /// Nothing is to be done here, and nothing waits to be sent.
    pub fn idle(&mut self) -> Step {
        let Some(token) = self.token.take() else { return Step::None };
        let black = std::mem::take(&mut self.black);
        if self.me != 0 {
            let token = Token { sum: token.sum + self.count, black: token.black || black };
            return Step::Pass(self.me - 1, token);
        }
        if !black && !token.black && self.count + token.sum == 0 {
            self.over = true;
            return Step::Over;
        }
        if self.workers == 1 {
            self.token = Some(Token { sum: 0, black: false });
            return Step::None;
        }
        Step::Pass(self.workers - 1, Token { sum: 0, black: false })
    }
}
