//! `unstuck-bindgen MODULE DIRECTORY`: what `wasm-bindgen --target web` does, without the rest of that program.

use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [module, directory] = &*words else {
        eprintln!("usage: unstuck-bindgen MODULE DIRECTORY");
        return ExitCode::from(2);
    };
    let mut bindgen = Bindgen::new();
    bindgen
        .input_path(module)
        .out_name("unstuck")
        .typescript(true);
    let made = bindgen
        .web(true)
        .and_then(|bindgen| bindgen.generate(directory));
    match made {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
