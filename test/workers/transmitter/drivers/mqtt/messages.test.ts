import test from "ava";
import {
  MAX_REPORTS_BYTES,
  orderMessage,
  pageMessage,
  readReports,
  readState,
} from "../../../../../workers/transmitter/drivers/mqtt/messages.ts";
import { acknowledgementOf } from "../../../../../workers/transmitter/drivers/mqtt/reason-codes.ts";
import { topicsUnder } from "../../../../../workers/transmitter/drivers/mqtt/topics.ts";
import { page } from "../../serve.ts";

const topics = topicsUnder("shelfwire");
const STORE = "t/demo/s/main";
const report = { store: STORE, barcode: "D42", kind: "check-in", at: "2026-07-01T10:00:00.000Z" } as const;
const bytesOf = (value: unknown) => Buffer.from(JSON.stringify(value));

test("a picture is retained for a limited time, with its number, digest, priority and trace", (t) => {
  const trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  const { options, payload } = pageMessage(topics, { ...page, transceivers: ["č1", "T2"], cause: { trace } });
  t.deepEqual(payload, Buffer.from((page.content as { png: Uint8Array }).png));
  t.like(options, { qos: 1, retain: true, properties: { contentType: "image/png", messageExpiryInterval: 600 } });
  t.like(options.properties?.userProperties, {
    ...{ store: STORE, number: "7", priority: "normal", traceparent: trace, transceiver: "%C4%8D1, T2" },
  });
  t.regex(String(options.properties?.userProperties?.["repr-digest"]), /^sha-256=:.+=:$/);
});

test("without a trace or a transceiver its property is absent", (t) => {
  const { options } = pageMessage(topics, page);
  t.deepEqual(Object.keys(options.properties?.userProperties ?? {}), ["store", "number", "priority", "repr-digest"]);
});

test("text is retained as JSON", (t) => {
  const { topic, payload, options } = pageMessage(topics, { ...page, content: { text: "    1,99" } });
  t.true(topic.endsWith("/segments"));
  t.deepEqual(JSON.parse(payload.toString()), { text: "    1,99" });
  t.like(options, { retain: true, properties: { contentType: "application/json" } });
});

for (const [order, body, seconds] of [
  ["flash", { duration: 4, color: "GREEN", flashType: 50 }, 30],
  ["flash", { duration: 900, color: "GREEN", flashType: 50 }, 900],
  ["display-page", { action: "restore-page" }, 30],
  ["fingerprint", { position: { x: 1, y: 2, floor: 0 } }, 30],
] as const)
  test(`a broker never retains an order, and its message expires with its effect: ${order} for ${seconds} s`, (t) => {
    const { topic, payload, options } = orderMessage(topics, { ...page, order, body });
    t.true(topic.endsWith(`/orders/${order}`));
    t.deepEqual(JSON.parse(payload.toString()), body);
    t.like(options, { qos: 1, retain: false, properties: { messageExpiryInterval: seconds } });
  });

test("a store's reports are read, and reports for other stores are named", (t) => {
  const other = { ...report, store: "t/demo/s/other" };
  t.deepEqual(readReports(bytesOf({ reports: [report, other, other] }), STORE), {
    reports: [report],
    foreign: ["t/demo/s/other"],
  });
});

for (const [what, payload, fault] of [
  ["that is not JSON", Buffer.from("reports"), /^not JSON$/],
  ["that is empty", Buffer.alloc(0), /^not JSON$/],
  ["that is null", Buffer.from("null"), /^not JSON$/],
  ["of a different form", bytesOf([report]), /must be/],
  ["without reports", bytesOf({ reports: [] }), /^\/reports /],
  ["with an unknown kind", bytesOf({ reports: [{ ...report, kind: "shown" }] }), /^\/reports\/0\/kind /],
  ["that is too large", Buffer.alloc(MAX_REPORTS_BYTES + 1, " "), /^more than 4194304 bytes: 4194305$/],
] as const)
  test(`a reports message ${what} is ignored`, (t) => {
    const read = readReports(payload, STORE);
    t.deepEqual([read.reports, read.foreign], [[], []]);
    t.regex(read.fault ?? "", fault);
  });

for (const [text, state] of [
  ['{"state": "online", "boot": "a"}', { isOnline: true, boot: "a" }],
  ['{"state": "offline"}', { isOnline: false }],
  ['{"state": "online", "boot": 7}', { isOnline: true }],
  ["", { isOnline: true }],
  ["offline", { isOnline: true }],
  ["null", { isOnline: true }],
] as const)
  test(`a state says whether a gateway is online: ${text || "nothing"}`, (t) => {
    t.deepEqual<object, object>(readState(Buffer.from(text)), state);
  });

for (const [code, ofPicture, ofOrder] of [
  [0x00, "accepted", "accepted"],
  [0x10, "accepted", "busy"],
  [0x80, "busy", "busy"],
  [0x87, "denied", "denied"],
  [0x90, "refused", "refused"],
  [0x97, "busy", "busy"],
  [0x99, "refused", "refused"],
] as const)
  test(`the reason code ${code} means ${ofPicture} for a picture, ${ofOrder} for an order`, (t) => {
    t.is(acknowledgementOf(code, true), ofPicture);
    t.is(acknowledgementOf(code, false), ofOrder);
  });
