//! What is judged is what the other side reads.
