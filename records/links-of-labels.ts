import { idOf, linkIdOf, linkKey, ownerOf, tenantOf } from "../schemas/keys.ts";
import { labels } from "./kinds/label.ts";
import { models } from "./kinds/model.ts";
import { type Records, readAll } from "./records.ts";

/** Keys of the links that labels may have: one for each position of their model. A label that is not known has none. */
export async function linksOfLabels(records: Records, labelKeys: readonly string[]): Promise<string[]> {
  return [...(await linksByLabel(records, labelKeys)).values()].flat();
}

/** The same, by label. */
export async function linksByLabel(records: Records, labelKeys: readonly string[]): Promise<Map<string, string[]>> {
  const found = await records.read(labels, labelKeys);
  const tenants = new Set([...found.keys()].map(tenantOf));
  const positions = new Map<string, number>();
  for (const tenant of tenants) {
    for (const { _id, linkPositions } of await readAll(records, models, `${tenant}/models/`))
      positions.set(_id, linkPositions);
  }
  return new Map(
    [...found.values()].map(({ _id, modelName }) => {
      const count = positions.get(`${tenantOf(_id)}/models/${modelName}`) ?? 1;
      const links = Array.from({ length: count }, (_, position) =>
        linkKey(ownerOf(_id), linkIdOf(idOf(_id), position)),
      );
      return [_id, links];
    }),
  );
}
