/** Most files wait for the threads that serve stacks, for a server, a timer or a process. */
const FILES_PER_PROCESSOR = 3;
/** Memory that every run needs: for the database, the threads that serve stacks, and AVA itself. */
const RUN_BYTES = 3 * 2 ** 30;
/** Memory for a fault-test file, which starts its own processes. Other files need less. */
const FILE_BYTES = 0.75 * 2 ** 30;
/** With one database and few threads that serve stacks, more files would spend more time waiting than running. */
const MAX_FILES = 12;

/**
 * Returns how many test files run at the same time on a machine with this many processors and this much free memory.
 * @param {number} processors
 * @param {number} freeBytes
 */
export function filesAtOnce(processors, freeBytes) {
  const inMemory = Math.floor((freeBytes - RUN_BYTES) / FILE_BYTES);
  return Math.max(1, Math.min(processors * FILES_PER_PROCESSOR, inMemory, MAX_FILES));
}
