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

/** What observers of a topic are told of changes that were made together, and published on another or the same. */
export type ChangeEvents = (
  observed: ObservedTopic,
  source: Topic,
  changes: readonly Change[],
) => Promise<ChangeEvent[]>;

type DataOf = (change: Change) => ChangeData | OldLinkData | undefined;

/** Makes events of changes. One whose record is gone is not told in the old shape, which says what the record is. */
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
      const items = group.flatMap((one) => dataOf(one) ?? []);
      const [first] = group;
      if (first === undefined || items.length === 0) return [];
      // What it is made of makes its id: whoever tells of the same changes again tells the same event.
      const digest = hash("sha256", group.map(idOfChange).sort().join("\n"), "base64url");
      return [
        { ...envelope(observed, store, `${store}#${digest}`, timeOf(first)), data: { items } as ChangeEvent["data"] },
      ];
    });
  };
}

const idOfChange = ({ key, rev }: Change): string => `${key}#${rev}`;

/** How Shelfwire keeps order is nothing that observers are told of. */
const kept = new Set(["stamp", "stamps", "created", "floor", "inputs"]);

const newShape: DataOf = ({ key, rev, operation, changed }) => {
  return { key, rev, operation, changed: changed.filter((field) => !kept.has(field)).sort() };
};

/** The old shape (decisions, Pipeline), which tells what a link is, not only that it moved. */
async function oldShape(records: Records, source: Topic, changes: readonly Change[]): Promise<DataOf> {
  const keys = changes.map(({ key }) => key);
  if (source === "storelink.v1") {
    const found = await records.read(storeLinks, keys);
    return ({ key, operation }) => {
      const link = found.get(key);
      const itemId = idOf(key);
      const one = { id: storeLinkIdOf(itemId), operation, itemId, designId: link?.designId ?? null, eslId: null };
      return link && { ...one, ...storeIds(storeOf(key)), status: link.status };
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
