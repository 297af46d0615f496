import test from "ava";
import { ageText, describeData, describeJob } from "../../../api/dashboard/describe-job.ts";
import type { Change } from "../../../schemas/topics.ts";

const MADE = Date.UTC(2026, 0, 1);
const at = (seconds: number) => new Date(MADE + seconds * 1000);
const described = (name: string, data: object, seconds = 12) =>
  describeJob({ name, data, timestamp: MADE }, at(seconds));

const chunk = {
  key: "t/demo/s/main/requests/7/2",
  store: "t/demo/s/main",
  number: 7,
  index: 2,
  ordered: true,
  size: 1,
};
const changeOf = (key: string): Change => ({ key, rev: 1, operation: "UPDATED", changed: ["price"], urgency: "bulk" });

test("a chunk's job names its store, request, part and rows", (t) => {
  t.is(described("patch-items", chunk), "patch-items · demo/main · request 7, part 3 · 1 row · 12 s ago");
  t.deepEqual(describeData(chunk), {
    tenant: "demo",
    store: "main",
    request: 7,
    part: 3,
    rows: 1,
    key: chunk.key,
    ordered: true,
  });
});

test("a change job states the number of records and their stores, and shows the first records", (t) => {
  const one = ["a", "b/c"].map((id) => changeOf(`t/demo/s/main/items/${id}`));
  t.is(described("storeitemvalues.v1", { changes: one }, 90), "storeitemvalues.v1 · demo/main · 2 records · 1 min ago");
  const two = [...one, changeOf("t/demo/s/branch/items/a")];
  t.is(described("link.v2", { changes: two }), "link.v2 · demo, 2 stores · 3 records · 12 s ago");
  t.like(describeData({ changes: one }), {
    tenant: "demo",
    stores: ["main"],
    records: 2,
    changes: [{ record: "a" }, { record: "b/c", operation: "UPDATED", changed: ["price"] }],
  });
  const many = describeData({
    changes: Array.from({ length: 1000 }, (_, id) => changeOf(`t/demo/s/main/items/${id}`)),
  });
  t.like(many, { records: 1000, notShown: 980 });
});

test("the text of a change job names its request, or counts its requests; the data names each record's request", (t) => {
  const asked = (store: string, request?: number): Change => ({
    ...changeOf(`t/demo/s/${store}/items/a`),
    cause: { ...(request !== undefined && { request }), call: "call-1" },
  });
  const cases: [text: string, changes: Change[]][] = [
    ["link.v2 · demo/main · request 12 · 2 records · 12 s ago", [asked("main", 12), asked("main", 12)]],
    ["link.v2 · demo/main · 2 requests · 2 records · 12 s ago", [asked("main", 12), asked("main", 13)]],
    ["link.v2 · demo, 2 stores · 2 requests · 2 records · 12 s ago", [asked("main", 12), asked("branch", 12)]],
    ["link.v2 · demo/main · 1 record · 12 s ago", [asked("main")]],
  ];
  for (const [text, changes] of cases) t.is(described("link.v2", { changes }), text);
  t.like(describeData({ changes: [asked("main", 12)] }), { changes: [{ request: 12, xRequestId: "call-1" }] });
});

test("a tenant's change, an order for a label and a wake-up are described by their contents", (t) => {
  t.is(described("design.v1", { changes: [changeOf("t/demo/designs/x")] }), "design.v1 · demo · 1 record · 12 s ago");
  t.is(
    described("flash", { store: "t/demo/s/main", barcode: "L1", number: 5 }),
    "flash · demo/main · label L1 · 12 s ago",
  );
  t.is(described("take-reports", {}), "take-reports · 12 s ago");
  t.deepEqual(describeData({}), {});
});

test("an age uses its largest unit and is never negative", (t) => {
  const ages = [-5, 0, 59.9, 60, 3_599, 7_200, 200_000].map((seconds) => ageText(seconds * 1000));
  t.deepEqual(ages, ["0 s", "0 s", "59 s", "1 min", "59 min", "2 h", "2 d"]);
});
