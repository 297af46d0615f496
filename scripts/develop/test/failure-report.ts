import { parse } from "yaml";

const MAX_LINES = 12;

/** What AVA reports about an assertion: the actual and the expected value, with its own titles. */
interface Reported {
  assertion?: string;
  details?: Readonly<Record<string, unknown>>;
}

/**
 * Returns the report of a failure. It ends with what a developer needs first: the rule that does not hold, what was expected, and
 * how to run the file by itself, with the options of the run. A failure that belongs to no file, such as one of the run itself,
 * is not changed.
 */
export function endReport(file: string, report: string, options: readonly string[] = []): string {
  if (file === "") return report;
  const [head = "", ...lines] = report.split("\n");
  const expected = expectedIn(lines);
  return [
    report,
    `# rule: ${head.replace(/^not ok \d+ - /, "")}`,
    ...(expected === undefined ? [] : [`# expected: ${expected.replaceAll("\n", "\n#   ")}`]),
    `# alone: npm test -- ${[...options, file].join(" ")}`,
  ].join("\n");
}

function expectedIn(lines: readonly string[]): string | undefined {
  const begin = lines.findIndex((line) => line.trim() === "---");
  const end = lines.findIndex((line) => line.trim() === "...");
  if (begin < 0 || end < begin) return undefined;
  const { assertion, details = {} } = parse(lines.slice(begin + 1, end).join("\n")) as Reported;
  for (const [title, value] of Object.entries(details)) {
    if (/, \+ expected/.test(title)) return expectedOf(String(value));
    if (title === "Regular expression:") return `a text that matches ${value}`;
  }
  return assertion && `${assertion} to hold`;
}

/**
 * Returns the expected side of a difference, up to a readable length: the lines that are on both sides, or only on this one.
 */
function expectedOf(difference: string): string {
  const lines = difference.split("\n").flatMap((line) => (line.startsWith("-") ? [] : [line.slice(2)]));
  return [...lines.slice(0, MAX_LINES), ...(lines.length > MAX_LINES ? ["..."] : [])].join("\n");
}
