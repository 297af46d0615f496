import test from "ava";
import type { LabelFacts } from "../../../../api/pages/label/label-facts.ts";
import { timeline } from "../../../../api/pages/label/timeline.ts";
import { type Language, textsOf } from "../../../../api/pages/messages/texts.ts";
import type { Visit } from "../../../../api/pages/visit.ts";
import type { HistoryAnswer } from "../../../../schemas/label-history.ts";

const entry = { time: "2026-03-02T08:00:00Z", event: "flash", result: "dropped", image: null } as HistoryAnswer;

const shownIn = (language: Language, reasons: Pick<HistoryAnswer, "reason" | "notice">): string => {
  const visit = { texts: textsOf(language), language, now: new Date("2026-03-02T09:00:00Z"), storeBase: "" };
  const facts = { label: { barcode: "A1" }, history: [{ ...entry, ...reasons }] };
  return timeline(visit as Partial<Visit> as Visit, facts as unknown as LabelFacts).text;
};

const late = {
  reason: "it could not be sent within 60 s",
  notice: { code: "ORDER_LATE", values: { seconds: "60" } },
};
const sentences = [
  ["en", "It could not be sent within 60 s."],
  ["de", "Das Senden war nicht innerhalb von 60 s möglich."],
  ["hr", "Slanje nije uspjelo u roku od 60 s."],
] as const;
for (const [language, sentence] of sentences)
  test(`the history says in the page's language why an order was dropped: ${language}`, (t) => {
    t.regex(shownIn(language, late), new RegExp(`<p class="muted"><span>${sentence}</span></p>`));
  });

test("a reason without a code, from an earlier release or from the label server itself, keeps its text", (t) => {
  const text = shownIn("de", { reason: "lost in the air", notice: null });
  t.regex(text, /<span class="technical" lang="en">lost in the air<\/span>/);
});
