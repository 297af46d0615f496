import test from "ava";
import { type ComparedLabel, mayBeBehind } from "../../../../api/management/integrity/compare-label.ts";

const page = { page: 0, image: "a" };
const shows = { link: "L", linkRev: 1, item: "I", itemRev: 2, design: "D", designRev: 3 };
const right: ComparedLabel = {
  image: { pages: [page], shows: [shows] },
  state: { wanted: [page], shown: [{ ...page, deliveredAt: new Date(), through: 1 }] },
  links: [{ _id: "L", rev: 1, status: "ACTIVE", itemId: "I" }],
};
const revs = { items: new Map([["I", 2]]), pages: new Map<string, number>(), designs: new Map([["D", 3]]) };

test("a label whose acknowledged picture was made from the newest revs is correct", (t) => {
  t.false(mayBeBehind(right, revs));
  t.false(mayBeBehind({ image: undefined, state: undefined, links: [] }, revs));
  const before = { ...shows, design: undefined, designRev: undefined } as unknown as typeof shows;
  t.false(mayBeBehind({ ...right, image: { pages: [page], shows: [before] } }, revs), "made before designs were kept");
});

const other = [{ ...page, image: "b" }];
const state = right.state as NonNullable<ComparedLabel["state"]>;
const cases: Record<string, [differs: Partial<ComparedLabel>, present: Partial<typeof revs>]> = {
  "a newer item": [{}, { items: new Map([["I", 9]]) }],
  "a deleted item": [{}, { items: new Map() }],
  "a newer design or canvas": [{}, { designs: new Map([["D", 9]]) }],
  "new page images": [{}, { pages: new Map([["I", 9]]) }],
  "a newer link": [{ links: [{ _id: "L", rev: 9, status: "ACTIVE", itemId: "I" }] }, {}],
  "a deleted link": [{ links: [] }, {}],
  "a link that is not drawn yet": [
    { links: [...right.links, { _id: "M", rev: 1, status: "ACTIVE", itemId: "I" }] },
    {},
  ],
  "a link that became INACTIVE": [{ links: [{ _id: "L", rev: 1, status: "INACTIVE", itemId: "I" }] }, {}],
  "a picture that the transmitter has not read": [{ image: { pages: other, shows: [shows] } }, {}],
  "a picture that is not shown": [{ image: { pages: other, shows: [shows] }, state: { ...state, wanted: other } }, {}],
  "a picture that could not be drawn, of an item with a price": [
    {
      image: { pages: [page], shows: [{ ...shows, price: "1.99" }], fault: { reason: "DRAWING_FAILED", detail: "x" } },
    },
    {},
  ],
  "a picture that could not be drawn, whatever its item": [
    { image: { pages: [page], shows: [shows], fault: { reason: "DRAWING_FAILED", detail: "x" } } },
    {},
  ],
  "an uncertain page": [{ state: { ...state, shown: state.shown.map((one) => ({ ...one, uncertain: true })) } }, {}],
  "a picture due for sending": [{ state: { ...state, sendDue: new Date() } }, {}],
};
for (const [what, [differs, present]] of Object.entries(cases)) {
  test(`${what} marks a label for inspection`, (t) => {
    t.true(mayBeBehind({ ...right, ...differs }, { ...revs, ...present }));
  });
}

test("page images count if every link shows the item that its picture shows", (t) => {
  const [one, other] = [
    { ...shows, pagesRev: 9 },
    { ...shows, link: "M" },
  ];
  const label = (...shown: (typeof shows)[]): ComparedLabel => ({
    ...right,
    image: { pages: [page], shows: shown },
    links: shown.map(({ link }) => ({ _id: link, rev: 1, status: "ACTIVE", itemId: "I" })),
  });
  const present = { ...revs, items: new Map([...revs.items, ["J", 2]]), pages: new Map([["I", 9]]) };
  t.false(mayBeBehind(label(one, { ...one, link: "M" }), present));
  t.true(mayBeBehind(label(one, other), present), "the picture was made before the images");
  t.false(mayBeBehind(label(shows, { ...other, item: "J" }), present), "a label with two items shows no page image");
});
