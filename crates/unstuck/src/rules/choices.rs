//! Choices that several rules share.

use crate::options::choice;

choice! {
    /// What the progress matrix judges.
    JudgeSteps {
        /// `step` events.
        Steps,
        /// `step` events, and calls with their results where no other rule reports.
        StepsAndCalls,
    }
}
