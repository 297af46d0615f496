import { readFileSync } from "node:fs";

/** Files that stop, hold or flood what they open. */
const FAULTS = "/test/faults/";
/** Names of what the files of one thread share: clocks, globals, hooks of the module loader, the global tracer, memory. */
const SHARED =
  /\b(mock\.timers|globalThis\.|registerHooks|createHook|process\.memoryUsage|process\.cpuUsage|tracing\/)/;

/**
 * Whether a file of tests has a thread of its own, which no other file uses before or after it: it breaks what it runs on,
 * or its text names something that all files of a thread share.
 * @param {string} file
 */
export const needsOwnThread = (file) => file.includes(FAULTS) || SHARED.test(readFileSync(file, "utf8"));
