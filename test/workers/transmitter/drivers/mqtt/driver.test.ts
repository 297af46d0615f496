import test from "ava";
import { eventually } from "../../../../harness/eventually.ts";
import { page } from "../../serve.ts";
import { GATEWAY, openScene, reportOf, SECRET, STORE } from "./scene.ts";

const LABELS = "shelfwire/demo/main/labels/#";

test("a gateway that reconnects receives only the newest picture of each page", async (t) => {
  const { send, gateway } = await openScene(t);
  for (const number of [1, 2, 3]) t.deepEqual(await send(number), { kind: "accepted" });
  const { subscribe, received, numbers } = await gateway();
  await subscribe(LABELS);
  await send(4);
  await eventually("the gateway has the newest picture and the next one", async () => numbers().includes(4));
  t.deepEqual(numbers(), [3, 4]);
  t.deepEqual(
    received.map(({ retain }) => retain),
    [true, false],
  );
});

test("an order that no gateway receives is repeated, and a received order is not retained", async (t) => {
  const { flash, gateway } = await openScene(t);
  t.like(await flash(1), { kind: "later", afterMs: 1_000, reason: "the label server answered 16" });
  const first = await gateway();
  await first.subscribe(LABELS);
  t.deepEqual(await flash(2), { kind: "accepted" });
  await eventually("it is received", async () => first.received.length > 0);
  t.deepEqual(JSON.parse(String(first.received[0]?.payload)), { duration: 4, color: "GREEN", flashType: 50 });
  const second = await gateway();
  await second.subscribe(LABELS);
  t.deepEqual(await flash(3), { kind: "accepted" });
  await eventually("the next order is received", async () => second.received.length > 0);
  t.deepEqual(second.numbers(), [3]);
});

test("a store's reports are passed on, and another store's are not", async (t) => {
  const { gateway, reports, logged } = await openScene(t);
  const { says } = await gateway();
  await says("main/reports", { reports: [reportOf("D1"), reportOf("D2", "t/demo/s/other")] });
  await says("main/reports", { reports: [reportOf("D3")] });
  await eventually("the reports are passed on", async () => reports.length === 2);
  t.deepEqual(reports, [reportOf("D1"), reportOf("D3")]);
  t.deepEqual(logged, [{ store: STORE, foreign: ["t/demo/s/other"] }]);
});

test("reports of a store on another label server are omitted, and so are invalid reports", async (t) => {
  const { gateway, reports, logged } = await openScene(t, { serves: (store) => store === STORE });
  const { says } = await gateway();
  await says("%/reports", { reports: [reportOf("D0")] });
  await says("other/reports", { reports: [reportOf("D1", "t/demo/s/other")] });
  await says("main/reports", { reports: [{ ...reportOf("D2"), kind: "shown" }] });
  await says("main/reports", { reports: [reportOf("D3")] });
  await eventually("the last report is passed on", async () => reports.length === 1);
  t.deepEqual(reports, [reportOf("D3")]);
  t.like(logged, [{ store: "t/demo/s/%" }, { store: "t/demo/s/other" }, { store: STORE }]);
});

test("reports that cannot be stored yet are delivered again, and delay no picture", async (t) => {
  const tries: string[] = [];
  let canStore = false;
  const { gateway, send, driver } = await openScene(t, {
    async report(reports) {
      tries.push(...reports.map(({ barcode }) => barcode));
      if (tries.length === 1) throw new Error("no database");
      return canStore;
    },
  });
  const { says } = await gateway();
  await says("main/reports", { reports: [reportOf("D1")] });
  await eventually("they are delivered again", async () => tries.length >= 2);
  t.deepEqual(await send(1), { kind: "accepted" });
  t.is(driver.failingSince(), undefined);
  canStore = true;
  await says("main/reports", { reports: [reportOf("D2")] });
  await eventually("both are stored", async () => tries.includes("D2"));
  t.deepEqual(new Set(tries.slice(0, -1)), new Set(["D1"]));
});

test("a store whose gateway is offline waits until the gateway is online, and other stores do not", async (t) => {
  const { gateway, driver, send } = await openScene(t);
  const will = {
    topic: "shelfwire/demo/main/state",
    payload: Buffer.from('{"state":"offline"}'),
    qos: 1,
    retain: true,
  };
  const { client, says } = await gateway({ will: { ...will, qos: 1 }, reconnectPeriod: 0 });
  await says("main/state", { state: "online", boot: "a" }, true);
  const main = driver.gateways?.of(STORE);
  t.is(driver.gateways?.of(STORE), main);
  client.stream.destroy();
  await eventually("it is unreachable", async () => main?.isAway());
  t.false(driver.gateways?.of("t/demo/s/other").isAway());
  t.false(driver.isAway());
  t.deepEqual(await send(1, "t/demo/s/other"), { kind: "accepted" });
  t.is(driver.failingSince(), undefined, "the other gateway is not offline");

  const next = await gateway();
  await next.says("main/state", { state: "online", boot: "b" }, true);
  await eventually("it is back", async () => !main?.isAway() && main?.backSince() !== undefined);
});

