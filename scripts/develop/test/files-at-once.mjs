/** Most files wait for the threads that serve stacks, a server, a timer or a process. */
const FILES_PER_PROCESSOR = 3;
/** What every run has: the database, the threads that serve stacks, and AVA itself. */
const RUN_BYTES = 3 * 2 ** 30;
/** Of a file of faults, whose processes are its own. Other files take less. */
const FILE_BYTES = 0.75 * 2 ** 30;
/** Of one database and the few threads that serve stacks, more files would wait for longer than they run. */
const MAX_FILES = 12;

/**
 * How many files of tests run at once on a machine with these processors, and this memory free.
 * @param {number} processors
 * @param {number} freeBytes
 */
export function filesAtOnce(processors, freeBytes) {
  const inMemory = Math.floor((freeBytes - RUN_BYTES) / FILE_BYTES);
  return Math.max(1, Math.min(processors * FILES_PER_PROCESSOR, inMemory, MAX_FILES));
}
