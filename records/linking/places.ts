import { ownerOf } from "../../schemas/keys.ts";
import { labels } from "../kinds/labels.ts";
import { stores } from "../kinds/tenants.ts";
import type { FoundTogether } from "../read-together.ts";
import type { Records } from "../records.ts";

/** The reads of labels and their stores, which determine what is drawn for a label and how the label is reached. */
export const placesOf = (labelKeys: readonly string[]) =>
  [
    { kind: labels, keys: labelKeys },
    { kind: stores, keys: labelKeys.map(ownerOf) },
  ] as const;
export type Places = FoundTogether<ReturnType<typeof placesOf>>;

/** Returns these places with the current records of some labels. */
export async function readLabelsAgain(
  records: Pick<Records, "read">,
  [labelRecords, storeRecords]: Places,
  labelKeys: ReadonlySet<string>,
): Promise<Places> {
  if (labelKeys.size === 0) return [labelRecords, storeRecords];
  const present = await records.read(labels, [...labelKeys]);
  const others = [...labelRecords].filter(([key]) => !labelKeys.has(key));
  return [new Map([...others, ...present]), storeRecords];
}
