// Loaded before AVA, which starts a thread for each test file. Here, files take turns in long-lived threads. A thread loads
// AVA, the databases' clients and the product once, which takes longer than most files.
import { EventEmitter } from "node:events";
import { syncBuiltinESMExports } from "node:module";
import workerThreads, { Worker } from "node:worker_threads";
import { needsOwnThread } from "./own-thread.mjs";

/**
 * Maximum memory that a thread may hold when a file is over, in its heap and in buffers. A thread keeps every module that its
 * files have loaded. After a few files it holds far less than this. A new thread would load and compile everything again.
 */
const MAX_HELD_BYTES = 0.5 * 2 ** 30;
const PROGRAM = new URL("./run-files.mjs", import.meta.url);

/** @typedef {{ worker: Worker, turn: Turn | undefined }} Thread */

/** @type {Thread[]} */
const idle = [];
let turns = 0;

/** The turn of one file in a thread. To AVA, it is the thread of that file. */
class Turn extends EventEmitter {
  stdout = new EventEmitter();
  stderr = new EventEmitter();
  /** AVA's shared workers identify files by it, so it differs from the thread's id. */
  threadId = `turn ${++turns}`;

  /** @param {import("node:worker_threads").WorkerOptions} options with which AVA would start a thread */
  constructor(options) {
    super();
    this.thread = idle.pop() ?? openThread(options);
    this.thread.turn = this;
    this.thread.worker.postMessage({ run: options.workerData.options });
  }

  /** @param {unknown} message */
  postMessage(message) {
    this.thread.worker.postMessage(message);
  }

  terminate() {
    return this.thread.worker.terminate();
  }
}

/**
 * Starts a thread that runs files one after another. It ends after the last file, if it holds too much memory, or if a file
 * ends it.
 * @param {import("node:worker_threads").WorkerOptions} options
 * @returns {Thread}
 */
function openThread(options) {
  const worker = new Worker(PROGRAM, { ...options, workerData: {} });
  /** @type {Thread} */
  const thread = { worker, turn: undefined };
  for (const stream of /** @type {const} */ (["stdout", "stderr"]))
    worker[stream].on("data", (chunk) => thread.turn?.[stream].emit("data", chunk));
  worker.on("error", (error) => thread.turn?.emit("error", error));
  worker.on("message", (message) => {
    if (message.isOver) endTurn(thread, message.heldBytes);
    else thread.turn?.emit("message", withSharedFile(message));
  });
  worker.on("exit", (code) => {
    const place = idle.indexOf(thread);
    if (place >= 0) idle.splice(place, 1);
    thread.turn?.emit("exit", code);
  });
  return thread;
}

/**
 * @param {Thread} thread whose file has left nothing that would keep a thread alive
 * @param {number} heldBytes memory that it still holds
 */
function endTurn(thread, heldBytes) {
  const { turn, worker } = thread;
  thread.turn = undefined;
  if (heldBytes < MAX_HELD_BYTES) idle.push(thread);
  else worker.postMessage({ end: true });
  turn?.emit("exit", 0);
}

/**
 * A file has its own connection to a shared worker, and within a thread AVA identifies a connection by the worker's address. So
 * files add themselves to the address as a fragment, which is removed here to get the program's address.
 * @param {{ ava?: { type: string, filename?: string } }} message
 */
const withSharedFile = (message) =>
  message.ava?.type === "shared-worker-connect"
    ? { ava: { ...message.ava, filename: message.ava.filename?.replace(/#.*$/, "") } }
    : message;

workerThreads.Worker = new Proxy(Worker, {
  construct(target, [program, options]) {
    const { file, lineNumbers = [] } = options?.workerData?.options ?? {};
    const isShared = file !== undefined && lineNumbers.length === 0 && !needsOwnThread(file);
    return isShared ? new Turn(options) : new target(program, options);
  },
});
syncBuiltinESMExports();

const { default: Api } = await import(import.meta.resolve("../../../node_modules/ava/lib/api.js"));
const { run } = Api.prototype;
Api.prototype.run = async function (/** @type {unknown[]} */ ...args) {
  const status = await run.apply(this, args);
  for (const { worker } of idle) worker.postMessage({ end: true });
  return status;
};
