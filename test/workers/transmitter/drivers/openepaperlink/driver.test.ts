import test from "ava";
import { eventually } from "../../../../harness/eventually.ts";
import { MAC, openScene, pixelsOf } from "./scene.ts";

const OTHERS = ["0000021800000001", "0000021800000002", "0000021800000003"];

test("a picture is acknowledged when the tag shows it, pixel for pixel", async (t) => {
  const { accessPoint, send, reported } = await openScene(t);
  const tag = accessPoint.add(MAC, 0x01);
  t.deepEqual(await send(1), { kind: "accepted" });
  t.like(await reported("acknowledged", 1), {
    store: "t/demo/s/main",
    page: 0,
    battery: "OK",
    hardwareRevision: "01 41",
    sensors: { temperature: 21 },
  });
  t.deepEqual(
    tag.shown.map(({ pixels }) => pixels),
    [pixelsOf(1)],
  );
});

test("lost or duplicate messages change nothing", async (t) => {
  const { accessPoint, send, reported, reports } = await openScene(t, { duplicates: 0.5, lostMessages: 0.3 });
  accessPoint.add(MAC, 0x01);
  for (const number of [1, 2]) {
    await send(number);
    await eventually(`${number} is shown`, async () => accessPoint.tags.get(MAC)?.updateCount === number);
    // The transmitter resends a transmission that has not been reported.
    await send(number);
    await reported("acknowledged", number);
  }
  const acknowledged = reports.filter(({ kind }) => kind === "acknowledged").map(({ transmission }) => transmission);
  t.deepEqual(acknowledged, [1, 2]);
});

test("uploads neither overlap nor arrive faster than the access point can accept them", async (t) => {
  const { accessPoint, send, reported } = await openScene(t);
  for (const mac of OTHERS) accessPoint.add(mac, 0x01);
  await Promise.all(OTHERS.map((mac, index) => send(index, mac)));
  await Promise.all(OTHERS.map((mac, index) => reported("acknowledged", index, mac)));
  t.like(accessPoint.totals, { uploads: 3, overlaps: 0, lostInBursts: 0 });
});

test("a repeated transmission that still waits for its tag is not uploaded again", async (t) => {
  const { accessPoint, send, reported } = await openScene(t);
  const tag = accessPoint.add(MAC, 0x01, { isAsleep: true });
  await send(1);
  await eventually("it waits", async () => tag.queue.length === 1);
  t.deepEqual(await send(1), { kind: "accepted" });
  t.is(accessPoint.totals.uploads, 1);
  tag.isAsleep = false;
  await reported("acknowledged", 1);
});

test("an older transmission that arrives after a newer one is not uploaded", async (t) => {
  const { accessPoint, send, reported } = await openScene(t);
  const tag = accessPoint.add(MAC, 0x01);
  await send(7);
  t.deepEqual(await send(6), { kind: "accepted" });
  await reported("acknowledged", 7);
  t.deepEqual(
    tag.shown.map(({ pixels }) => pixels),
    [pixelsOf(7)],
  );
});

test("a picture that the tag already shows is acknowledged", async (t) => {
  const { accessPoint, pageOf, send, reported, sendPage } = await openScene(t);
  accessPoint.add(MAC, 0x01);
  await send(1);
  await reported("acknowledged", 1);
  t.deepEqual(await sendPage({ ...pageOf(1), number: 2 }), { kind: "accepted" });
  await reported("acknowledged", 2);
  t.is(accessPoint.tags.get(MAC)?.updateCount, 1);
});

test("a transmission fails if the tag does not fetch its picture in time", async (t) => {
  const { accessPoint, send, reported } = await openScene(t, { loss: 1 });
  accessPoint.add(MAC, 0x01);
  await send(1);
  t.regex((await reported("failed", 1)).reason ?? "", /did not take the picture in time/);
});

