import test from "ava";
import { journalCollection } from "../../../records/requests/journal.ts";
import { openRequestsNaming, readOpenRequests } from "../../../records/requests/requests-naming.ts";
import { pageDrawingsKey, storeKey } from "../../../schemas/keys.ts";
import { stampOf } from "../../../schemas/stamp.ts";
import { ownSystem } from "../../harness/own.ts";

const own = ownSystem();
const store = storeKey("demo", "main");
const MANY = 25;

test("the requests that name an ID are found, however many images wait to be drawn", async (t) => {
  const { accept, journal, db } = own.system;
  const patch = (itemId: string) => accept({ store, operation: "patch-items", rows: [{ itemId }], ordered: false });
  // After these requests, the next request has a larger number than any image drawing.
  for (let number = 0; number < MANY; number += 1) {
    const [chunk] = await patch("applied");
    await journal.settle(new Map([[chunk?._id ?? "", []]]));
  }
  const [asked] = await patch("asked");
  for (let drawing = 0; drawing < MANY; drawing += 1)
    await accept({
      store: pageDrawingsKey(store),
      operation: "draw-pages",
      rows: [{ itemId: "another", stamp: 1 }],
      ordered: false,
    });
  const { naming, isCut } = await openRequestsNaming(db)(store, ["asked"]);
  t.deepEqual(
    naming.map(({ number, operation }) => [number, operation]),
    [[asked?.number, "patch-items"]],
  );
  t.true(isCut);
});

test("requests that name an ID are sorted by number, whatever their urgency, and include uploads for it", async (t) => {
  const { accept, db } = own.system;
  const shop = storeKey("demo", "order");
  const patch = (urgency: "bulk" | "interactive", itemId: string) => {
    const rows = Array.from({ length: urgency === "bulk" ? 1000 : 1 }, () => ({ itemId }));
    return accept({ store: shop, operation: "patch-items", rows, ordered: false });
  };
  const [first] = await patch("bulk", "milk");
  const [uploaded] = await patch("interactive", "bread");
  const [second] = await patch("interactive", "milk");
  const [third] = await patch("bulk", "milk");
  const upload = uploaded?.number ?? 0;
  await accept({
    store: pageDrawingsKey(shop),
    operation: "draw-pages",
    rows: [{ itemId: "milk", stamp: stampOf(upload, 0) }],
    ordered: false,
  });
  const { naming, isCut } = await openRequestsNaming(db)(shop, ["milk", "butter"]);
  t.deepEqual(
    naming.map(({ number, urgency }) => [number, urgency]),
    [
      [first?.number, "bulk"],
      [upload, "interactive"],
      [second?.number, "interactive"],
      [third?.number, "bulk"],
    ],
  );
  t.false(isCut);
});

test("twenty open chunks are checked, and the existence of more is reported", async (t) => {
  const { accept, db } = own.system;
  const shop = storeKey("demo", "many");
  const patch = (itemId: string) =>
    accept({ store: shop, operation: "patch-items", rows: [{ itemId }], ordered: false });
  for (let number = 1; number < 20; number += 1) await patch("other");
  await patch("milk");
  t.like(await openRequestsNaming(db)(shop, ["milk"]), { naming: { length: 1 }, isCut: false });
  await patch("butter");
  t.deepEqual(await openRequestsNaming(db)(shop, ["butter"]), { naming: [], isCut: true });
});

test("for many labels the open requests are read once, and a property's value does not count as an ID", async (t) => {
  const { accept, db } = own.system;
  const shop = storeKey("demo", "once");
  const rows = [{ itemId: "milk", properties: { brand: "butter" } }, { itemId: "bread" }];
  const [first] = await accept({ store: shop, operation: "patch-items", rows, ordered: false });
  const labels = [{ barcode: "D4", links: [{ itemId: "tea" }] }];
  const [second] = await accept({ store: shop, operation: "patch-labels", rows: labels, ordered: true });
  const open = await readOpenRequests(db)(shop);
  const numbersOf = (...ids: string[]) => open.naming(ids).map(({ number }) => number);
  t.deepEqual(numbersOf("milk", "bread"), [first?.number]);
  t.deepEqual(numbersOf("D4", "tea", "milk"), [first?.number, second?.number]);
  t.deepEqual(numbersOf("butter", "cheese"), []);
  t.false(open.isCut);
});

test("the oldest of many open chunks are checked, even a bulk chunk before interactive ones", async (t) => {
  const { accept, db } = own.system;
  const shop = storeKey("demo", "oldest");
  const patch = (itemId: string, length = 1) =>
    accept({ store: shop, operation: "patch-items", rows: Array.from({ length }, () => ({ itemId })), ordered: false });
  const [oldest] = await patch("milk", 1000);
  for (let number = 0; number < MANY; number += 1) await patch("other");
  const { naming } = await openRequestsNaming(db)(shop, ["milk"]);
  t.deepEqual(
    naming.map(({ number }) => number),
    [oldest?.number],
  );
});

test("a void request is not among the open requests that name an ID", async (t) => {
  const { accept, db } = own.system;
  const shop = storeKey("demo", "void");
  const patch = () => accept({ store: shop, operation: "patch-items", rows: [{ itemId: "milk" }], ordered: false });
  const [refused] = await patch();
  const [open] = await patch();
  await journalCollection(db).updateOne({ _id: refused?._id ?? "" }, { $set: { validFor: -1 } });
  const { naming } = await openRequestsNaming(db)(shop, ["milk"]);
  t.deepEqual(
    naming.map(({ number }) => number),
    [open?.number],
  );
});
