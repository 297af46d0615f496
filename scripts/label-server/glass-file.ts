import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import type { EmulatedLabel, Page } from "./emulated-label.ts";
import type { createLabels } from "./labels.ts";

type Labels = ReturnType<typeof createLabels>;

/** One page of a label, stored as a line of the file. */
interface Line {
  barcode: string;
  store: string;
  battery: "OK" | "LOW";
  page: number;
  number?: number;
  received: number;
  acknowledgedAt: string | null;
  png: string;
  text?: string;
}

/** Maximum number of lines for each shown page before the file is rewritten. */
const MAX_LINES_PER_PAGE = 4;
const MIN_LINES = 10_000;

/**
 * Stores what emulated labels show in a file and restores it at start-up, because real e-paper keeps its picture without power.
 * Only the last line of each page counts. `store` adds what labels have shown since the last call. It must be called before the
 * labels' reports are sent, so that a killed label server never loses a picture that it acknowledged. Without a file, nothing
 * is stored.
 */
export function keepGlass(labels: Labels, file: string | undefined): { store(): void } {
  if (file === undefined) return { store: () => {} };
  if (existsSync(file)) restore(labels, readFileSync(file, "utf8"));
  let lines = 0;
  const writeAnew = () => {
    const all = [...labels.all()].flatMap((label) => [...label.pages.keys()].map((page) => lineOf(label, page)));
    writeFileSync(`${file}.new`, all.join(""));
    renameSync(`${file}.new`, file);
    lines = all.length;
  };
  writeAnew();
  return {
    store() {
      const added = labels.takeShown().map(({ label, page }) => lineOf(label, page));
      if (added.length === 0) return;
      appendFileSync(file, added.join(""));
      lines += added.length;
      if (lines > MIN_LINES + MAX_LINES_PER_PAGE * labels.totals().pages) writeAnew();
    },
  };
}

function restore(labels: Labels, text: string): void {
  // A line without its end was being written when the process was killed. Nothing in it is acknowledged.
  for (const line of text.split("\n").slice(0, -1)) {
    const { barcode, store, battery, page, png, ...shown }: Line = JSON.parse(line);
    labels.hang(barcode, store, battery, page, { ...shown, png: Buffer.from(png, "base64") });
  }
}

function lineOf({ barcode, store, battery, pages }: EmulatedLabel, page: number): string {
  const { png, sha256: _, ...shown } = pages.get(page) as Page;
  const line: Line = { barcode, store, battery, page, ...shown, png: png.toString("base64") };
  return `${JSON.stringify(line)}\n`;
}
