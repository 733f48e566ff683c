//! A longer look at positions than a move at the table may take, on a thread of its own: is this one
//! dead, and what does the fallen flag mean? What follows from that is the game's business.

use std::sync::mpsc::{self, Sender};
use std::thread;

use touchmove_game::{AnalysisQuestion, AnalysisResult, Budget};

/// Somebody who looks into questions while the players think.
pub(crate) struct BackgroundAnalysis {
    questions: Sender<AnalysisQuestion>,
}

impl BackgroundAnalysis {
    /// Begins to look; `tell` hears of everything that is found.
    pub(crate) fn begin(tell: impl Fn(AnalysisResult) + Send + 'static) -> BackgroundAnalysis {
        let (questions, asked) = mpsc::channel::<AnalysisQuestion>();
        thread::spawn(move || {
            while let Ok(first) = asked.recv() {
                // Positions that the game has gone on from are of no interest any more.
                let question = asked.try_iter().last().unwrap_or(first);
                tell(question.answer(Budget::default()));
            }
        });
        BackgroundAnalysis { questions }
    }

    /// Looks into this next.
    pub(crate) fn submit(&self, question: AnalysisQuestion) {
        // The thread lives as long as this does.
        let _ = self.questions.send(question);
    }
}
