#!/usr/bin/env node
"use strict";

// Runs the native command of the package for this platform. `UNSTUCK_BINARY` names another one.
const { spawnSync } = require("node:child_process");
const { constants } = require("node:os");
const { join } = require("node:path");
const { platformDirectory, platformPackage } = require("../dist/addon.js");

const suffix = process.platform === "win32" ? ".exe" : "";
const directory = platformDirectory();
const command =
  process.env.UNSTUCK_BINARY || (directory && join(directory, "bin", `unstuck${suffix}`));
if (!command) {
  console.error(
    `error: the package ${platformPackage()} is not installed\n` +
      "  = help: npm installs it with `unstuck`, unless optional dependencies are left out; there may be none for this platform",
  );
  process.exit(2);
}
// The terminal sends signals to both; this process waits for the other to end.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => {});
}
const { status, signal, error } = spawnSync(command, process.argv.slice(2), { stdio: "inherit" });
if (error) {
  console.error(`error: ${command} cannot be run: ${error.message}`);
  process.exit(2);
}
process.exit(status ?? 128 + (constants.signals[signal] ?? 0));
