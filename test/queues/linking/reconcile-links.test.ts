import test from "ava";
import { createLinkReconciler } from "../../../queues/linking/reconcile-links.ts";
import { items } from "../../../records/kinds/items.ts";
import { labels } from "../../../records/kinds/labels.ts";
import { links } from "../../../records/kinds/links.ts";
import type { Item } from "../../../schemas/item.ts";
import { itemKey, labelKey, linkIdOf, linkKey } from "../../../schemas/keys.ts";
import type { Link } from "../../../schemas/link.ts";
import { ownSystem } from "../../harness/own.ts";

const STORE = "t/demo/s/main";
const own = ownSystem();

async function hang(barcode: string, fields: Partial<Link> = {}): Promise<string> {
  const key = linkKey(STORE, linkIdOf(barcode, 0));
  const body: Link = {
    ...{ eslId: barcode, displayPosition: 0, itemId: "milk", linkedItemId: "milk", status: "ACTIVE", origin: "studio" },
    ...{ linkedAt: new Date(0), stamp: 1 },
    ...fields,
  };
  await own.system.commit.change(links, [key], () => body, "bulk");
  return key;
}
const place = (barcode: string, plLocation: string) =>
  own.system.commit.change(
    labels,
    [labelKey(STORE, barcode)],
    () => ({ barcode, type: 1328, modelName: "Medium", stamps: {}, plLocation }),
    "bulk",
  );
const stock = (itemId: string) =>
  own.system.commit.change(
    items,
    [itemKey(STORE, itemId)],
    () => ({ itemId, sics: [], properties: [], stamps: {}, created: 1 }),
    "bulk",
  );
const reconciler = (commit = own.system.commit) => createLinkReconciler(own.system.records, commit);
const read = async (key: string) => (await own.system.records.read(links, [key])).get(key);

test.before(() => Promise.all([stock("milk"), stock("bread")]));

test.serial("a link is INACTIVE while its item does not exist, and is unchanged if nothing differs", async (t) => {
  const [good, lost] = [await hang("good"), await hang("lost", { itemId: "gone", linkedItemId: "gone" })];
  t.deepEqual(await reconciler().findStale([good, lost]), [lost]);
  const found = await reconciler().reconcile([good, lost], "bulk");
  t.is(found.get(lost)?.status, "INACTIVE");
  t.is((await read(lost))?.status, "INACTIVE");
  t.is((await read(good))?.status, "ACTIVE");
  t.deepEqual(await reconciler().findStale([good, lost]), []);
});

test.serial("a deleted item counts as missing", async (t) => {
  await stock("bygone");
  const key = await hang("bygone", { itemId: "bygone", linkedItemId: "bygone" });
  t.deepEqual(await reconciler().findStale([key]), []);
  const remove = (_: string, item: Item | undefined) => item && { ...item, deleted: true as const };
  await own.system.commit.change(items, [itemKey(STORE, "bygone")], remove, "bulk");
  t.deepEqual(await reconciler().findStale([key]), [key]);
  t.is((await reconciler().reconcile([key], "bulk")).get(key)?.status, "INACTIVE");
});

test.serial("a link takes its label's location, and keeps its own if the label does not exist", async (t) => {
  const [moved, bare] = [await hang("moved"), await hang("bare", { location: "A1" })];
  await place("moved", "B2");
  const found = await reconciler().reconcile([moved, bare], "bulk");
  t.deepEqual(
    [moved, bare].map((key) => found.get(key)?.location),
    ["B2", "A1"],
  );
});

test.serial("a link that is relinked in the meantime is checked with its new item", async (t) => {
  const key = await hang("relinked", { itemId: "gone", linkedItemId: "gone" });
  const { commit } = own.system;
  let isFirst = true;
  const change: typeof commit.change = async (...given) => {
    if (isFirst) {
      isFirst = false;
      await hang("relinked", { itemId: "bread", linkedItemId: "bread", stamp: 2 });
    }
    return commit.change(...given);
  };
  const found = await reconciler({ ...commit, change }).reconcile([key], "bulk");
  t.like(found.get(key), { itemId: "bread", status: "ACTIVE" });
  t.like(await read(key), { itemId: "bread", status: "ACTIVE" });
});

test.serial("a missing link is neither stale nor created", async (t) => {
  const key = linkKey(STORE, linkIdOf("unknown", 0));
  t.deepEqual(await reconciler().findStale([key]), []);
  t.is((await reconciler().reconcile([key], "bulk")).size, 0);
});
