import { availableParallelism } from "node:os";
import { filesAtOnce } from "./scripts/develop/test/files-at-once.mjs";

/**
 * The files that wait or work longest, in the order in which they start, so that the run does not end with one of them alone.
 * Unlisted files follow.
 */
const longest = [
  "test/scripts/develop/conform",
  "test/api/labels/lists/labels-many",
  "test/faults/outages/mongodb-away",
  "test/faults/",
  "test/flow/observed/events",
  "test/workers/pages/hostile-images",
  "test/api/images/hostile-images",
  "test/scripts/operate/production-install",
  "test/api/http/hostile/hostile",
  "test/api/requests/request-order",
  "test/scripts/operate/label-server-check",
  "test/workers/transmitter/glass/proofs",
  "test/queues/changes/",
  "test/queues/walks/",
  "test/api/",
  "test/flow/",
];

const rankOf = (/** @type {string} */ file) => {
  const rank = longest.findIndex((start) => file.includes(`/${start}`));
  return rank < 0 ? longest.length : rank;
};

export default {
  extensions: ["ts"],
  files: ["test/**/*.test.ts"],
  require: ["./scripts/develop/test/end-files.mjs"],
  // If no test has ended for this long, the run is stuck; a busy machine cannot be the cause.
  timeout: "30m",
  concurrency: filesAtOnce(availableParallelism(), process.availableMemory()),
  sortTestFiles: (/** @type {string} */ one, /** @type {string} */ other) =>
    rankOf(one) - rankOf(other) || (one < other ? -1 : 1),
};