test("a broker whose gateways are all offline counts as unreachable", async (t) => {
  const { gateway, driver } = await openScene(t);
  driver.gateways?.of(STORE);
  const { says } = await gateway();
  await says("main/state", { state: "offline" }, true);
  await eventually("it is unreachable", async () => driver.failingSince() !== undefined);
  t.false(driver.isAway(), "its connection is open");
  await says("main/state", { state: "online" }, true);
  await eventually("it is back", async () => driver.failingSince() === undefined);
});

test("while the broker is down no call begins, and afterwards pictures are accepted again", async (t) => {
  const { broker, driver, send, gateway, reports } = await openScene(t);
  const before = driver.backSince();
  await broker.kill();
  await eventually("it is unreachable", async () => driver.isAway() && driver.failingSince() !== undefined);
  t.like(await send(1), { kind: "later", reason: "the label server did not answer: ENOTCONN" });
  await broker.start();
  await eventually("it is back", async () => !driver.isAway() && driver.backSince() !== before);
  t.deepEqual(await send(1), { kind: "accepted" });
  const { says } = await gateway();
  await eventually("reports arrive again", async () => {
    await says("main/reports", { reports: [reportOf("D1")] });
    return reports.length > 0;
  });
});

test("while a password is being replaced, both passwords are accepted", async (t) => {
  const { broker, driver, send } = await openScene(t, { settings: { otherSecret: "the-next-password-of-it" } });
  await broker.kill();
  broker.setUsers({ shelfwire: "the-next-password-of-it", [GATEWAY.username]: GATEWAY.password });
  await broker.start();
  await eventually("the other password is accepted", async () => !driver.isAway() && driver.backSince() !== undefined);
  t.is(driver.deniedSince(), undefined);
  t.deepEqual(await send(1), { kind: "accepted" });
});

test("a broker that rejects the password counts as denying until it accepts it", async (t) => {
  const { broker, driver } = await openScene(t);
  await broker.kill();
  broker.setUsers({ shelfwire: "another-password-of-shelfwire" });
  await broker.start();
  const denied = "the label server answered 135, because it rejects the secret";
  await eventually("it denies", async () => driver.lastCalls().failure?.reason === denied);
  t.true(driver.deniedSince() !== undefined);
  t.true(driver.isAway());
  t.is(driver.failingSince(), undefined);
  broker.setUsers({ shelfwire: SECRET });
  await eventually("it accepts it", async () => !driver.isAway() && driver.deniedSince() === undefined);
});

test("a store whose topics the broker denies backs off, and other stores do not", async (t) => {
  const rights = ["user shelfwire", "topic read shelfwire/+/+/+", "topic readwrite shelfwire/demo/main/#"];
  const { driver, send } = await openScene(t, { rights });
  t.like(await send(1, "t/demo/s/other"), { kind: "later", afterMs: 3_000 });
  t.deepEqual(await send(1), { kind: "accepted" });
  t.like(await send(2, "t/demo/s/other"), {
    kind: "later",
    afterMs: 6_000,
    reason: "the label server answered 135 for this label, but accepts others",
  });
  t.false(driver.isAway());
});

test("a barcode with wildcards and slashes reaches only its own topic", async (t) => {
  const { driver, gateway } = await openScene(t);
  const { subscribe, received } = await gateway();
  await subscribe("shelfwire/demo/main/labels/+/pages/0");
  const barcode = "../#/+\u0001č";
  t.deepEqual(await driver.sendPage({ ...page, barcode, content: { text: "x" } }), { kind: "accepted" });
  t.deepEqual(await driver.sendPage({ ...page, barcode }), { kind: "accepted" });
  await eventually("it is received", async () => received.length > 0);
  t.is(decodeURIComponent(received[0]?.topic.split("/")[4] ?? ""), barcode);
});

test("pictures are all accepted, even if more are sent at the same time than the broker allows", async (t) => {
  const { send } = await openScene(t);
  const answers = await Promise.all(Array.from({ length: 200 }, (_, number) => send(number + 1)));
  t.true(answers.every(({ kind }) => kind === "accepted"));
});
