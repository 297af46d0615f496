import test from "ava";
import { topicsUnder } from "../../../../../workers/transmitter/drivers/mqtt/topics.ts";

const topics = topicsUnder("shelfwire");
const STORE = "t/demo/s/main";

test("each store has its own topic tree", (t) => {
  t.is(topics.page(STORE, "D42", 3), "shelfwire/demo/main/labels/D42/pages/3");
  t.is(topics.segments(STORE, "D42"), "shelfwire/demo/main/labels/D42/segments");
  t.is(topics.order(STORE, "D42", "display-page"), "shelfwire/demo/main/labels/D42/orders/display-page");
  t.is(topicsUnder("shops/esl").page(STORE, "D42", 0), "shops/esl/demo/main/labels/D42/pages/0");
});

const barcodes = [
  ["D42FLOFYMKP013280", "D42FLOFYMKP013280"],
  ["a/b", "a%2Fb"],
  ["+", "%2B"],
  ["#", "%23"],
  ["../reports", "..%2Freports"],
  ["$share/x/#", "%24share%2Fx%2F%23"],
  ["a b", "a%20b"],
  ["100%", "100%25"],
  ["%2F", "%252F"],
  ["\u0000\u001f", "%00%1F"],
  ["č", "%C4%8D"],
] as const;
for (const [barcode, level] of barcodes) {
  test(`a barcode is one topic level, whatever it contains: ${JSON.stringify(barcode)}`, (t) => {
    const topic = topics.page(STORE, barcode, 0);
    t.is(topic, `shelfwire/demo/main/labels/${level}/pages/0`);
    t.is(decodeURIComponent(topic.split("/")[4] ?? ""), barcode);
  });
}

for (const prefix of ["shelfwire", "shops/esl"])
  test(`the levels after the prefix "${prefix}" name the store in a topic of reports or states`, (t) => {
    const { storeOf } = topicsUnder(prefix);
    t.is(storeOf(`${prefix}/demo/main/reports`), STORE);
    t.is(storeOf(`${prefix}/de-mo_1/x/state`), "t/de-mo_1/s/x");
  });

test("the driver subscribes to every store's reports and states, and to no topic for labels", (t) => {
  t.is(topics.everyReports, "shelfwire/+/+/reports");
  t.is(topics.everyState, "shelfwire/+/+/state");
});
