// Runs a TypeScript entry of the project: `node scripts/run.mjs scripts/start/start.ts ...`. First installs what a fresh
// clone lacks.
import { spawn } from "node:child_process";
import { ensureDependencies, ensureNode } from "./prepare.mjs";

const [entry = "", ...args] = process.argv.slice(2);
if (process.env.NODE_ENV !== "production") ensureDependencies(entry);
const node = ensureNode();
const child = spawn(node, [entry, ...args], { stdio: "inherit" });

// Signals are passed to the child, which ends in an orderly way. A second signal does no harm.
process.on("SIGINT", (signal) => child.kill(signal));
process.on("SIGTERM", (signal) => child.kill(signal));
process.on("SIGHUP", (signal) => child.kill(signal));
// If npm is killed, this script keeps running under another parent. It then ends the child.
const { ppid } = process;
if (process.env.npm_lifecycle_event) setInterval(() => process.ppid !== ppid && child.kill("SIGTERM"), 1000).unref();
child.on("exit", (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
