//! `unstuck` keeps LLM agents from going in circles.
