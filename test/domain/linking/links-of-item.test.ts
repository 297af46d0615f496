import test from "ava";
import { enterLinks, MAX_LINKS_OF_ITEM } from "../../../domain/linking/links-of-item.ts";

const link = (eslId: string, stamp: number) => ({ eslId, displayPosition: 0, stamp });

test("a link is listed once, with its latest stamp", (t) => {
  const list = { links: [{ id: "A-0", stamp: 5 }] };
  t.deepEqual(enterLinks(list, [link("A", 4), link("B", 7), link("B", 8), link("B", 6)]), {
    links: [
      { id: "A-0", stamp: 5 },
      { id: "B-0", stamp: 8 },
    ],
    refused: [],
  });
  t.deepEqual(enterLinks(list, [link("A", 6)]).links, [{ id: "A-0", stamp: 6 }]);
  t.deepEqual(enterLinks(undefined, [link("A", 0)]).links, [{ id: "A-0", stamp: 0 }]);
});

test("a full list accepts no more links and keeps the existing ones", (t) => {
  const full = Array.from({ length: MAX_LINKS_OF_ITEM - 1 }, (_, index) => ({ id: `L${index}-0`, stamp: 1 }));
  const upserts = [link("A", 2), link("B", 2), link("A", 3), link("L7", 3)];
  const { links, refused } = enterLinks({ links: full }, upserts);
  t.is(links.length, MAX_LINKS_OF_ITEM);
  t.deepEqual(refused, [upserts[1]]);
  t.deepEqual(links.at(-1), { id: "A-0", stamp: 3 });
  t.deepEqual(links[7], { id: "L7-0", stamp: 3 });
});
