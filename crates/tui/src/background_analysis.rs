//! A thread that analyses positions for longer than a move may take: is the position dead, and what does the fallen
//! flag mean? The game decides what follows from the result.

use std::sync::mpsc::{self, Sender};
use std::thread;

use touchmove_game::{AnalysisQuestion, AnalysisResult, Budget};

/// The background thread that answers analysis questions.
pub(crate) struct BackgroundAnalysis {
    questions: Sender<AnalysisQuestion>,
}

impl BackgroundAnalysis {
    /// Starts the thread; `tell` receives every result.
    pub(crate) fn begin(tell: impl Fn(AnalysisResult) + Send + 'static) -> BackgroundAnalysis {
        let (questions, asked) = mpsc::channel::<AnalysisQuestion>();
        thread::spawn(move || {
            while let Ok(first) = asked.recv() {
                // Only the newest question matters: the game has gone on from the others.
                let question = asked.try_iter().last().unwrap_or(first);
                tell(question.answer(Budget::default()));
            }
        });
        BackgroundAnalysis { questions }
    }

    /// Submits a question.
    pub(crate) fn submit(&self, question: AnalysisQuestion) {
        // Cannot fail: the thread lives as long as `self`.
        let _ = self.questions.send(question);
    }
}
