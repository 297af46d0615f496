/** The results of one test file. */
export interface FileResult {
  passed: number;
  /** The report of each failure, beginning with its `not ok` line. */
  failures: string[];
}

/** A line that a test logged. AVA reports it between a failure's first line and its details. */
const LOGGED = /^# {3}/;
/** The title with which AVA reports that a file's thread has ended. */
const EXITED = /^(test\/\S+\.test\.ts) exited with/;

/**
 * Collects results from AVA's TAP output by test file. `fileOf` returns the file of a test's title. `read` takes a line and
 * returns it, or undefined if the line has no information for a reader.
 */
export function createTapReader(fileOf: (title: string) => string) {
  const files = new Map<string, FileResult>();
  let failure: { result: FileResult; lines: string[] } | undefined;

  function endFailure(): void {
    if (failure) failure.result.failures.push(failure.lines.join("\n"));
    failure = undefined;
  }

  function resultOf(title: string): FileResult {
    const file = EXITED.exec(title)?.[1] ?? fileOf(title);
    const result = files.get(file) ?? { passed: 0, failures: [] };
    files.set(file, result);
    return result;
  }

  /** Assigns an error that no test caught to its file, which the next line names. */
  function nameUncaught(title: string): void {
    const uncaught = files.get("");
    const file = EXITED.exec(title)?.[1];
    if (file === undefined || uncaught === undefined || uncaught.passed > 0) return;
    files.delete("");
    resultOf(title).failures.push(...uncaught.failures);
  }

  return {
    read(line: string): string | undefined {
      const [, verdict, title = ""] = /^(ok|not ok) \d+ - (.*)$/.exec(line) ?? [];
      if (verdict !== undefined || (line.startsWith("#") && !LOGGED.test(line)) || line.startsWith("1..")) endFailure();
      if (verdict === "ok") resultOf(title).passed += 1;
      if (verdict === "not ok") {
        nameUncaught(title);
        failure = { result: resultOf(title), lines: [] };
      }
      failure?.lines.push(line);
      return /^(TAP|1\.\.|# (tests|pass|fail)|\s*$)/.test(line) ? undefined : line;
    },
    /** Returns how many files have reported a test. */
    filesSoFar: () => files.size,
    /** Ends the report and returns the results by file. */
    end(): ReadonlyMap<string, FileResult> {
      endFailure();
      return files;
    },
  };
}
