import { hash } from "node:crypto";
import { links } from "../../records/kinds/link.ts";
import { storeLinks } from "../../records/kinds/store-link.ts";
import { studioLinks } from "../../records/kinds/studio-link.ts";
import type { Records } from "../../records/records.ts";
import {
  type ChangeData,
  type ChangeEvent,
  isBatched,
  type ObservedTopic,
  type OldLinkData,
} from "../../schemas/events.ts";
import { idOf, ownerOf, storeIds, storeLinkIdOf, storeOf } from "../../schemas/keys.ts";
import type { Change, Topic } from "../../schemas/topics.ts";

/** Makes the events of an observed topic from changes that were published together on `source`. */
export type ChangeEvents = (
  observed: ObservedTopic,
  source: Topic,
  changes: readonly Change[],
) => Promise<ChangeEvent[]>;

type DataOf = (change: Change) => ChangeData | OldLinkData | undefined;

/** A change whose record no longer exists has no event in the old shape, because that shape shows the record. */
export function createChangeEvents(records: Records, now: () => Date): ChangeEvents {
  return async (observed, source, changes) => {
    const dataOf = observed === "dtoflow-changes-link.v1" ? await oldShape(records, source, changes) : newShape;
    const timeOf = ({ at }: Change) => (at === undefined ? now() : new Date(at));
    if (!isBatched(observed, source)) {
      return changes.flatMap((change): ChangeEvent[] => {
        const data = dataOf(change);
        const { key } = change;
        return data === undefined ? [] : [{ ...envelope(observed, key, idOfChange(change), timeOf(change)), data }];
      });
    }
    return [...Map.groupBy(changes, ({ key }) => ownerOf(key))].flatMap(([store, group]): ChangeEvent[] => {
      const items = group.flatMap((change) => dataOf(change) ?? []);
      const [first] = group;
      if (first === undefined || items.length === 0) return [];
      // The id is a digest of the changes, so that publishing the same changes again gives the same event.
      const digest = hash("sha256", group.map(idOfChange).sort().join("\n"), "base64url");
      return [
        { ...envelope(observed, store, `${store}#${digest}`, timeOf(first)), data: { items } as ChangeEvent["data"] },
      ];
    });
  };
}

const idOfChange = ({ key, rev }: Change): string => `${key}#${rev}`;

/** Fields that only order writes; events do not name them. */
const internalFields = new Set(["stamp", "stamps", "created", "floor", "inputs"]);

const newShape: DataOf = ({ key, rev, operation, changed }) => {
  return { key, rev, operation, changed: changed.filter((field) => !internalFields.has(field)).sort() };
};

/** The old shape, which shows the link as it is now and not only that it changed (docs/decisions.md#events). */
async function oldShape(records: Records, source: Topic, changes: readonly Change[]): Promise<DataOf> {
  const keys = changes.map(({ key }) => key);
  if (source === "storelink.v1") {
    const found = await records.read(storeLinks, keys);
    return ({ key, operation }) => {
      const link = found.get(key);
      const itemId = idOf(key);
      const data = { id: storeLinkIdOf(itemId), operation, itemId, designId: link?.designId ?? null, eslId: null };
      return link && { ...data, ...storeIds(storeOf(key)), status: link.status };
    };
  }
  const [found, chosen] = await Promise.all([records.read(links, keys), records.read(studioLinks, keys)]);
  return ({ key, operation }) => {
    const link = found.get(key);
    if (link === undefined) return undefined;
    const { origin, itemId, eslId, status, forced_design_id } = link;
    const own = origin === "studio" ? chosen.get(key)?.design_id : link.designId;
    const designId = forced_design_id ?? own ?? null;
    return { id: idOf(key), operation, itemId, designId, eslId, ...storeIds(storeOf(key)), status };
  };
}

const envelope = (topic: ObservedTopic, subject: string, id: string, time: Date) => ({
  specversion: "1.0" as const,
  id,
  source: `/${ownerOf(subject)}`,
  type: topic,
  subject,
  time: time.toISOString(),
  datacontenttype: "application/json" as const,
});
