import { type Static, Type } from "typebox";
import { identifier, known } from "./text.ts";

/** The kinds of records that are drafted, published and versioned, as in paths. */
export const Subject = Type.Enum(["communication-packs", "designs", "canvas-designs"], {
  title: "Subject",
  description: "A kind of thing that is drafted and published, as in paths",
});
export type Subject = Static<typeof Subject>;

const date = Type.Unsafe<Date>({});

export const Note = identifier(1024, "Why it was changed, for people");

/** Who made a version of a record, and why. */
export const VersionMark = Type.Object({
  /** From 1, without gaps. */
  number: Type.Integer(),
  /** The token's subject or client, or the API user. Absent if it was made by a release that kept no versions. */
  author: Type.Optional(Type.String()),
  note: Type.Optional(Type.String()),
  at: date,
  /** Id of the publication that made it. */
  publication: Type.Optional(Type.String()),
});
export type VersionMark = Static<typeof VersionMark>;

/** The content of a record as a body of its PUT. */
export type Content = Readonly<Record<string, unknown>>;

/** version: the content of a pack, a design or a canvas design from one change to the next; immutable. */
export const Version = Type.Object({
  ...VersionMark.properties,
  /** JSON: its fields may have any name. Absent if the change deleted the record. */
  content: Type.Optional(Type.String()),
  isDeletion: Type.Optional(Type.Literal(true)),
  /** Rev of a record that was written without a mark, by a release that kept no versions: it identifies the version. */
  ofRev: Type.Optional(Type.Integer()),
});
export type Version = Static<typeof Version>;

/** draft: content that somebody is working on; no label depends on it. */
export const Draft = Type.Object({
  subject: Subject,
  id: Type.String(),
  /** JSON: it may be faulty. */
  content: Type.String(),
  author: Type.String(),
  note: Type.Optional(Type.String()),
  /** Number of the version that was live when the draft was started; 0 if the record did not exist. */
  basedOn: Type.Integer(),
});
export type Draft = Static<typeof Draft>;

const openObject = (description: string) =>
  Type.Unsafe<Content>({ type: "object", additionalProperties: true, description });

/** Maximum size of a draft's content in bytes, as JSON in UTF-8. */
export const MAX_DRAFT_BYTES = 2 * 2 ** 20;

/** Body of PUT of a draft. */
export const DraftOrder = Type.Object(
  {
    content: openObject("A body for PUT of the thing itself. It may be incomplete or faulty"),
    note: Type.Optional(Note),
  },
  { title: "DraftOrder", description: "The content of a draft, which can be changed until it is published" },
);
export type DraftOrder = Static<typeof DraftOrder>;

const draftFields = {
  subject: Subject,
  id: Type.String({ description: "Id of the communication pack, design or canvas design" }),
  author: Type.String({ description: "Who changed the draft last: the token's subject or client, or the API user" }),
  note: known(Type.String({ description: "Why it was changed" })),
  changedAt: Type.String({ format: "date-time", description: "ISO 8601, UTC" }),
  basedOn: Type.Integer({
    minimum: 0,
    description: "The version that was live when the draft was started; 0 if there was none",
  }),
};

export const DraftSummary = Type.Object(draftFields, { title: "DraftSummary" });
export type DraftSummary = Static<typeof DraftSummary>;

export const DraftAnswer = Type.Object(
  { ...draftFields, content: openObject("A body for PUT of the thing itself") },
  { title: "Draft" },
);
export type DraftAnswer = Static<typeof DraftAnswer>;

/** A fault of a draft, or a warning for its author. */
export const DraftFinding = Type.Object(
  {
    pointer: Type.String({ description: "JSON Pointer into the content" }),
    detail: Type.String({ description: "Description of the fault" }),
    scenario: Type.Optional(Type.String({ description: "For a pack: name of the scenario" })),
    line: Type.Optional(Type.Integer({ description: "Line in the expression, from 1" })),
    column: Type.Optional(Type.Integer({ description: "Column in that line, from 1" })),
  },
  { title: "DraftFinding" },
);
export type DraftFinding = Static<typeof DraftFinding>;

export const SavedDraft = Type.Object(
  {
    ...DraftAnswer.properties,
    errors: Type.Array(DraftFinding, { description: "Faults that prevent its publication" }),
    warnings: Type.Array(DraftFinding, { description: "Warnings for its author" }),
  },
  { title: "SavedDraft" },
);

const versionFields = {
  number: Type.Integer({ minimum: 1, description: "Number of the version, from 1" }),
  author: known(Type.String({ description: "Who made it; null for changes of releases that kept no versions" })),
  note: known(Type.String({ description: "Why it was made" })),
  at: Type.String({ format: "date-time", description: "When it went live: ISO 8601, UTC" }),
  publication: known(Type.String({ description: "Id of the publication that made it; null if a direct change did" })),
  isDeletion: Type.Boolean({ description: "Whether this change deleted the thing" }),
};

export const VersionSummary = Type.Object(versionFields, { title: "VersionSummary" });
export type VersionSummary = Static<typeof VersionSummary>;

export const VersionAnswer = Type.Object(
  {
    ...versionFields,
    content: Type.Unsafe<Content | null>({
      ...openObject("The content as a body for PUT of the thing; null if this change deleted it"),
      type: ["object", "null"],
    }),
  },
  { title: "Version" },
);

const value = (description: string) => Type.Optional(Type.Unsafe<unknown>({ description }));

/** One difference between two contents. */
export const Difference = Type.Object(
  {
    pointer: Type.String({
      description: "JSON Pointer into the later content; for a removal, into the earlier content",
    }),
    kind: Type.Enum(["ADDED", "REMOVED", "CHANGED", "MOVED"], {
      description: "MOVED: an element or scenario has another position among its siblings",
    }),
    names: Type.Array(Type.String(), {
      description: "Names of the scenarios or elements that contain it, outermost first",
    }),
    before: value("The earlier value; for a move, the earlier index"),
    after: value("The later value; for a move, the later index"),
  },
  { title: "Difference" },
);
export type Difference = Static<typeof Difference>;

export const Differences = Type.Object(
  {
    from: Type.Integer({ minimum: 0, description: "The earlier version; 0 for none" }),
    to: known(Type.Integer({ description: "The later version; null for the draft" })),
    differences: Type.Array(Difference, { description: "In the order of the later content" }),
    isCut: Type.Boolean({ description: "Whether there are more differences than these" }),
  },
  { title: "Differences" },
);
