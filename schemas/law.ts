import { type Static, Type } from "typebox";

const lawLevels = ["breach", "warning"] as const;
export const LawLevel = Type.Enum(lawLevels, {
  description: "breach: the law forbids it. warning: it depends on the goods, or on how legible it is",
});
export type LawLevel = Static<typeof LawLevel>;

const LawSubject = Type.Object(
  {
    kind: Type.Enum(["item", "canvas-design", "store"], { description: "Its kind" }),
    id: Type.String({ description: "Its id", examples: ["90704273"] }),
  },
  { title: "LawSubject", description: "What the finding is about" },
);

/** What a check of the law found. */
export const LawFinding = Type.Object(
  {
    check: Type.String({ description: "Name of the check, as in the list of checks", examples: ["SENT_PRIOR_PRICE"] }),
    level: LawLevel,
    subject: LawSubject,
    pointer: Type.String({ description: "JSON Pointer into the design; empty for all of the subject" }),
    detail: Type.String({ description: "What was found, with its value, and what would be right" }),
    source: Type.String({ description: "The provision", examples: ["Directive 98/6/EC, article 6a(2)"] }),
    since: Type.String({ description: "Date since which it applies", examples: ["2022-05-28"] }),
  },
  { title: "LawFinding" },
);
export type LawFinding = Static<typeof LawFinding>;

export const LawFindings = Type.Object(
  {
    country: Type.Unsafe<string | null>({
      type: ["string", "null"],
      description: "The store's country; null: it names none, so nothing is checked",
      examples: ["HR"],
    }),
    findings: Type.Array(LawFinding, { description: "Those of designs first, breaches before warnings" }),
    itemsRead: Type.Integer({ description: "How many items this page has checked" }),
    next: Type.Unsafe<string | null>({
      type: ["string", "null"],
      description: "The `after` of the next page; null if all items are checked",
    }),
  },
  { title: "LawFindings" },
);
export type LawFindings = Static<typeof LawFindings>;
