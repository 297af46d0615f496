import type { Texts } from "../../texts.ts";

interface Side {
  scenario: string | null;
  design_id: string | null;
}

/** Labels whose design would change, grouped by the scenario and design that apply now and those that would apply. */
export interface Change {
  from: Side;
  to: Side;
  labels: number;
  examples?: readonly Example[];
}

/** A label that would change. */
export interface Example {
  storeId: string;
  barcode: string;
  itemId: string;
  labelType: number;
}

/** What a publication would change and make worse. */
export interface Counts {
  labels: number;
  blank: number;
  drawn: number;
  faulty: number;
  worse: number;
  cut: number;
  isBounded: boolean;
  changes: readonly Change[];
  examples: readonly { storeId: string; barcode: string; told: readonly string[] }[];
}

/** The response to a dry run of a publication. */
export interface Trial {
  counts: Counts;
  /** Why the publication would be refused unless it is forced. */
  refusals: readonly string[];
}

export type Limits = Partial<Record<(typeof limited)[number], number>>;

const limited = ["blank", "faulty", "worse"] as const;
const harms = [...limited, "cut"] as const;

/** Lists what a publication would change, sentence by sentence. */
export function countsText(counts: Counts, text: Texts): string {
  const { labels, drawn, worse, isBounded } = counts;
  const harmful = harms.filter((name) => counts[name] > 0);
  return [
    labels === 0 ? text("publishing.noChange") : text("publishing.wouldChange", { count: labels }),
    ...harmful.map((name) => text(`publishing.${name}`, { count: counts[name] })),
    ...(drawn > 0 && worse === 0 ? [text("publishing.noneWorse", { count: drawn })] : []),
    ...(isBounded ? [text("publishing.bounded")] : []),
  ].join(" ");
}

/** Returns why a publication would be refused, in the page's language; empty if it would not. */
export function refusalsText({ counts, refusals }: Trial, limits: Limits, text: Texts): string {
  const beyond = limited.filter((name) => counts[name] > (limits[name] ?? Number.POSITIVE_INFINITY));
  return [
    ...(beyond.length > 0 ? [text("publishing.beyond")] : []),
    // A refusal that is not due to a limit is due to something that has gone live in the meantime.
    ...(refusals.length > beyond.length ? [text("publishing.outdated")] : []),
  ].join(" ");
}

/** Labels of a canary's stores, and how many of them have a fault. */
interface Faults {
  labels: number;
  faulty: number;
}

/** The faults before a canary, and the faults that stopped it. */
export interface Canary extends Faults {
  stoppedBy: (Faults & { limit: number }) | null;
}

/** Returns what stopped a canary; empty if nothing has. */
export function stoppedText({ labels, faulty, stoppedBy }: Canary, text: Texts & { language: string }): string {
  if (stoppedBy === null) return "";
  const percent = new Intl.NumberFormat(text.language, { style: "percent", maximumFractionDigits: 1 });
  const values = { ...stoppedBy, limit: percent.format(stoppedBy.limit), formerLabels: labels, formerFaulty: faulty };
  return text("publishing.why.STOPPED", values);
}
