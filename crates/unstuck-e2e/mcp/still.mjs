// Loaded before a server: times and names that it makes up are always the same, so that two runs can be compared to the
// byte.
import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

Date.prototype.toLocaleTimeString = () => "12:00:00 AM";
Date.prototype.toString = () => "Thu Jan 01 1970";
let made = 0;
crypto.randomUUID = () => `00000000-0000-4000-8000-${String((made += 1)).padStart(12, "0")}`;
syncBuiltinESMExports();
