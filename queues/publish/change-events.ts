import { hash } from "node:crypto";
import { links, storeLinks, studioLinks } from "../../records/kinds/links.ts";
import type { Records } from "../../records/records.ts";
import {
  type ChangeData,
  type ChangeEvent,
  isBatched,
  type ObservedTopic,
  type OldLinkData,
} from "../../schemas/events.ts";
import { idOf, ownerOf, storeIds, storeLinkIdOf, storeOf } from "../../schemas/keys.ts";
import type { Link } from "../../schemas/link.ts";
import type { Change, Topic } from "../../schemas/topics.ts";

/** Creates the events of an observed topic from changes that were published together on `source`. */
export type ChangeEvents = (
  observed: ObservedTopic,
  source: Topic,
  changes: readonly Change[],
) => Promise<ChangeEvent[]>;

type ReadRecords = Pick<Records, "read" | "readFields">;
type DataOf = (change: Change) => ChangeData | OldLinkData | undefined;

/**
 * Creates the events of changes. A change whose record no longer exists has no event in the legacy format, because that format
 * contains the record.
 */
export function createChangeEvents(records: ReadRecords, now: () => Date): ChangeEvents {
  return async (observed, source, all) => {
    const changes = await told(records, observed, source, all);
    const dataOf = observed === "dtoflow-changes-link.v1" ? await oldShape(records, source, changes) : newShape;
    const timeOf = ({ at }: Change) => (at === undefined ? now() : new Date(at));
    if (!isBatched(observed, source)) {
      return changes.flatMap((change): ChangeEvent[] => {
        const data = dataOf(change);
        const { key } = change;
        // A link and its studio link have separate revs, so the ids must differ.
        const id =
          source === "studiolink.v1" && observed !== source ? `${idOfChange(change)}#design` : idOfChange(change);
        return data === undefined ? [] : [{ ...envelope(observed, key, id, timeOf(change)), data }];
      });
    }
    return [...Map.groupBy(changes, ({ key }) => ownerOf(key))].flatMap(([store, group]): ChangeEvent[] => {
      const items = group.flatMap((change) => dataOf(change) ?? []);
      const [first] = group;
      if (first === undefined || items.length === 0) return [];
      // The id is a digest of the changes, so that publishing the same changes again creates the same event.
      const digest = hash("sha256", group.map(idOfChange).sort().join("\n"), "base64url");
      return [
        { ...envelope(observed, store, `${store}#${digest}`, timeOf(first)), data: { items } as ChangeEvent["data"] },
      ];
    });
  };
}

/**
 * Returns the changes that an observed topic reports. Every link has a designerlink.v1, from which it is drawn, but the legacy
 * topic reports only designer links. A choice by the rules is reported as a link's change only if the link shows it.
 */
async function told(
  records: ReadRecords,
  observed: ObservedTopic,
  source: Topic,
  changes: readonly Change[],
): Promise<readonly Change[]> {
  const isOld = observed !== source;
  if (!isOld || (source !== "designerlink.v1" && source !== "studiolink.v1")) return changes;
  const keys = changes.map(({ key }) => key);
  const found = await records.readFields(links, keys, ["origin", "status", "forced_design_id"]);
  return changes.flatMap((change): Change[] => {
    const link = found.get(change.key);
    if (source === "designerlink.v1") return designerChange(change, link);
    const shows = link?.origin === "studio" && link.status !== "DELETED" && link.forced_design_id === undefined;
    const isChosen = change.operation === "CREATED" || change.changed.includes("design_id");
    return shows && isChosen ? [{ ...change, operation: "UPDATED" }] : [];
  });
}

/**
 * Translates a change to a link's drawing into a change to a designer link: CREATED if the link becomes a designer link, DELETED
 * if it ceases to be a designer link.
 */
function designerChange(change: Change, link: Pick<Link, "origin" | "status"> | undefined): Change[] {
  const hasSwitched = change.changed.includes("isDesigners");
  const isOne = link?.origin === "designer" && link.status !== "DELETED";
  if (isOne) return [{ ...change, operation: hasSwitched ? "CREATED" : change.operation }];
  return hasSwitched && change.operation !== "CREATED" ? [{ ...change, operation: "DELETED" }] : [];
}

const idOfChange = ({ key, rev }: Change): string => `${key}#${rev}`;

/** Fields that only order writes, or that follow from others; events do not name them. */
const internalFields = new Set([
  ...["isDesigners", "stamp", "stamps", "created", "floor", "versions", "inputs", "due", "toStop"],
  ...["charged", "prices"],
]);

/** The API's names for fields that have a different name in the record. */
const publicNames: Readonly<Record<string, string>> = { offers: "offer" };

const newShape: DataOf = ({ key, rev, operation, changed }) => {
  const named = changed.filter((field) => !internalFields.has(field)).map((field) => publicNames[field] ?? field);
  return { key, rev, operation, changed: named.sort() };
};

/**
 * Returns events in the old format, which contains the current link and not only its change
 * (docs/decisions/events/old-link-events.md).
 */
async function oldShape(records: ReadRecords, source: Topic, changes: readonly Change[]): Promise<DataOf> {
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
