import { type Static, Type } from "typebox";
import { type Topic, topics } from "./topics.ts";

/** The legacy topics of link changes, to which only observers subscribe; no worker does. */
const oldTopics = ["dtoflow-changes-link.v1", "dtoflow-changes-ecclink.v1", "dtoflow-changes-designerlink.v1"] as const;

/** Every topic that an observer can receive, through a subscription or a tail. */
export const observedTopics = [...topics, ...oldTopics] as const;
export type ObservedTopic = (typeof observedTopics)[number];
export const ObservedTopic = Type.Unsafe<ObservedTopic>(
  Type.Enum([...observedTopics], { title: "Topic", description: "Which changes are sent" }),
);

/** Observed topics whose events are made from changes on other topics, each with its source topics. */
const sources: Partial<Record<ObservedTopic, readonly Topic[]>> = {
  // A bulk operation creates store-level links, which observers receive as link changes (docs/decisions/events/link-events.md).
  "link.v2": ["link.v2", "storelink.v1"],
  // The legacy format includes the design, which the rules can change without a change to the link.
  "dtoflow-changes-link.v1": ["link.v2", "storelink.v1", "studiolink.v1"],
  "dtoflow-changes-ecclink.v1": ["ecclink.v1"],
  "dtoflow-changes-designerlink.v1": ["designerlink.v1"],
};

/** The topics from whose changes an observed topic's events are made. */
export const sourcesOf = (topic: ObservedTopic): readonly Topic[] => sources[topic] ?? [topic as Topic];

/** The observed topics whose events are made from a topic's changes. */
export const observedBy = (topic: Topic): ObservedTopic[] =>
  observedTopics.filter((observed) => sourcesOf(observed).includes(topic));

/** Whether changes that were made together form one event: true for a bulk operation on link topics. */
export const isBatched = (observed: ObservedTopic, source: Topic): boolean =>
  source === "storelink.v1" && observed !== source;

const described = Type.Enum(["CREATED", "UPDATED", "DELETED"], { description: "What happened to the record" });

/** Which fields of a record changed, without their values: a receiver reads the record. */
export const ChangeData = Type.Object(
  {
    key: Type.String({ description: "Full key of the record" }),
    rev: Type.Integer({
      description:
        "Increases with each change to the record: of two events of the same topic and record, the event with the higher rev is the later one",
    }),
    operation: described,
    changed: Type.Array(Type.String(), { description: "Names of the changed fields" }),
  },
  { title: "ChangeData" },
);
export type ChangeData = Static<typeof ChangeData>;

const text = Type.Unsafe<string | null>({ type: ["string", "null"] });
/** A link change in the legacy format (docs/decisions/events/old-link-events.md). */
const OldLinkData = Type.Object(
  {
    id: Type.String({ description: "Id of the link" }),
    operation: described,
    itemId: text,
    designId: text,
    eslId: text,
    tenantId: Type.String(),
    storeId: Type.String(),
    status: Type.Enum(["ACTIVE", "INACTIVE", "DELETED"]),
  },
  { title: "OldLinkData" },
);
export type OldLinkData = Static<typeof OldLinkData>;

const ChangeItems = Type.Object(
  { items: Type.Array(Type.Union([ChangeData, OldLinkData]), { description: "All changes that were made together" }) },
  { title: "ChangeItems" },
);

/** Event type of a test delivery, which announces no change. */
export const TEST_EVENT = "shelfwire.test";
const TestData = Type.Object({ message: Type.String({ description: "Marks a test event" }) }, { title: "TestData" });

/** One change, or one bulk operation, as a CloudEvents 1.0 event. */
export const ChangeEvent = Type.Object(
  {
    specversion: Type.Literal("1.0", { description: "CloudEvents version" }),
    id: Type.String({
      description: "Derived from the record's key and rev: an event that is delivered twice has the same type and id",
    }),
    source: Type.String({ description: "`/t/{tenantId}/s/{storeId}`, or `/t/{tenantId}`" }),
    type: Type.String({ description: `The topic; \`${TEST_EVENT}\` for a test delivery` }),
    subject: Type.String({ description: "Full key of the record; for a bulk operation, the store's key" }),
    time: Type.String({ description: "ISO 8601, UTC" }),
    datacontenttype: Type.Literal("application/json", { description: "Media type of `data`" }),
    data: Type.Union([ChangeData, OldLinkData, ChangeItems, TestData], {
      description: "What changed; a list for bulk operations and for `dtoflow-changes-link.v1` in the legacy format",
    }),
  },
  { title: "ChangeEvent", description: "An event as it is delivered: a CloudEvent 1.0" },
);
export type ChangeEvent = Static<typeof ChangeEvent>;
