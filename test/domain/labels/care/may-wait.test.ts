import test from "ava";
import { mayWait } from "../../../../domain/labels/care/may-wait.ts";
import { contentOf } from "../../../../schemas/glass.ts";
import type { PageImage, Shown } from "../../../../schemas/image.ts";
import { type LabelState, newLabelState } from "../../../../schemas/label-state.ts";

const at = new Date("2026-03-01T23:00:00Z");
const part: Shown = {
  ...{ link: "l", linkRev: 1, item: "t/demo/s/main/items/milk", itemRev: 2, price: "1.99" },
  ...{ design: "t/demo/designs/shelf", designRev: 3, otherRev: 4 },
};
const due: PageImage = { page: 0, image: "new" };
const before = contentOf([part]);
/** A label that shows a picture of `part`. */
const showing = (fields: Partial<LabelState> = {}): LabelState => ({
  ...newLabelState(),
  shown: [{ page: 0, image: "old", deliveredAt: at, through: 1 }],
  sent: [{ page: 0, image: "old", number: 1, ...(before && { content: before }) }],
  ...fields,
});

const changes: [rule: string, of: Partial<Shown>, waits: boolean][] = [
  ["a design that was edited", { designRev: 9 }, true],
  ["a price", { price: "1.79", itemRev: 9 }, false],
  ["a price that was set to its current value", { itemRev: 9 }, false],
  ["another item", { item: "t/demo/s/main/items/bread" }, false],
  ["a link", { linkRev: 9 }, false],
  ["another design, since rules may have chosen an offer", { design: "t/demo/designs/offer" }, false],
  ["rules, the label type or the store", { otherRev: 9 }, false],
  ["an uploaded image", { pagesRev: 9 }, false],
];
for (const [rule, of, waits] of changes)
  test(`in quiet hours this change ${waits ? "waits" : "is sent"}: ${rule}`, (t) => {
    t.is(mayWait(showing(), due, contentOf([{ ...part, ...of }])), waits);
  });

const edited = contentOf([{ ...part, designRev: 9 }]);
const states: [rule: string, state: LabelState, page?: PageImage][] = [
  ["a picture that a caller requested", showing({ refreshing: { pages: [0], after: 1 } })],
  ["the picture of a page whose content is unknown", showing({ shown: [] })],
  [
    "the picture of a page that may show another picture",
    showing({ shown: [{ page: 0, image: "old", deliveredAt: at, through: 1, uncertain: true }] }),
  ],
  ["the picture of a page whose former picture is no longer stored", showing({ sent: [] })],
  ["a transmission that has begun", showing({ sending: { ...due, number: 2 } })],
  ["a background in place of a picture that could not be drawn", showing({ fault: "no design" })],
  ["a page with an uploaded image", showing(), { ...due, uploaded: true }],
];
for (const [rule, state, page = due] of states)
  test(`in quiet hours this is sent: ${rule}`, (t) => t.false(mayWait(state, page, edited)));

test("a silent label is sent its picture when it reports again, and its rare retries wait", (t) => {
  const lost = showing({ givenUp: "no report", checksIn: true, sendDue: at });
  const price = contentOf([{ ...part, price: "1.79" }]);
  t.true(mayWait(lost, due, price));
  t.true(mayWait({ ...lost, woken: new Date(at.getTime() - 1) }, due, price));
  t.false(mayWait({ ...lost, woken: at }, due, price));
});

test("a label that never checks in depends on its retries, which do not wait", (t) => {
  const lost = showing({ givenUp: "no report", sendDue: at });
  t.false(mayWait(lost, due, contentOf([{ ...part, price: "1.79" }])));
});

test("pictures of earlier releases do not record what they were made from, and are sent", (t) => {
  const { madeFrom, ...former } = before ?? { items: [], changedAt: 0 };
  t.false(mayWait(showing({ sent: [{ page: 0, image: "old", number: 1, content: former }] }), due, edited));
});
