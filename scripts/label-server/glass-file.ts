import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import type { createLabels } from "./labels.ts";

type Labels = ReturnType<typeof createLabels>;

/** One page of a label, stored as a line of the file. */
interface Line {
  barcode: string;
  store: string;
  battery: "OK" | "LOW";
  page: number;
  received: number;
  acknowledgedAt: string | null;
  png: string;
  text?: string;
}

const SAVE_INTERVAL_MS = 5_000;

/**
 * Stores what emulated labels show in a file and restores it at the start, as e-paper does without power. Without a
 * file nothing is stored.
 */
export function keepGlass(labels: Labels, file: string | undefined): { stop(): void } {
  if (file === undefined) return { stop: () => {} };
  if (existsSync(file)) restore(labels, readFileSync(file, "utf8"));
  let saved = labels.totals().received;
  const save = () => {
    const { received } = labels.totals();
    if (received === saved) return;
    saved = received;
    writeFileSync(`${file}.new`, linesOf(labels));
    renameSync(`${file}.new`, file);
  };
  const timer = setInterval(save, SAVE_INTERVAL_MS);
  return {
    stop() {
      clearInterval(timer);
      save();
    },
  };
}

function restore(labels: Labels, text: string): void {
  for (const line of text.split("\n").filter(Boolean)) {
    const { barcode, store, battery, page, png, ...shown }: Line = JSON.parse(line);
    labels.hang(barcode, store, battery, page, { ...shown, png: Buffer.from(png, "base64") });
  }
}

function linesOf(labels: Labels): string {
  const lines = [...labels.all()].flatMap(({ barcode, store, battery, pages }) =>
    [...pages].map(([page, { png, sha256: _, ...shown }]): Line => {
      return { barcode, store, battery, page, ...shown, png: png.toString("base64") };
    }),
  );
  return `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`;
}
