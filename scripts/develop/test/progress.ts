/** What the tests of one file take together, with all that they start: that of a whole run, shared by its files. */
const CPU_SECONDS_PER_FILE = 2.5;
/** The checks, the browser and the servers, which a run of all files has besides. */
const CPU_SECONDS_BESIDES = 120;
/** How often a run says how far it is. */
const STEPS = 20;

/** Says roughly what a run takes on a machine that has nothing else to do, for a developer who decides whether to wait. */
export function announcement(files: number, cores: number, isWhole: boolean): string {
  const seconds = files * CPU_SECONDS_PER_FILE + (isWhole ? CPU_SECONDS_BESIDES : 0);
  const minutes = Math.ceil(seconds / 60 / cores);
  const [many, take] = files === 1 ? ["1 file", "takes"] : [`${files} files`, "take"];
  return `# ${many} of tests: ${take} about ${minutes === 1 ? "a minute" : `${minutes} minutes`} on ${cores} idle cores`;
}

/** Takes how many files have reported so far, and returns a line whenever these are a further twentieth of all. */
export function createProgress(files: number): (reported: number) => string | undefined {
  const step = Math.max(1, Math.ceil(files / STEPS));
  let next = step;
  return (reported) => {
    if (reported < next || files < STEPS) return undefined;
    next = reported + step;
    return `# ${reported} of ${files} files`;
  };
}
