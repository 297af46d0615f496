import { readFileSync } from "node:fs";
import test from "ava";
import { openRedis } from "../../../queues/redis.ts";
import { type ProcessName, processNames, queuesOf } from "../../../queues/topology.ts";
import { openTlsRedis } from "../../harness/databases/redis-servers.ts";
import { eventually } from "../../harness/eventually.ts";
import { glassOf, labelFor } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";

const shelfwire = ownStack({ openRedis: openTlsRedis, settings: { REDIS_TLS: "unverified" }, areSeparate: true });

/** Connections of a process to Redis (docs/operations/configure.md#redis). */
const connectionsOf = (name: string): number => {
  if (name === "web") return 1;
  return 2 + queuesOf(name as ProcessName).length + (name === "transmitter" ? 1 : 0);
};

const connections = async (): Promise<number> =>
  String(await shelfwire.system.redis.client("LIST"))
    .trim()
    .split("\n").length;

test.serial("a price reaches the glass through a Redis with TLS and a self-signed certificate", async (t) => {
  const barcode = labelFor("secure");
  await shelfwire.client.patchItems([{ itemId: "secure", itemName: "Secure", price: "1.00" }]);
  await shelfwire.client.patchLabels([{ barcode, links: [{ itemId: "secure" }] }]);
  t.truthy(await glassOf(shelfwire, barcode));
});

test.serial("a self-signed certificate is refused unless the setting allows it", async (t) => {
  const { url } = shelfwire.databases.redis;
  const redis = openRedis({ REDIS_URL: url, REDIS_TLS: "verified" });
  t.teardown(() => redis.disconnect());
  const [error] = await new Promise<[Error]>((resolve) => redis.once("error", (...given) => resolve(given)));
  t.regex(error.message, /self-signed certificate/);
});

test.serial("each process opens as many connections to Redis as documented, even with open tails", async (t) => {
  const { base, token } = shelfwire;
  const tail = new AbortController();
  t.teardown(() => tail.abort());
  const authorization = `Bearer ${await token()}`;
  const management = `${new URL(base).origin}/t/demo/api/management/v1/topics`;
  for (const topic of ["link.v2", "storeesl.v1"]) {
    const answer = await fetch(`${management}/${topic}/tail`, { headers: { authorization }, signal: tail.signal });
    t.is(answer.status, 200);
  }
  const expected = ["web", ...processNames].reduce((sum, name) => sum + connectionsOf(name), 0);
  // Plus this test's own connection.
  const found = await eventually(
    "the connections are open",
    async () => (await connections()) === expected + 1 && connections(),
  );
  t.is(found, expected + 1);
});

test("the default formation fits a plan with 40 connections, including the release command", (t) => {
  const app = JSON.parse(readFileSync(new URL("../../../app.json", import.meta.url), "utf8"));
  const formation = Object.entries<{ quantity: number }>(app.formation);
  const sum = formation.reduce((total, [name, { quantity }]) => total + quantity * connectionsOf(name), 0);
  t.deepEqual(formation.map(([name]) => name).toSorted(), ["web", ...processNames].toSorted());
  t.is(sum, 28);
  t.true(sum < 40);
});
