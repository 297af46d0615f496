import { call } from "../../../call.ts";
import { type Pack, packsAddress, text } from "../desk.ts";

/** A fault in a pack, or a warning for its author. */
export interface Finding {
  pointer: string;
  detail: string;
  line?: number;
  column?: number;
  isWarning?: true;
}

interface Difference {
  checked: number;
  labels: number;
  scenarios: readonly { id: string | null; labels: number }[];
  next: string | null;
}

export interface Counted {
  errors: readonly Finding[];
  warnings: readonly Finding[];
  /** Number of labels by rule; undefined if the pack has faults. */
  counts: ReadonlyMap<string, number> | undefined;
  /** Labels to which no rule applies or for which no design is left to choose. */
  none: number;
  /** Labels that would show a different design. */
  changing: number;
  checked: number;
  at: Date;
}

/** Checks a pack, and counts the labels of each of its rules. */
export async function countLabels(pack: Pack, signal: AbortSignal): Promise<Counted> {
  const found = await post<{ errors: Finding[]; warnings: Finding[] }>("/validate", pack, signal);
  const result = { ...found, none: 0, changing: 0, checked: 0, at: new Date() };
  if (found.errors.length > 0) return { ...result, counts: undefined };
  const counts = new Map<string, number>();
  let after = "";
  do {
    const part = await post<Difference>(`/diff${after}`, pack, signal);
    for (const { id, labels } of part.scenarios) counts.set(id ?? "", (counts.get(id ?? "") ?? 0) + labels);
    result.checked += part.checked;
    result.changing += part.labels;
    after = part.next === null ? "" : `?after=${encodeURIComponent(part.next)}`;
  } while (after !== "");
  return { ...result, none: counts.get("") ?? 0, counts, at: new Date() };
}

/** Describes the result of a count in words. */
export function countedText({ counts, none, changing, checked, at }: Counted): string {
  if (counts === undefined) return text("rules.notCounted");
  const time = new Intl.DateTimeFormat(text.language, { timeStyle: "medium" }).format(at);
  return [
    text("rules.counted", { count: checked, time }),
    ...(none > 0 ? [text("rules.none", { count: none })] : []),
    ...(changing > 0 ? [text("rules.wouldChange", { count: changing })] : []),
  ].join(" ");
}

/** Posts a pack, or a trial of a pack, to one of the operations for packs. */
export async function post<T>(path: string, body: unknown, signal: AbortSignal | null = null): Promise<T> {
  const answer = await call("POST", `${packsAddress}${path}`, body, undefined, signal);
  if (!answer.ok) throw new Error(`${answer.status} of ${path}`);
  return (await answer.json()) as T;
}
