// Required in the thread of each test file. AVA waits until nothing keeps a thread's event loop alive. A server, timer or
// connection that a file leaves open would hold up the whole run, and no line would name the file.
import { registerCompletionHandler } from "ava";

/** Far more time than any file needs to end by itself. */
const GRACE_MS = 60_000;
/** A thread that is blocked on a busy machine loses only one of these parts of its time. */
const PARTS = 10;

function endNow() {
  const kept = process.getActiveResourcesInfo().join(", ");
  process.stderr.write(`the tests of a file are over, but its thread does not end: it keeps ${kept}\n`);
  process.exit(1);
}

/**
 * Ends the thread of a file whose tests are over if it does not end by itself in this time. This is reported as a failure that
 * names the file.
 * @param {number} [graceMs]
 */
export default function endLate(graceMs = GRACE_MS) {
  registerCompletionHandler(() => {
    /** @type {NodeJS.Timeout | undefined} */
    let late;
    /** @param {number} parts */
    const wait = (parts) => {
      late = setTimeout(() => (parts > 1 ? wait(parts - 1) : endNow()), graceMs / PARTS);
      late.unref();
    };
    wait(PARTS);
    // Nothing keeps the thread alive, so another file may use it.
    process.once("beforeExit", () => clearTimeout(late));
  });
}
