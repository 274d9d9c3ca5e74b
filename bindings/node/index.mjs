// One copy of the classes for both kinds of modules.
export * from "./dist/index.js";
