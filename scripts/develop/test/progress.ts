/**
 * Processor time of one file's tests and everything that they start, in seconds: the time of a whole run, divided by its
 * files.
 */
const CPU_SECONDS_PER_FILE = 2.5;
/** Processor time of the checks, the browser and the servers in a run of all files, in seconds. */
const CPU_SECONDS_BESIDES = 120;
/** Number of progress lines in a run. */
const STEPS = 20;

/** Estimates how long a run takes on an otherwise idle machine, for a developer who decides whether to wait. */
export function announcement(files: number, cores: number, isWhole: boolean): string {
  const seconds = files * CPU_SECONDS_PER_FILE + (isWhole ? CPU_SECONDS_BESIDES : 0);
  const minutes = Math.ceil(seconds / 60 / cores);
  const [many, take] = files === 1 ? ["1 test file", "takes"] : [`${files} test files`, "take"];
  return `# ${many} ${take} about ${minutes === 1 ? "a minute" : `${minutes} minutes`} on ${cores} idle cores`;
}

/** Receives how many files have reported so far, and returns a line whenever another twentieth of all files has. */
export function createProgress(files: number): (reported: number) => string | undefined {
  const step = Math.max(1, Math.ceil(files / STEPS));
  let next = step;
  return (reported) => {
    if (reported < next || files < STEPS) return undefined;
    next = reported + step;
    return `# ${reported} of ${files} files`;
  };
}
