import test from "ava";
import { textsOf } from "../../../../api/pages/messages/texts.ts";
import { checkSection } from "../../../../api/pages/overview/check-section.ts";
import { countsOf, stateTiles, verdict } from "../../../../api/pages/overview/label-counts.ts";
import type { Visit } from "../../../../api/pages/visit.ts";
import type { IntegrityReport, LabelBehind } from "../../../../schemas/integrity.ts";
import type { LabelSummary } from "../../../../schemas/label.ts";

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

/** Returns the rows of the list, without their tags. */
const rowsOf = (text: string) =>
  [...text.matchAll(/<li>(.*?)<\/li>/gs)].map(([, row = ""]) => row.replaceAll(/<[^>]*>/g, "").trim());

test("labels that are behind are grouped by cause, the most frequent first", (t) => {
  const text = shown({
    labels: 10,
    upToDate: 7,
    behind: [behind("A1", "LABEL_OFFLINE"), behind("A2", "LABEL_SERVER_AWAY"), behind("A3", "LABEL_SERVER_AWAY")],
  });
  t.regex(text, /7 of 10 labels show the newest picture/);
  t.deepEqual(rowsOf(text), [
    "2 labels: The store&#39;s label server does not respond.A2 A3",
    "1 label: The label has not responded for a long time. Check its battery and location.A1",
  ]);
  for (const barcode of ["A1", "A2", "A3"])
    t.true(text.includes(`<a href="/labels/${barcode}?store=main">${barcode}</a>`), barcode);
});

test("a cause with many labels links to the first six and counts the others", (t) => {
  const many = Array.from({ length: 9 }, (_, index) => behind(`B${index}`, "GIVEN_UP"));
  const text = shown({ labels: 9, upToDate: 0, behind: many });
  t.is([...text.matchAll(/href="\/labels\//g)].length, 6);
  t.regex(rowsOf(text)[0] ?? "", /^9 labels: .*B5 and 3 more$/);
  t.regex(text, /<a href="\/\?store=main&amp;verdict=ERROR">and 3 more<\/a>/, "with a link to the labels");
});

test("if no label is behind there is no list, and before the comparison the page offers to run it", (t) => {
  t.deepEqual(rowsOf(shown({ labels: 3, upToDate: 3, behind: [] })), []);
  t.regex(shown(undefined), /href="\/\?store=main&amp;checks=1">Every label is being compared/);
});

const none = { ERROR: 0, OFFLINE: 0, PENDING: 0, UNKNOWN: 0, OK: 0, NEW: 0 };
const summary: LabelSummary = {
  labels: 5,
  plState: { ...none, PENDING: 5 },
  batteryState: { UNKNOWN: 0, OK: 5, LOW: 0 },
};

test("the headline and tiles use the comparison when it is available, and each tile links to its labels", (t) => {
  const verdicts = { ...none, ERROR: 2, OK: 3 };
  const counts = countsOf(summary, { labels: 5, upToDate: 3, behind: [], verdicts, warned: 1 });
  t.regex(verdict(counts, visit.texts).text, /data-state="ERROR".*2 labels need help/);
  const tiles = stateTiles(visit, "main", counts, summary).text;
  t.deepEqual(
    [...tiles.matchAll(/href="([^"]*)"><span class="figure">(\d+)/g)].map(([, address, count]) => [address, count]),
    [
      ["/?store=main&amp;verdict=ERROR", "2"],
      ["/?store=main&amp;verdict=OK", "3"],
      ["/?store=main&amp;verdict=WARNED", "1"],
    ],
  );
});

test("without the comparison the page never calls labels correct just because they report no problem", (t) => {
  const right = { ...summary, plState: { ...none, OK: 5 } };
  const sentence = (report?: IntegrityReport) => verdict(countsOf(right, report), visit.texts).text;
  t.regex(sentence(), /No label reports a problem/);
  t.regex(sentence({ labels: 5, upToDate: 5, verdicts: right.plState }), /Every label shows the right price/);
  t.regex(stateTiles(visit, "main", countsOf(right, undefined), right).text, /href="\/shelf\?store=main&amp;state=OK"/);
});

test("if some accepted requests were not checked, the page says so", (t) => {
  const cut = { labels: 1, upToDate: 1, behind: [], verdicts: { ...none, OK: 1 }, isCut: true };
  t.regex(shown(cut), /More changes are waiting/);
  t.regex(verdict(countsOf(summary, cut), visit.texts).text, /No label reports a problem/);
});

test("a page for shop staff shows nothing that is meant for operators", (t) => {
  t.notRegex(shown({ labels: 1, upToDate: 0, behind: [behind("A1", "PROCESS_MISSING")] }), /reason for operators/);
});
