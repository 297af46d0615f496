/** What one file of tests came to. */
export interface FileResult {
  passed: number;
  /** The report of each failure, from its `not ok` on. */
  failures: string[];
}

/**
 * Reads what AVA says in TAP, line by line, by file: `fileOf` names the file of a test's title. Lines that tell a reader
 * nothing are left out of what `read` gives back.
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
    /** The results so far; the report is over. */
    end(): ReadonlyMap<string, FileResult> {
      endFailure();
      return files;
    },
  };
}
