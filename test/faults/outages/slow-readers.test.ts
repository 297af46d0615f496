import type { IncomingMessage } from "node:http";
import { request } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import test from "ava";
import { hangLabels } from "../../../scripts/demo/hang-labels.ts";
import { manyLabels } from "../../../scripts/demo/many-labels.ts";
import type { DatabaseProxy } from "../../../scripts/develop/proxy/database-proxy.ts";
import { eventually } from "../../harness/eventually.ts";
import { DEMO_STORE } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";

/** With strings of `TEXT_LENGTH` characters, this many labels make a list that is larger than the sockets' buffers. */
const LABELS = 4_000;
const TEXT_LENGTH = 2_500;
/** Longer than the pauses in a read, and shorter than the pauses between the stack's own queries. */
const IDLE_MS = 200;

const many = manyLabels(LABELS, new Date(), ["PENDING"]).map(({ state, ...label }) => ({
  ...label,
  own: { plLocation: "x".repeat(TEXT_LENGTH), linkDepartment: "y".repeat(TEXT_LENGTH) },
}));

const shelfwire = ownStack({ workers: [], withProxy: true });
let proxy: DatabaseProxy;
test.before(async () => {
  if (shelfwire.proxy === undefined) throw new Error("this needs the proxy");
  proxy = shelfwire.proxy;
  await hangLabels(shelfwire.system.records, DEMO_STORE, many);
});

/** Starts to read the whole list, and stops after the head of the response. */
async function beginList(query = ""): Promise<IncomingMessage> {
  const token = await shelfwire.token();
  const url = `${shelfwire.base}/labels?limit=20000${query}`;
  const call = request(url, { headers: { authorization: `Bearer ${token}` }, agent: false });
  return new Promise((resolve, reject) => call.once("response", resolve).once("error", reject).end());
}

/** Waits until the database is idle; returns the number of bytes that it has sent by then. */
const calm = (): Promise<number> =>
  eventually("the database is idle", async () => {
    const before = proxy.answered();
    await setTimeout(IDLE_MS);
    return proxy.answered() === before && before;
  });

async function barcodesOf(list: IncomingMessage): Promise<string[]> {
  return (JSON.parse(await text(list)) as { barcode: string }[]).map(({ barcode }) => barcode);
}

const all = many.map(({ barcode }) => barcode).sort();

for (const query of ["", "&filter[plState]=NEW", "&sortProperty=lastUpdate"])
  test.serial(
    `a list is read no faster than its caller reads it, and reading ends when the caller disconnects: ${query}`,
    async (t) => {
      const began = proxy.answered();
      t.deepEqual(await barcodesOf(await beginList(query)), all);
      const cost = proxy.answered() - began;

      const slow = await beginList(query);
      const waiting = (await calm()) - began - cost;
      t.true(waiting < cost, `${waiting} of ${cost} bytes were read before the caller read any`);
      t.deepEqual(await barcodesOf(slow), all);
      const before = await calm();
      t.true(before - began - cost > waiting);

      (await beginList(query)).destroy();
      const spent = (await calm()) - before;
      t.true(spent < cost, `${spent} of ${cost} bytes were read after the caller had disconnected`);
    },
  );

test.serial("a list that the database cannot finish is visibly truncated", async (t) => {
  const list = await beginList();
  await calm();
  proxy.cut();
  await t.throwsAsync(text(list), { message: /aborted/ });
  proxy.restore();
  const whole = await eventually("the database is back", async () => barcodesOf(await beginList()));
  t.deepEqual(whole, all);
});