test("when an access point restarts, its transmissions fail, and it gets no calls until it is up", async (t) => {
  const { accessPoint, driver, send, reported } = await openScene(t, { boot: 1_000_000 });
  const tag = accessPoint.add(MAC, 0x01, { isAsleep: true });
  await send(1);
  await eventually("it waits", async () => tag.queue.length === 1);
  accessPoint.reboot();
  await reported("failed", 1);
  const answer = await send(1);
  t.is(answer.kind, "later");
  t.true(driver.isAway());
});

test("a transmission that the access point forgot while its websocket was closed fails", async (t) => {
  const { accessPoint, send, reported } = await openScene(t);
  const tag = accessPoint.add(MAC, 0x01, { isAsleep: true });
  await send(1);
  await eventually("it waits", async () => tag.queue.length === 1);
  tag.queue = [];
  accessPoint.dropSockets();
  t.regex((await reported("failed", 1)).reason ?? "", /no longer holds/);
});

test("a picture is refused with the reason if no tag matches the label or the tag cannot show it", async (t) => {
  const { accessPoint, pageOf, send, sendPage } = await openScene(t);
  accessPoint.add(MAC, 0x33);
  const reasons = [
    await send(1, "A4123456789012345"),
    await send(1, OTHERS[0]),
    await send(1),
    await sendPage({ ...pageOf(1), page: 1 }),
    await sendPage({ ...pageOf(1), content: { text: "1,99" } }),
  ].map((answer) => ("reason" in answer ? answer.reason : answer.kind));
  const expected = [/"device" is not set/, /does not know the tag/, /takes 384 x 168/, /one page/, /not texts/];
  for (const [index, pattern] of expected.entries()) t.regex(reasons[index] ?? "", pattern);
});

test("pictures for a tag of an unknown type and broken pictures are refused, and other labels' pictures are sent immediately", async (t) => {
  const { accessPoint, driver, pageOf, send, sendPage, reported } = await openScene(t);
  accessPoint.add(MAC, 0x01).hardwareType = 0xee;
  for (const mac of OTHERS) accessPoint.add(mac, 0x01);
  const reasonOf = (answer: object) => ("reason" in answer ? answer.reason : undefined);
  t.is(reasonOf(await send(1)), `the access point does not know the tag type EE of the tag ${MAC}`);
  const broken = await sendPage({ ...pageOf(2, OTHERS[0]), content: { png: new Uint8Array(8) } });
  t.is(reasonOf(broken), 'the picture cannot be converted for the tag "M2 2.9"": only PNG pictures can be read');
  t.false(driver.isAway());
  t.is(driver.failingSince(), undefined);
  t.deepEqual(await send(3, OTHERS[1]), { kind: "accepted" });
  await reported("acknowledged", 3, OTHERS[1]);
});

test("the label's own address is used before its barcode", async (t) => {
  const { accessPoint, pageOf, reported, sendPage } = await openScene(t);
  accessPoint.add(MAC, 0x01);
  await sendPage({ ...pageOf(1, "A4123456789012345"), device: MAC.toLowerCase() });
  await reported("acknowledged", 1, "A4123456789012345");
  t.pass();
});

test("a flash is carried out, and other orders are refused", async (t) => {
  const { accessPoint, driver, pageOf } = await openScene(t);
  const tag = accessPoint.add(MAC, 0x01);
  const { content: _, cause: __, page: ___, ...to } = { cause: undefined, ...pageOf(1) };
  const body = { duration: 2, color: "RED", flashType: 50 };
  t.deepEqual(await driver.sendOrder({ ...to, order: "flash", body }), { kind: "accepted" });
  t.is(tag.flash, "f1e021080000000000000100");
  t.is((await driver.sendOrder({ ...to, order: "display-page", body: {} })).kind, "refused");
});

test("an access point that does not answer is unreachable, and is called again later", async (t) => {
  const { accessPoint, driver, pageOf } = await openScene(t);
  await accessPoint.close();
  const answer = await driver.sendPage(pageOf(1));
  t.like(answer, { kind: "later" });
  t.true(driver.isAway());
  t.not(driver.failingSince(), undefined);
  t.not(driver.lastCalls().failure, undefined);
});
