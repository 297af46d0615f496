import test from "ava";
import type { CauseName, LabelExplanation } from "../../../schemas/explanation.ts";
import type { LabelBehind, ShownThen } from "../../../schemas/integrity.ts";
import { contradictionsOf, type StatedLabel } from "./contradictions.ts";
import type { StatedPage } from "./read-pages.ts";

const [NEW, OLD] = ["the current picture", "an earlier picture"];
const logged = { image: NEW, items: [{ itemId: "apple", price: "1.99" }] } as ShownThen;
const behind = (cause: CauseName) => ({ barcode: "A", cause }) as LabelBehind;
const explained = (cause: CauseName, more: object = {}) =>
  ({
    cause,
    plState: "OK",
    glass: [{ page: 0, isWanted: true }],
    onItsWay: null,
    ...more,
  }) as unknown as LabelExplanation;
const drawn = (content: string, isBare = false) => ({ content, isBare, itemId: "apple", itemRev: 1, price: "1.99" });
const page: StatedPage = { plState: "OK", cause: "UP_TO_DATE", shown: NEW, next: undefined, says: "showsNewest" };
/** An earlier picture on the glass, and the newest on its way; every view, including the page, reports this. */
const waits = (more: Partial<StatedPage> = {}) => ({
  ...{ ...pending, glass: OLD, explanation: onItsWay },
  page: { plState: "PENDING", cause: "ON_ITS_WAY", shown: OLD, next: NEW, says: "showsEarlier", ...more } as const,
});

const shows = (price: string) =>
  explained("UP_TO_DATE", { glass: [{ page: 0, image: NEW, isWanted: true, items: [{ itemId: "apple", price }] }] });

const right: StatedLabel = {
  ...{ barcode: "A", glass: NEW, redrawn: drawn(NEW), newest: NEW, plState: "OK", logged },
  ...{ behind: undefined, asLogged: undefined, explanation: explained("UP_TO_DATE") },
  ...{ page, row: { requestId: 7, price: "1.99" } },
};
const pending = { plState: "PENDING", behind: behind("ON_ITS_WAY") } as const;
const onItsWay = explained("ON_ITS_WAY", { plState: "PENDING", glass: [] });

const cases: readonly [string, Partial<StatedLabel>, RegExp?][] = [
  ["everything matches", {}],
  ["a picture on its way is reported", waits()],
  [
    "the glass shows the picture of another item, link or design",
    { redrawn: drawn(OLD) },
    /plState is OK, and the glass/,
  ],
  [
    "integrity lists a label that is OK",
    { behind: behind("ON_ITS_WAY") },
    /plState is OK, and integrity says ON_ITS_WAY/,
  ],
  ["integrity omits a label that is PENDING", { plState: "PENDING" }, /integrity counts the label as right$/],
  ["integrity counts an earlier picture", { plState: "UNKNOWN", glass: OLD }, /as right, and the glass shows another/],
  ["integrity names no cause", { behind: behind("UP_TO_DATE") }, /says that it is up to date/],
  [
    "the log has another picture",
    { logged: { ...logged, image: OLD } },
    /the log says that the label shows an earlier picture/,
  ],
  ["the log has a price that the glass does not show", { asLogged: drawn(OLD) }, /the log names the price 1.99/],
  ["the log has no item", { logged: { ...logged, items: [] } }, /the log names no item/],
  ["explain has another state", { explanation: explained("UP_TO_DATE", { plState: "ERROR" }) }, /explain says ERROR/],
  ["explain treats an earlier picture as the newest", { glass: OLD }, /explain says UP_TO_DATE, and the glass/],
  [
    "explain waits for a picture that is on the glass",
    { ...pending, explanation: onItsWay },
    /ON_ITS_WAY for a picture that is on/,
  ],
  [
    "explain names a cause for a label that is OK",
    { explanation: explained("GIVEN_UP") },
    /OK, and explain says GIVEN_UP/,
  ],
  [
    "explain names another cause",
    { ...pending, explanation: explained("GIVEN_UP") },
    /GIVEN_UP, and integrity ON_ITS_WAY/,
  ],
  ["the acknowledged picture is missing", { glass: OLD, ...pending }, /that the newest picture is shown/],
  [
    "explain names a price other than the log's",
    { explanation: shows("2.49") },
    /shows the price 2.49, and the log 1.99/,
  ],
  ["the page has another state", { page: { ...page, plState: "PENDING" } }, /the page says PENDING/],
  ["the page has no state", { page: { ...page, plState: "" } }, /the page says none/],
  ["the page names another cause", waits({ cause: "GIVEN_UP" }), /explain says ON_ITS_WAY, and the page GIVEN_UP/],
  ["the page has neither picture", waits({ shown: "a third", next: NEW }), /does not have the picture on the glass/],
  [
    "the page shows the new picture on the shelf too early",
    waits({ shown: NEW, next: undefined }),
    /not have the picture on the/,
  ],
  [
    "the page shows the acknowledged picture as on its way",
    { page: { ...page, shown: OLD, next: NEW } },
    /another picture on the shelf/,
  ],
  [
    "the page shows a picture on its way for a label that is OK",
    { page: { ...page, next: OLD } },
    /OK, and the page has a picture on its way/,
  ],
  ["the page shows a picture twice", waits({ next: OLD }), /the same picture on the shelf and on its way/],
  ["the page has no sentence", { page: { ...page, says: undefined } }, /the page says nothing/],
  ["the page has no picture", { page: { ...page, says: "showsNothing" } }, /that nothing is shown, and has/],
  ["the page treats an earlier picture as the newest", waits({ says: "showsNewest" }), /the page says that the newest/],
  [
    "the page treats the newest picture as an earlier one",
    { page: { ...page, says: "showsEarlier" } },
    /and showsEarlier/,
  ],
  [
    "a row's price is not on the glass",
    { row: { requestId: 7, price: "2.49" } },
    /request 7 set the price 2.49, and .* 1.99/,
  ],
  ["a row's price is on its way", { ...waits(), row: { requestId: 7, price: "2.49" } }],
];

for (const [name, change, said] of cases)
  test(name, (t) => {
    const found = contradictionsOf({ ...right, ...change }).join("\n");
    if (said) t.regex(found, new RegExp(said, "m"));
    else t.is(found, "");
  });
