import test from "ava";
import { subscriptions } from "../../../records/kinds/tenants.ts";
import { failures } from "../../../records/kinds/work.ts";
import { tenantKey } from "../../../schemas/keys.ts";
import { TENANT_ID } from "../../../scripts/demo/catalogue.ts";
import { type Command, refusal } from "../../../scripts/develop/proxy/wire-protocol.ts";
import { eventually } from "../../harness/eventually.ts";
import { glassOf, itemOutcomes, labelFor, labelOutcomes } from "../../harness/glass.ts";
import { leaveToMerger } from "../../harness/leave-to-merger.ts";
import { ownStack } from "../../harness/own.ts";
import { openReceiver } from "../../workers/notifier/receiver.ts";

/**
 * A server that fails over or is full responds but refuses operations. One test refuses each stage's reads, the other its
 * writes.
 */
const shelfwire = ownStack({ withProxy: true, settings: { WEBHOOKS_PRIVATE: "127.0.0.1:*" } });

const codes = [13_435, 11_602, 189, 91, 11_600, 10_107, 13_436, 43, 14_031];
const reads = new Set(["find", "getMore", "aggregate", "distinct", "count"]);
const writes = new Set(["insert", "update", "delete", "findAndModify"]);

/** The collections that each stage reads and writes. Several stages read an item, so more than one read of it is refused. */
const stages: Record<string, { read: string; write: string; reads?: number }> = {
  acceptance: { read: "counter", write: "counter" },
  journal: { read: "journal", write: "journal" },
  item: { read: "storeitemvalues.v1", write: "storeitemvalues.v1", reads: 3 },
  label: { read: "storeesl.v1", write: "storeesl.v1" },
  link: { read: "link.v2", write: "link.v2" },
  projection: { read: "designerlink.v1", write: "designerlink.v1" },
  evaluator: { read: "studiolink.v1", write: "studiolink.v1" },
  renderer: { read: "renderedimage.v1", write: "renderedimage.v1" },
  pictures: { read: "image", write: "image" },
  merger: { read: "eslimage.v1", write: "eslimage.v1" },
  transmitter: { read: "labelstate", write: "labelstate" },
  notifier: { read: "inbox", write: "inbox" },
  deliveries: { read: "delivery", write: "delivery" },
  sweep: { read: "outbox", write: "outbox" },
  leases: { read: "walk", write: "lease" },
};

/** Makes the server refuse the next reads or writes of each stage, with error codes that vary from stage to stage. */
function refuseAll(sort: "read" | "write", first: number): Map<string, () => number> {
  const names = sort === "read" ? reads : writes;
  const ordered = Object.entries(stages).map(([stage, collections], index) => {
    const code = codes[(first + index) % codes.length] ?? 0;
    const matches = ({ name, collection }: Command) => names.has(name) && collection === collections[sort];
    const times = sort === "read" ? (collections.reads ?? 1) : 1;
    return [stage, shelfwire.proxy?.answer({ matches, document: refusal(code), times }) ?? (() => 0)] as const;
  });
  return new Map(ordered);
}

let receiver: Awaited<ReturnType<typeof openReceiver>>;
test.after.always(() => receiver.close());
test.before(async () => {
  receiver = await openReceiver();
  const secret = `whsec_${Buffer.from("0123456789abcdefghijklmn").toString("base64")}`;
  const body = { topics: ["storeitemvalues.v1" as const], url: receiver.url, secret, createdAt: new Date() };
  await shelfwire.system.commit.change(
    subscriptions,
    [`${tenantKey(TENANT_ID)}/subscriptions/failover`],
    () => body,
    "bulk",
  );
});

for (const [round, sort] of (["read", "write"] as const).entries()) {
  test.serial(`a failover that refuses each stage's ${sort}s loses no row, no change and no process`, async (t) => {
    const { client } = shelfwire;
    const name = `refused ${sort}`;
    const barcode = labelFor(name);
    await leaveToMerger(shelfwire.system, [name]);
    await itemOutcomes(shelfwire, await client.patchItems([{ itemId: name, itemName: name, price: "1.00" }]));
    await labelOutcomes(shelfwire, await client.patchLabels([{ barcode, links: [{ itemId: name }] }]));
    const before = await glassOf(shelfwire, barcode);

    const awaited = refuseAll(sort, round * 3);
    const other = labelFor(`${name} too`);
    // The client repeats a call that is refused with 503; any other refusal fails the test.
    const link = await client.patchLabels([{ barcode: other, links: [{ itemId: name }] }]);
    const change = await client.patchItems([{ itemId: name, price: "2.00", properties: { priceKind: "special" } }]);
    t.is((await labelOutcomes(shelfwire, link))[0]?.status, "SUCCESS");
    t.is((await itemOutcomes(shelfwire, change))[0]?.status, "SUCCESS");
    await eventually("every stage was refused", async () => [...awaited.values()].every((left) => left() === 0)).catch(
      () => t.fail([...awaited].flatMap(([stage, left]) => (left() === 0 ? [] : [stage])).join()),
    );
    await eventually("both labels show the new price with the design that the rules choose for it", async () => {
      const [one, another] = [await glassOf(shelfwire, barcode), await glassOf(shelfwire, other)];
      // If the evaluator is late, one of the labels briefly shows rule 11's first picture.
      return !one.equals(before) && one.equals(another);
    });
    await eventually("the subscriber is notified", async () => receiver.calls.some(({ body }) => body.includes(name)));
    t.is(await shelfwire.system.db.collection(failures.name).countDocuments(), 0);
  });
}
