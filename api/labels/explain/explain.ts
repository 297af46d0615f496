import { Type } from "typebox";
import { LabelExplanation } from "../../../schemas/explanation.ts";
import { createDateText } from "../../http/date-text.ts";
import { route } from "../../http/route.ts";
import { LabelPath, type NoLabel } from "../labels.ts";
import { shownAs } from "../list-labels.ts";
import { explainLabel } from "./explain-label.ts";
import type { ExplanationFacts } from "./explanation-facts.ts";
import { maySeeTrace } from "./readable-facts.ts";

export interface ExplainWorld {
  noLabel: NoLabel;
  /**
   * Returns undefined if there is no such label. If `isTraced`, includes how the rules choose designs for its links,
   * which takes longer.
   */
  readExplanationFacts(store: string, barcode: string, isTraced: boolean): Promise<ExplanationFacts | undefined>;
  now(): Date;
}

/** Explains what a label shows and why. */
export const explainRoutes = ({ readExplanationFacts, now, noLabel }: ExplainWorld) => [
  route({
    method: "GET",
    path: "/labels/:barcode/explain",
    operationId: "explainLabel",
    summary: "Explain what a label shows: item, link, design and picture, and what is still in progress",
    description:
      "`summary` explains it in one sentence that names the cause, `sentences` in full; the other fields contain the underlying data. " +
      "Without `items:read`, names, prices and scheduled updates of items are withheld, without `design:read` the " +
      "scenario, and without either the trace of the rules and the texts that drawing reported: `withheld` lists what was " +
      "left out.",
    scope: "labels:read",
    params: LabelPath,
    query: Type.Object({ serializeDatesToIso8601: shownAs.serializeDatesToIso8601 }),
    answers: { 200: LabelExplanation },
    problems: ["not-found", "too-much-waiting"],
    handle: async ({ store, settings, permit: { scopes }, params: { barcode }, query }) => {
      const facts = await readExplanationFacts(store, barcode, maySeeTrace(scopes));
      if (facts === undefined) throw await noLabel(store, barcode);
      const dateText = createDateText(settings.timeZone, query.serializeDatesToIso8601 ?? false);
      return { status: 200, body: explainLabel(facts, now(), dateText, scopes) };
    },
  }),
];
