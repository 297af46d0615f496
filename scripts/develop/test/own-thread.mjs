import { readFileSync } from "node:fs";

/** Test files that stop, hold or flood the resources that they open. */
const FAULTS = "/test/faults/";
/** Names of resources that all files in a thread share: clocks, globals, module loader hooks, the global tracer, memory. */
const SHARED =
  /\b(mock\.timers|globalThis\.|registerHooks|createHook|process\.memoryUsage|process\.cpuUsage|tracing\/|openCollector)/;

/**
 * Whether a test file needs its own thread, which no other file uses before or after it: it breaks what it runs on, or its code
 * names something that all files in a thread share.
 * @param {string} file
 */
export const needsOwnThread = (file) => file.includes(FAULTS) || SHARED.test(readFileSync(file, "utf8"));
