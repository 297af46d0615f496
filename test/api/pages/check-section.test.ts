import test from "ava";
import { textsOf } from "../../../api/pages/messages/texts.ts";
import { checkSection } from "../../../api/pages/overview/check-section.ts";
import type { Visit } from "../../../api/pages/visit.ts";
import type { IntegrityReport, LabelBehind } from "../../../schemas/integrity.ts";

const visit = {
  texts: textsOf("en"),
  language: "en",
  now: new Date("2026-03-02T08:00:00Z"),
  link: (path: string, query: Readonly<Record<string, string>> = {}) => `${path}?${new URLSearchParams(query)}`,
} as Partial<Visit> as Visit;

const behind = (barcode: string, cause: LabelBehind["cause"]): LabelBehind => ({
  barcode,
  itemIds: ["milk"],
  cause,
  since: null,
  reason: "a reason for operators",
});
const shown = (report: IntegrityReport | undefined) => checkSection(visit, "main", report).text;

/** The rows of the list, without their tags. */
const rowsOf = (text: string) =>
  [...text.matchAll(/<li>(.*?)<\/li>/gs)].map(([, row = ""]) => row.replaceAll(/<[^>]*>/g, "").trim());

test("labels that are behind are listed by their cause, the one of most labels first", (t) => {
  const text = shown({
    labels: 10,
    upToDate: 7,
    behind: [behind("A1", "LABEL_OFFLINE"), behind("A2", "LABEL_SERVER_AWAY"), behind("A3", "LABEL_SERVER_AWAY")],
  });
  t.regex(text, /7 of 10 labels show the newest picture/);
  t.deepEqual(rowsOf(text), [
    "2 labels: The store&#39;s label server does not answer.A2 A3",
    "1 label: The label has not been heard for long. Look at its battery and its place.A1",
  ]);
  for (const barcode of ["A1", "A2", "A3"])
    t.true(text.includes(`<a href="/labels/${barcode}?store=main">${barcode}</a>`), barcode);
});

test("of many labels of one cause the first six have a link, and the others are counted", (t) => {
  const many = Array.from({ length: 9 }, (_, index) => behind(`B${index}`, "GIVEN_UP"));
  const text = shown({ labels: 9, upToDate: 0, behind: many });
  t.is([...text.matchAll(/href="\/labels\//g)].length, 6);
  t.regex(rowsOf(text)[0] ?? "", /^9 labels: .*B5 and 3 more$/);
  t.regex(text, /<a href="\/\?store=main&amp;verdict=ERROR">and 3 more<\/a>/, "with the way to them");
});

test("where no label is behind there is no list, and before the comparison is made the way to it", (t) => {
  t.deepEqual(rowsOf(shown({ labels: 3, upToDate: 3, behind: [] })), []);
  t.regex(shown(undefined), /href="\/\?store=main&amp;checks=1">Every label is being compared/);
});

test("what operators are told is not on a page for a shop's staff", (t) => {
  t.notRegex(shown({ labels: 1, upToDate: 0, behind: [behind("A1", "PROCESS_MISSING")] }), /reason for operators/);
});
