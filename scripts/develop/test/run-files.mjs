// The program of a thread in which test files take turns. It does what AVA's own (`lib/worker/base.js`) does for one file.
import { flushCompileCache } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { getHeapStatistics } from "node:v8";
import { isMainThread, parentPort } from "node:worker_threads";

const ofAva = (/** @type {string} */ file) => import(import.meta.resolve(`../../../node_modules/ava/lib/${file}`));
const [channel, state, { runCompletionHandlers }] = await Promise.all(
  ["worker/channel.js", "worker/state.js", "worker/completion-handlers.js"].map(ofAva),
);
const [{ default: Runner }, { default: serializeError }] = await Promise.all(
  ["runner.js", "serialize-error.js"].map(ofAva),
);
const [{ set: setChalk }, { set: setOptions }] = await Promise.all(["chalk.js", "worker/options.js"].map(ofAva));

/** @typedef {{ file: string, projectDir: string, require?: [string, ...unknown[]][], chalkOptions: { level: number } }} Options */

const environment = { ...process.env };
/** @type {Map<Promise<unknown>, unknown>} */
const unhandled = new Map();
let file = "";
/** @type {{ chain: Record<PropertyKey, unknown> & ((...args: unknown[]) => unknown), interrupt(): void, nextTaskIndex: number }} */
let runner;
let mayExit = false;
let free = () => {};

// Modules import `test` only once, and then declare tests for the file whose turn it is.
state.refs.runnerChain = new Proxy(() => {}, {
  apply: (_, __, args) => runner.chain(...args),
  get: (_, name) => runner.chain[name],
});

const { exit } = process;
process.exit = (code) => {
  if (!mayExit) channel.send({ type: "process-exit", stack: new Error("Unexpected process.exit()").stack });
  return exit(code);
};
process.on("unhandledRejection", (reason, promise) => void unhandled.set(promise, reason));
process.on("rejectionHandled", (promise) => void unhandled.delete(promise));
process.on("uncaughtException", (error) => fail("uncaught-exception", error));

/**
 * Ends the thread, and with it the file whose turn it is.
 * @param {string} type
 * @param {unknown} [error]
 */
function fail(type, error) {
  channel.send({ type, ...(error !== undefined && { err: serializeError(error, { testFile: file }) }) });
  mayExit = true;
  exit(1);
}

/** @param {Options} options as AVA would pass them to a file's thread */
async function run(options) {
  begin(options);
  try {
    for (const [required, ...args] of options.require ?? []) {
      const { default: begin } = await import(pathToFileURL(resolve(options.projectDir, required)).href);
      await begin(...args);
    }
    await import(pathToFileURL(file).href);
  } catch (error) {
    return fail("uncaught-exception", error);
  }
  if (runner.nextTaskIndex === 0) return fail("missing-ava-import");
  channel.unref();
}

/** @param {Options} options */
function begin(options) {
  if (file === "") {
    setChalk(options.chalkOptions);
    setOptions(options);
  }
  ({ file } = options);
  mayExit = false;
  unhandled.clear();
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
  for (const ofFile of [state.completionHandlers, state.sharedWorkerTeardowns, state.waitForReady]) ofFile.length = 0;
  const made = new Runner(options);
  made.on("accessed-snapshots", (/** @type {{ data: string }} */ { data: filename }) =>
    channel.send({ type: "accessed-snapshots", filename }),
  );
  made.on("stateChange", (/** @type {{ data: object }} */ { data }) => channel.send(data));
  made.on("error", (/** @type {{ data: unknown }} */ { data }) => fail("internal-error", data));
  made.on("finish", () => finish(made));
  runner = made;
}

/** @param {{ saveSnapshotState(): Promise<{ touchedFiles?: unknown }> }} finished */
async function finish(finished) {
  try {
    const { touchedFiles } = await finished.saveSnapshotState();
    if (touchedFiles) channel.send({ type: "touched-files", files: touchedFiles });
    await Promise.all(state.sharedWorkerTeardowns.map((/** @type {() => unknown} */ end) => end()));
  } catch (error) {
    return fail("uncaught-exception", error);
  }
  const freed = new Promise((done) => {
    free = () => done(undefined);
  });
  channel.send({ type: "worker-finished" });
  channel.ref();
  await freed;
  channel.unref();
  setImmediate(endTurn);
}

/** The turn is over when nothing would keep the thread alive. Until then, any failure is a failure of the file. */
function endTurn() {
  for (const reason of unhandled.values()) fail("unhandled-rejection", reason);
  mayExit = true;
  runCompletionHandlers();
  process.once("beforeExit", () => {
    channel.ref();
    // In a fresh clone, this thread has compiled modules that later threads and processes load.
    flushCompileCache();
    const { used_heap_size: heap, external_memory: buffers } = getHeapStatistics();
    parentPort?.postMessage({ isOver: true, heldBytes: heap + buffers });
  });
}

parentPort?.on("message", (message) => {
  if (message.run) void run(message.run);
  if (message.end) channel.unref();
  if (message.ava?.type === "free-worker") free();
  if (message.ava?.type === "peer-failed") runner.interrupt();
});
if (!isMainThread) channel.send({ type: "starting" });
