import test from "ava";
import fc from "fast-check";
import { pageToSend } from "../../../domain/labels/pages-to-send.ts";

const NOW = new Date("2026-03-01T12:00:00Z");
const page = fc.nat({ max: 3 });
const image = fc.constantFrom("a", "b");
const pages = fc.uniqueArray(fc.record({ page, image }), { selector: (entry) => entry.page });

test("the next page to send is the first page that does not show its wanted image", (t) => {
  fc.assert(
    fc.property(pages, pages, (wants, shows) => {
      const glass = new Map(shows.map((entry) => [entry.page, entry.image]));
      const sent = pageToSend({
        wanted: wants,
        shown: shows.map((entry) => ({ ...entry, deliveredAt: NOW, through: 1 })),
      });
      const right =
        sent === undefined
          ? wants
          : wants.slice(
              0,
              wants.findIndex((entry) => entry.page === sent.page),
            );
      for (const entry of right) t.is(glass.get(entry.page), entry.image);
      if (sent) t.not(glass.get(sent.page), sent.image);
    }),
  );
});

test("a page that is shown but no longer wanted is not sent", (t) => {
  t.is(pageToSend({ wanted: [], shown: [{ page: 0, image: "old", deliveredAt: NOW, through: 1 }] }), undefined);
});
