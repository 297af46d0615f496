import test from "ava";
import { refusalReason, rowReason } from "../../../../api/pages/browser/notice-text.ts";
import { textsIn } from "../../../../api/pages/browser/texts.ts";
import { noticeText } from "../../../../api/pages/layout/notice-text.ts";
import { rowKeys } from "../../../../api/pages/layout/reason-keys.ts";
import type { Key } from "../../../../api/pages/messages/en.ts";
import { type Language, languages, messages, textsOf } from "../../../../api/pages/messages/texts.ts";
import { callNotice, callText, callTexts } from "../../../../schemas/call-notice.ts";
import { noticeTexts } from "../../../../schemas/drawing-notice.ts";
import { historyTexts } from "../../../../schemas/history-notice.ts";
import { faultAt } from "../../../../schemas/problem.ts";
import { refusalNotice, refusalTexts } from "../../../../schemas/refusal-notice.ts";
import { rowErrors, rowNotice, rowTexts } from "../../../../schemas/row-notice.ts";

const tables = { ...callTexts, ...historyTexts, ...rowTexts, ...refusalTexts };
const valuesIn = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();
/** Returns the messages of a page's script in a language. */
const scriptTexts = (language: Language) => {
  const texts = Object.fromEntries(rowKeys.map((key) => [key, messages[language][key]]));
  return textsIn({ dataset: { texts: JSON.stringify({ language, texts }) } });
};
const fieldName = (pointer: string) => ({ "/timeZone": "Zeitzone" })[pointer];

test("each code has a message in every language, without values that its English sentence lacks", (t) => {
  for (const language of Object.keys(languages) as Language[])
    for (const [code, sentence] of Object.entries(tables)) {
      const message = messages[language][`notice.${code}` as Key];
      const forms = typeof message === "string" ? [message] : Object.values(message ?? {});
      t.true(forms.length > 0, `${language} ${code}`);
      const known = valuesIn(sentence);
      for (const text of forms)
        t.deepEqual(
          valuesIn(text).filter((value) => !known.includes(value)),
          [],
          `${language} ${code}`,
        );
    }
});

test("a code has one meaning: tables that share it share its sentence", (t) => {
  const sentences = new Map<string, string>();
  for (const table of [noticeTexts, callTexts, historyTexts, rowTexts, refusalTexts])
    for (const [code, sentence] of Object.entries(table)) {
      t.is(sentences.get(code) ?? sentence, sentence, code);
      sentences.set(code, sentence);
    }
});

const failures = [
  ["en", "The other system responded with status 500."],
  ["de", "Das andere System hat mit Status 500 geantwortet."],
  ["hr", "Drugi je sustav odgovorio statusom 500."],
] as const;
for (const [language, sentence] of failures)
  test(`a failed call is English for callers and in the page's language for people: ${language}`, (t) => {
    const notice = callNotice("RECEIVER_ANSWERED", { status: 500 });
    t.is(callText(notice), "the receiver answered 500");
    t.is(noticeText(notice, callText(notice), textsOf(language)).text, `<span>${sentence}</span>`);
  });

test("a row's errors are in the page's language, and errors from an earlier release in English", (t) => {
  const taken = rowErrors(rowNotice("SIC_TAKEN", { code: "4001", item: "tea" }), rowNotice("NO_TRANSCEIVER", {}));
  t.deepEqual(taken.errors, ['the SIC "4001" belongs to the item "tea"', "no transceiver reaches the label"]);
  t.is(
    rowReason(taken, scriptTexts("de")),
    "Der Code „4001“ gehört zum Artikel „tea“. Kein Sender erreicht das Etikett.",
  );
  t.is(
    rowReason(taken, scriptTexts("hr")),
    "Kod „4001” pripada artiklu „tea”. Nijedan primopredajnik ne doseže etiketu.",
  );
  t.is(rowReason({ errors: taken.errors.slice(0, 1) }, scriptTexts("de")), 'the SIC "4001" belongs to the item "tea"');
  const later = { errors: ["something new"], notices: [{ code: "SOMETHING_NEW", values: {} }] };
  t.is(rowReason(later, scriptTexts("de")), "something new");
});

const refusals: [rule: string, problem: object, german: string][] = [
  [
    "a fault of a field",
    { errors: [faultAt("/timeZone", refusalNotice("TIME_ZONE_UNKNOWN", { zone: "Nowhere" }))] },
    "Zeitzone: Die Zeitzone „Nowhere“ gibt es nicht. Ein Beispiel ist Europe/Zagreb.",
  ],
  [
    "a resource in use",
    { type: "/problems/conflict", notice: refusalNotice("STORE_HAS_LABELS", { store: "main", label: "A1" }) },
    "Die Filiale hat noch Etiketten, etwa A1.",
  ],
  [
    "a problem without a notice",
    { type: "/problems/too-many-requests" },
    "Das war zu viel auf einmal. Versuche es gleich noch einmal.",
  ],
  [
    "a fault without a notice",
    { type: "/problems/invalid-request", errors: [{ pointer: "", detail: "is odd" }] },
    "Mit dieser Eingabe kann Shelfwire nichts anfangen. Prüfe sie.",
  ],
  ["a problem from a later release", { type: "/problems/later", detail: "English" }, ""],
];
for (const [rule, problem, german] of refusals)
  test(`a refusal is in the page's language: ${rule}`, (t) =>
    t.is(refusalReason(problem, scriptTexts("de"), fieldName), german));
