//! What is judged is what the other side reads.

#[path = "messages/http.rs"]
mod http;
#[path = "messages/stdio.rs"]
mod stdio;
