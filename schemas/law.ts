import { type Static, Type } from "typebox";

const lawLevels = ["breach", "warning"] as const;
export const LawLevel = Type.Enum(lawLevels, {
  description:
    "breach: the law forbids it. warning: whether it is allowed depends on the goods, or on how legible the label is",
});
export type LawLevel = Static<typeof LawLevel>;

const LawSubject = Type.Object(
  {
    kind: Type.Enum(["item", "canvas-design", "store"], { description: "Kind of the subject" }),
    id: Type.String({ description: "Id of the subject", examples: ["90704273"] }),
  },
  { title: "LawSubject", description: "What the finding is about" },
);

/** What a check of the law found. */
export const LawFinding = Type.Object(
  {
    check: Type.String({ description: "Name of the check, as in the list of checks", examples: ["SENT_PRIOR_PRICE"] }),
    level: LawLevel,
    subject: LawSubject,
    pointer: Type.String({ description: "JSON Pointer into the design; empty for the whole subject" }),
    detail: Type.String({ description: "What was found, the value, and what would be right" }),
    source: Type.String({ description: "The provision", examples: ["Directive 98/6/EC, article 6a(2)"] }),
    since: Type.String({ description: "Date on which the provision took effect", examples: ["2022-05-28"] }),
  },
  { title: "LawFinding" },
);
export type LawFinding = Static<typeof LawFinding>;

export const LawFindings = Type.Object(
  {
    country: Type.Unsafe<string | null>({
      type: ["string", "null"],
      description: "The store's country; null if it names none, in which case nothing is checked",
      examples: ["HR"],
    }),
    findings: Type.Array(LawFinding, { description: "Findings about designs first, breaches before warnings" }),
    itemsRead: Type.Integer({ description: "Number of items checked for this page" }),
    next: Type.Unsafe<string | null>({
      type: ["string", "null"],
      description: "The `after` of the next page; null if all items have been checked",
    }),
  },
  { title: "LawFindings" },
);
export type LawFindings = Static<typeof LawFindings>;
