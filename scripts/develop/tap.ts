/** The results of one test file. */
export interface FileResult {
  passed: number;
  /** The report of each failure, beginning with its `not ok` line. */
  failures: string[];
}

/**
 * Collects results from AVA's TAP output by test file; `fileOf` gives the file of a test's title. `read` takes a line
 * and gives it back, or undefined where the line has no information for a reader.
 */
export function createTapReader(fileOf: (title: string) => string) {
  const files = new Map<string, FileResult>();
  let failure: { result: FileResult; lines: string[] } | undefined;

  function endFailure(): void {
    if (failure) failure.result.failures.push(failure.lines.join("\n"));
    failure = undefined;
  }

  function resultOf(title: string): FileResult {
    const file = fileOf(title);
    const result = files.get(file) ?? { passed: 0, failures: [] };
    files.set(file, result);
    return result;
  }

  return {
    read(line: string): string | undefined {
      const [, verdict, title = ""] = /^(ok|not ok) \d+ - (.*)$/.exec(line) ?? [];
      if (verdict !== undefined || line.startsWith("#") || line.startsWith("1..")) endFailure();
      if (verdict === "ok") resultOf(title).passed += 1;
      if (verdict === "not ok") failure = { result: resultOf(title), lines: [] };
      failure?.lines.push(line);
      return /^(TAP|1\.\.|# (tests|pass|fail)|\s*$)/.test(line) ? undefined : line;
    },
    /** Ends the report and gives the results by file. */
    end(): ReadonlyMap<string, FileResult> {
      endFailure();
      return files;
    },
  };
}
