//! The npm package and the module of WebAssembly, beside literal implementations of the founding classes in TypeScript.

use std::ffi::OsStr;
use std::fs;

use super::Language;
use crate::package::{node, node_check, npm::Npm, wasm};

pub(super) static NODE: Language = Language {
    name: "node",
    measure: |build| {
        let npm = Npm::ensure(build.shell, build.install)?;
        wasm::target(build.shell, build.install)?;
        let compiled = node::compile(build, &npm)?;
        let folder = node_check::installed(&npm, &node::pack(&npm, &compiled)?)?;
        let module = wasm::package(&npm, &build.profile)?;
        let benches = build.shell.root().join("bindings/js/bench");
        let founding = npm.empty("founding")?;
        let source = founding.join("founding.ts");
        fs::copy(benches.join("founding.ts"), &source)?;
        let flags = ["--strict", "--module", "node16", "--target", "es2023"];
        let mut words: Vec<&OsStr> = flags.iter().map(OsStr::new).collect();
        let typings = npm.place.join("node_modules/@types");
        words.extend(["--types", "node", "--typeRoots"].map(OsStr::new));
        words.push(typings.as_os_str());
        words.push(source.as_os_str());
        npm.tsc(&words)?;
        build
            .shell
            .program(&npm.node)
            .arg("--expose-gc")
            .arg(benches.join("calls.mjs"))
            .env("UNSTUCK_FOUNDING", founding.join("founding.js"))
            .env(
                "UNSTUCK_MODULE",
                folder.join("node_modules/unstuck/index.mjs"),
            )
            .env("UNSTUCK_WASM", module.join("dist/index.js"))
            .run()?;
        Ok(())
    },
};
