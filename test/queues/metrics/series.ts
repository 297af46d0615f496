/** One line of a page: a sample of a series. */
export interface Series {
  name: string;
  labels: Record<string, string>;
  value: number;
}

/**
 * Reads every series of a page in Prometheus's text format. Throws if a line is neither a sample nor a comment, or if a
 * series is defined twice.
 */
export function seriesOf(page: string): Series[] {
  const lines = page.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  if (new Set(lines.map((line) => line.slice(0, line.lastIndexOf(" ")))).size < lines.length)
    throw new Error("a series is defined twice");
  return lines.map((line) => {
    const [, name = "", labels = "", value = ""] = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (!Number.isFinite(Number(value)) || name === "") throw new Error(`not a sample: ${line}`);
    const pairs = [...labels.matchAll(/([a-z_]+)="([^"]*)"/g)].map(([, label = "", text = ""]) => [label, text]);
    return { name, labels: Object.fromEntries(pairs), value: Number(value) };
  });
}
