import type { ExecutionContext } from "ava";
import test from "ava";
import { connectAsync } from "mqtt";
import { reprDigest } from "../../../runtime/repr-digest.ts";
import type { Report } from "../../../scripts/label-server/emulated-label.ts";
import type { Way } from "../../../scripts/label-server/scenario/scenario.ts";
import { openGateway } from "../../../scripts/mqtt-gateway/gateway.ts";
import { eventually } from "../../harness/eventually.ts";
import { openMosquitto } from "../../harness/label-servers/mosquitto.ts";

const TREE = "shelfwire/demo/main";
const BARCODE = "D42FLOFYMKP013280";

/** Opens a gateway, and a client that plays the part of Shelfwire. */
async function openScene(t: ExecutionContext, way: Way = {}) {
  const users = { shelfwire: "of-shelfwire", gateway: "of-the-gateway" };
  const broker = await openMosquitto({ users });
  const made: Report[] = [];
  const gateway = openGateway({
    ...{ url: broker.url, user: "gateway", password: users.gateway, prefix: "shelfwire", store: "t/demo/s/main" },
    ...{
      airTimeMs: 0,
      scenario: { seed: 7, calls: way, reports: way },
      onReport: (report: Report) => void made.push(report),
    },
  });
  const client = await connectAsync(broker.url, {
    ...{ protocolVersion: 5, username: "shelfwire", password: users.shelfwire },
  });
  t.teardown(async () => {
    await gateway.close();
    await client.endAsync(true);
    await broker.close();
  });
  const reports: Report[] = [];
  const states: { state: string; boot?: string }[] = [];
  client.on("message", (topic, payload) => {
    const value = JSON.parse(payload.toString());
    if (topic.endsWith("/state")) states.push(value);
    else reports.push(...value.reports);
  });
  await client.subscribeAsync([`${TREE}/reports`, `${TREE}/state`], { qos: 1 });
  const send = (number: number, payload: string, digest = reprDigest(Buffer.from(payload))) =>
    client.publishAsync(`${TREE}/labels/${BARCODE}/pages/0`, payload, {
      ...{ qos: 1, retain: true },
      properties: { userProperties: { number: String(number), priority: "normal", "repr-digest": digest } },
    });
  const shown = () => gateway.labels.get(BARCODE)?.pages.get(0)?.png.toString();
  await eventually("it is online", async () => states.some(({ state }) => state === "online"));
  return { gateway, reports, states, made, send, shown };
}

test("a picture is shown and acknowledged with its number", async (t) => {
  const { send, shown, reports } = await openScene(t);
  await send(1_772_439_330_000, "picture");
  await eventually("it is acknowledged", async () => reports.length > 0);
  t.is(shown(), "picture");
  t.like(reports, [{ kind: "acknowledged", barcode: BARCODE, transmission: 1_772_439_330_000, page: 0 }]);
});

test("a picture that does not match its digest is not shown", async (t) => {
  const { gateway, send, shown } = await openScene(t);
  await send(1, "picture", reprDigest(Buffer.from("another")));
  await send(2, "next");
  await eventually("the next picture is shown", async () => shown() === "next");
  t.is(gateway.labels.get(BARCODE)?.pages.get(0)?.received, 1);
});

test("a gateway that forgets receives the newest picture again, and reports that it has restarted", async (t) => {
  const { gateway, send, reports, states, shown } = await openScene(t);
  await send(1, "first");
  await send(2, "second");
  await eventually("it is acknowledged", async () => reports.some(({ transmission }) => transmission === 2));
  gateway.restart({ forgets: true });
  // A gateway that reconnects repeats its reports; only a picture that is received again has another time.
  const times = () => new Set(reports.flatMap(({ transmission, at }) => (transmission === 2 ? at : []))).size;
  await eventually("the picture is acknowledged again", async () => times() >= 2);
  t.true((gateway.labels.get(BARCODE)?.pages.get(0)?.received ?? 0) >= 3);
  t.is(shown(), "second");
  const boots = states.flatMap(({ boot }) => boot ?? []);
  t.is(new Set(boots).size, 2);
  t.true(states.some(({ state }) => state === "offline"));
});

test("a picture that the gateway loses has no effect, and the next picture arrives", async (t) => {
  const { send, made } = await openScene(t, { loss: 0.5 });
  for (let number = 1; number <= 30; number += 1) await send(number, `picture ${number}`);
  await eventually("some are shown", async () => made.length > 0);
  t.true(made.length < 30);
});
