import { type Static, Type } from "typebox";
import { count, known, plainId } from "./text.ts";
import { PackDifference } from "./trial.ts";
import { Note, Subject } from "./version.ts";

const date = Type.Unsafe<Date>({});

/** Maximum number of records that one publication changes, and of stores in its canary. */
export const MAX_PUBLISHED = 100;
export const MAX_CANARY_STORES = 1_000;

const PublicationState = Type.Enum(
  ["SCHEDULED", "PUBLISHING", "DONE", "ROLLED_BACK", "REFUSED", "CALLED_OFF", "CANARY", "STOPPED"],
  {
    title: "PublicationState",
    description:
      "SCHEDULED: it takes effect at its time. PUBLISHING: its drafts are going live. DONE: they are live. ROLLED_BACK: the previous versions are live " +
      "again. REFUSED: it could not take effect at its time; `reason` says why. CALLED_OFF: it was deleted before its time. " +
      "CANARY: only some stores show it. STOPPED: faults increased there, so no store shows it; `reason` has the numbers",
  },
);
export type PublicationState = Static<typeof PublicationState>;

/** How many labels a publication would change, and how many it would make worse. */
export const PublicationCounts = Type.Object(
  {
    checked: count("Links for which the choice of a design was evaluated"),
    labels: count("Labels that show something that is being published, or that would show another design"),
    redesigned: count("Of these, labels that would show another design"),
    blank: count("Labels that have a design now, and would have none"),
    changes: Type.Array(PackDifference.properties.changes.items, {
      description: "The labels with another design by scenario and design, largest number first; at most 100",
    }),
    drawn: count("Labels that were drawn as they are and as the publication would make them, longest texts first"),
    faulty: count("Of these, labels that would newly show their background because of a fault"),
    worse: count("Of these, labels that would get a fault, an error or a warning that they do not have now"),
    cut: count("Of these, labels with a text that would newly be cut"),
    isBounded: Type.Boolean({
      description: "Whether some labels were not counted or drawn, because there are too many or it took too long",
    }),
    examples: Type.Array(
      Type.Object({
        storeId: Type.String({ description: "Store of the label", examples: ["main"] }),
        barcode: Type.String({ description: "The label", examples: ["A4X00000100413282"] }),
        told: Type.Array(Type.String(), { description: "The faults, errors and warnings that would be new" }),
      }),
      { description: "Labels that would become blank, faulty or worse, at most 20" },
    ),
  },
  { title: "PublicationCounts", description: "How many labels a publication changes, and how many it makes worse" },
);
export type PublicationCounts = Static<typeof PublicationCounts>;

const change = {
  subject: Subject,
  id: Type.String({ description: "Id of the communication pack, design or canvas design" }),
  from: count("The previous version; 0 if there was none"),
};

/** publication: drafts that went live together, or will go live. */
export const Publication = Type.Object({
  state: PublicationState,
  author: Type.String(),
  note: Type.Optional(Type.String()),
  createdAt: date,
  /** When it is to take effect, if not immediately. */
  at: Type.Optional(date),
  /** When a worker performs the next step; absent once nothing is left to do. */
  due: Type.Optional(date),
  endedAt: Type.Optional(date),
  changes: Type.Array(
    Type.Object({
      ...change,
      to: Type.Optional(Type.Integer()),
      /** Rev of the draft, which is removed once it is live. */
      draftRev: Type.Optional(Type.Integer()),
    }),
  ),
  /** Keys of the pack to activate, and of the pack that was active before; null for none. */
  activation: Type.Optional(
    Type.Object({
      pack: Type.Unsafe<string | null>({ type: ["string", "null"] }),
      before: Type.Unsafe<string | null>({ type: ["string", "null"] }),
    }),
  ),
  counts: Type.Optional(PublicationCounts),
  canary: Type.Optional(
    Type.Object({
      /** Keys of its stores, of the pack that chooses their designs, and of all copies that they show. */
      stores: Type.Array(Type.String()),
      pack: Type.String(),
      copies: Type.Array(Type.String()),
      /** How many pictures its stores' labels had before the canary, and how many of them were faulty. */
      before: Type.Object({ labels: Type.Integer(), faulty: Type.Integer() }),
      isBegun: Type.Optional(Type.Literal(true)),
      /** The counts that stopped it, and how far the share of faulty pictures was allowed to rise. */
      stoppedBy: Type.Optional(Type.Object({ labels: Type.Integer(), faulty: Type.Integer(), limit: Type.Number() })),
    }),
  ),
  reason: Type.Optional(Type.String()),
  /** Set if it takes effect even if something else has gone live in the meantime. */
  isForced: Type.Optional(Type.Literal(true)),
  /** Id of the publication that it rolls back. */
  rollsBack: Type.Optional(Type.String()),
  rolledBackBy: Type.Optional(Type.String()),
});
export type Publication = Static<typeof Publication>;

