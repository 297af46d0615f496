import test from "ava";
import { contentOf } from "../../schemas/glass.ts";

const shows = { link: "l", linkRev: 3, item: "t/demo/s/main/items/milk", itemRev: 4, price: "1.99" };

test("the time to the glass counts from the latest change that a picture shows, whatever changed", (t) => {
  const from = (differs: object) => contentOf([{ ...shows, ...differs }])?.changedAt;
  t.is(from({}), 4);
  t.is(from({ linkRev: 5 }), 5);
  t.is(from({ design: "d", designRev: 6 }), 6);
  t.is(from({ pagesRev: 7 }), 7);
  t.is(from({ otherRev: 8 }), 8, "a change of the rules that chose its design, of its store or of its label type");
});

test("a picture shows the items drawn in it, and not those it omits", (t) => {
  const left = { ...shows, item: "t/demo/s/main/items/tea", leftOut: true as const };
  t.deepEqual(contentOf([shows, left])?.items, [{ itemId: "milk", price: "1.99", rev: 4 }]);
  t.deepEqual(contentOf([left])?.items, []);
  t.is(contentOf([]), undefined);
});
