import { idOf, linkIdOf, linkKey, modelKey, ownerOf, tenantOf } from "../../schemas/keys.ts";
import type { Link } from "../../schemas/link.ts";
import { labels } from "../kinds/labels.ts";
import { models } from "../kinds/tenants.ts";
import { type Records, readAll } from "../records.ts";

/** The number of display positions of each model, by the model's key. */
export type Positions = ReadonlyMap<string, number>;

/** Keys of the links that labels may have: one for each position of their model. An unknown label has none. */
export async function linksOfLabels(records: Records, labelKeys: readonly string[]): Promise<string[]> {
  return [...(await linksByLabel(records, labelKeys)).values()].flat();
}

/** Like `linksOfLabels`, by the label's key. */
export async function linksByLabel(records: Records, labelKeys: readonly string[]): Promise<Map<string, string[]>> {
  const found = await records.readFields(labels, labelKeys, ["modelName"]);
  const positions = await readPositions(records, new Set([...found.keys()].map(tenantOf)));
  return new Map([...found.values()].map((label) => [label._id, possibleLinks(label, positions)]));
}

/** The positions of all models of these tenants. */
export async function readPositions(records: Records, tenants: Iterable<string>): Promise<Positions> {
  const positions = new Map<string, number>();
  for (const tenant of tenants) {
    for (const { _id, linkPositions } of await readAll(records, models, `${tenant}/models/`))
      positions.set(_id, linkPositions);
  }
  return positions;
}

/** The positions of models that were read, by the model's key. */
export const positionsOf = (found: ReadonlyMap<string, { linkPositions: number }>): Positions =>
  new Map([...found].map(([model, { linkPositions }]) => [model, linkPositions]));

/** The key of a label's model. */
export const modelOfLabel = ({ _id, modelName }: { _id: string; modelName: string }): string =>
  modelKey(tenantOf(_id), modelName);

/** Keys of the links that a label may have. */
export function possibleLinks(label: { _id: string; modelName: string }, positions: Positions): string[] {
  const count = positions.get(modelOfLabel(label)) ?? 1;
  return Array.from({ length: count }, (_, position) =>
    linkKey(ownerOf(label._id), linkIdOf(idOf(label._id), position)),
  );
}

/**
 * Keys of every link that a label may ever have had: one for each position of the tenant's largest model, because a
 * label may have had a different model before.
 */
export async function everyLinkOfLabel(records: Records, labelKey: string): Promise<string[]> {
  const known = await readAll(records, models, `${tenantOf(labelKey)}/models/`);
  return Array.from({ length: Math.max(1, ...known.map(({ linkPositions }) => linkPositions)) }, (_, position) =>
    linkKey(ownerOf(labelKey), linkIdOf(idOf(labelKey), position)),
  );
}

/** The order of links in responses: by label, then by position. */
export const byLabelAndPosition = (
  a: Pick<Link, "eslId" | "displayPosition">,
  b: Pick<Link, "eslId" | "displayPosition">,
): number => (a.eslId === b.eslId ? a.displayPosition - b.displayPosition : a.eslId < b.eslId ? -1 : 1);