/** publicationcontent: the new content that a publication gives one record, checked when the publication was accepted. */
export const PublicationContent = Type.Object({
  /** JSON of the record's body; absent if the record is deleted. */
  body: Type.Optional(Type.String()),
});
export type PublicationContent = Static<typeof PublicationContent>;

const PublishedDraft = Type.Object({
  subject: Subject,
  id: plainId("Id of the communication pack, design or canvas design"),
});

/** Body of POST /publications. */
export const PublicationOrder = Type.Object(
  {
    drafts: Type.Optional(
      Type.Array(PublishedDraft, {
        maxItems: MAX_PUBLISHED,
        uniqueItems: true,
        description: "Drafts that go live together",
      }),
    ),
    activate: Type.Optional(plainId("Id of the communication pack to activate: a live one, or one of the drafts")),
    note: Type.Optional(Note),
    force: Type.Optional(
      Type.Boolean({
        description:
          "true: publish even beyond the tenant's limits, and even if something else went live since the drafts were started",
      }),
    ),
    dryRun: Type.Optional(Type.Boolean({ description: "true: publish nothing, and return what it would change" })),
    at: Type.Optional(
      Type.String({ format: "instant", description: "ISO 8601, UTC: when it takes effect; immediately if absent" }),
    ),
    stores: Type.Optional(
      Type.Array(plainId("Id of a store"), {
        minItems: 1,
        maxItems: MAX_CANARY_STORES,
        uniqueItems: true,
        description: "Only these stores show it at first (a canary), until it is continued",
      }),
    ),
    share: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description: "Instead of `stores`, the share of stores that show it at first; always at least one store",
      }),
    ),
  },
  { title: "PublicationOrder", description: "Drafts to publish, or a pack to activate" },
);
export type PublicationOrder = Static<typeof PublicationOrder>;

/** Answer to a dry run. */
export const PublicationTrial = Type.Object(
  {
    counts: PublicationCounts,
    refusals: Type.Array(Type.String(), {
      description: "Why it would be refused unless forced; empty if it would be accepted",
    }),
  },
  { title: "PublicationTrial" },
);

const time = (description: string) => known(Type.String({ format: "date-time", description }));

export const PublicationAnswer = Type.Object(
  {
    publicationId: Type.String({ description: "Id of the publication" }),
    state: PublicationState,
    author: Type.String({ description: "Who published: the token's subject or client, or the API user" }),
    note: known(Type.String({ description: "Why it was published" })),
    createdAt: Type.String({ format: "date-time", description: "ISO 8601, UTC" }),
    at: time("When it takes effect; null if immediately"),
    endedAt: time("When it ended; null if it has not ended"),
    changes: Type.Array(
      Type.Object({
        ...change,
        to: known(
          Type.Integer({
            description: "The version that it made; null if it has not taken effect, or if nothing differed",
          }),
        ),
      }),
      { description: "What it changes" },
    ),
    activates: known(Type.String({ description: "Id of the communication pack that it activates" })),
    counts: Type.Unsafe<PublicationCounts | null>({
      anyOf: [PublicationCounts, { type: "null" }],
      description: "The labels that it changes, counted before it took effect; null if it was forced without counting",
    }),
    canary: known(
      Type.Object(
        {
          stores: Type.Array(Type.String(), { description: "Ids of the stores that show it first" }),
          labels: count("Labels in these stores with a picture, before the canary"),
          faulty: count("Of these, labels whose picture had a fault, before the canary"),
          stoppedBy: known(
            Type.Object(
              {
                labels: count("Labels in these stores with a picture"),
                faulty: count("Of these, labels whose picture had a fault"),
                limit: Type.Number({ description: "By how much the share of faults was allowed to rise" }),
              },
              { description: "The faults that stopped it; null unless it is STOPPED" },
            ),
          ),
        },
        { description: "The stores in which it is tried first; null if it has no canary" },
      ),
    ),
    reason: known(Type.String({ description: "Why it was refused or stopped" })),
    rollsBack: known(Type.String({ description: "Id of the publication that it rolls back" })),
    rolledBackBy: known(Type.String({ description: "Id of the publication that rolls this one back" })),
  },
  { title: "Publication" },
);
export type PublicationAnswer = Static<typeof PublicationAnswer>;

/** A publication, and its progress. */
export const PublicationProgress = Type.Object(
  {
    ...PublicationAnswer.properties,
    progress: known(
      Type.Object(
        {
          labels: count("Labels that it changes, counted before it took effect"),
          drawn: count("Labels of the tenant with a new picture since it went live, at most `labels`"),
          acknowledged: count("Of these, labels that have acknowledged the picture: it is on the glass"),
        },
        { description: "Progress of the publication; null if its labels were not counted" },
      ),
    ),
  },
  { title: "PublicationProgress" },
);
