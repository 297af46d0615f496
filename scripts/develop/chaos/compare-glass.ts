import { createHash } from "node:crypto";
import { labelsBehind } from "../../../api/management/integrity/report.ts";
import type { System } from "../../../queues/system.ts";
import { openImageFiles } from "../../../records/files/image-files.ts";
import { labelStates } from "../../../records/kinds/labels.ts";
import type { LabelBehind } from "../../../schemas/integrity.ts";
import { labelKey, tenantOf } from "../../../schemas/keys.ts";
import { explanationOf } from "../../operate/admin/commands/labels.ts";
import type { Wanted } from "./wanted-pictures.ts";
import { createGlassReader } from "./watch-glass.ts";

/**
 * Compares the integrity report of a store with every glass. Each finding is either a label that does not show the last price,
 * with the reported reason, or a label about which the report is wrong.
 */
export async function compareGlass(
  system: System,
  store: string,
  stale: readonly Wanted[],
  emulator: string,
): Promise<string[]> {
  const behind = new Map<string, LabelBehind>();
  for await (const { rows } of labelsBehind(explanationOf(system), store, system.now(), (date) => date.toISOString()))
    for (const row of rows) behind.set(row.barcode, row);
  const glass = stale.length > 0 ? await createGlassReader(emulator)() : {};
  const findings: string[] = [];
  for (const { barcode, itemId } of stale) {
    const row = behind.get(barcode);
    const why = row
      ? `${row.cause}, ${row.reason} (since ${row.since})`
      : await explainUntold(system, labelKey(store, barcode), glass[barcode]);
    findings.push(`label ${barcode} does not show the last price of ${itemId}: ${why}`);
  }
  const isStale = new Set(stale.map(({ barcode }) => barcode));
  const untrue = [...behind.values()].filter(({ barcode }) => !isStale.has(barcode));
  return [
    ...findings,
    ...untrue.map(({ barcode, reason }) => `label ${barcode} is right, but integrity says that it is not: ${reason}`),
  ];
}

/** Explains why a label does not show the requested picture although every record says that it does. */
async function explainUntold({ db, records, now }: System, key: string, shown: string | undefined): Promise<string> {
  const [first] = (await records.read(labelStates, [key])).get(key)?.shown ?? [];
  const files = await openImageFiles(db, now).read(tenantOf(key), first ? [first.image] : []);
  const png = files.get(first?.image ?? "")?.png;
  const acknowledged = png && createHash("sha256").update(png).digest("hex");
  return acknowledged === shown
    ? "it shows what was drawn for it, but this process draws something else: was the code changed meanwhile?"
    : "its label server acknowledged a picture that is not on the glass";
}
