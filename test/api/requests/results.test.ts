import test from "ava";
import { LabelsResult, RequestStatus } from "../../../schemas/request.ts";
import { rowErrors, rowNotice } from "../../../schemas/row-notice.ts";
import { itemOutcomes, labelFor, labelOutcomes } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";
import { bodyOf, numberOf, openStore, refused, writeItems } from "../calls.ts";

const shelfwire = ownStack({ workers: ["item", "link"] });

const itemsResult = (requestId: number | string) => shelfwire.call("GET", `/items-result/${requestId}`);
const labelsResult = (requestId: number | string) => shelfwire.call("GET", `/labels-result/${requestId}`);
const badSic = { itemId: "pear", sics: ["4001"] };

/** Sends item rows and waits until they are applied; returns the request's id. */
async function sendItems(rows: Parameters<typeof writeItems>[1]): Promise<number> {
  const requestId = await shelfwire.client.patchItems(rows);
  await itemOutcomes(shelfwire, requestId);
  return requestId;
}

async function sendLabels(): Promise<number> {
  await sendItems([{ itemId: "apple" }]);
  const requestId = await shelfwire.client.patchLabels([
    { barcode: labelFor("apple"), links: [{ itemId: "apple" }] },
    { barcode: labelFor("nothing"), links: [{ itemId: "nothing" }] },
  ]);
  await labelOutcomes(shelfwire, requestId);
  return requestId;
}

test.serial("a receipt returns 202 with an increasing positive 32-bit integer", async (t) => {
  const answer = await shelfwire.call("PATCH", "/items", [{ itemId: "apple" }]);
  t.is(answer.status, 202);
  const { requestId, ...others } = (await answer.json()) as { requestId: number };
  t.deepEqual(others, {});
  t.true(Number.isInteger(requestId) && requestId > 0 && requestId < 2 ** 31);
  t.true((await shelfwire.client.patchLabels([{ barcode: labelFor("apple") }])) > requestId);
  t.true((await numberOf(await shelfwire.call("DELETE", "/items/nothing"))) > requestId + 1);
});

test.serial("a COMPLETED items result has a status and errors per row, and may contain failed rows", async (t) => {
  const requestId = await sendItems([{ itemId: "apple", sics: ["4001"] }, badSic, { itemId: "apple" }]);
  t.deepEqual(await bodyOf(await itemsResult(requestId)), {
    status: "COMPLETED",
    overallStatus: "PARTIAL_SUCCESS",
    itemErrorCount: 1,
    itemResults: [
      { itemId: "apple", status: "SUCCESS", errors: [] },
      { itemId: "pear", status: "PARTIAL", ...rowErrors(rowNotice("SIC_TAKEN", { code: "4001", item: "apple" })) },
      { itemId: "apple", status: "SUCCESS", errors: [] },
    ],
  });
});

test.serial("a COMPLETED labels result has a status and errors per link", async (t) => {
  const link = { displayPosition: 0 };
  t.deepEqual(await bodyOf(await labelsResult(await sendLabels())), {
    status: "COMPLETED",
    overallStatus: "PARTIAL_SUCCESS",
    labelErrorCount: 1,
    results: [
      { barcode: labelFor("apple"), itemId: "apple", ...link, status: "SUCCESS", errors: [] },
      {
        barcode: labelFor("nothing"),
        itemId: "nothing",
        ...link,
        status: "ITEM_NOT_FOUND",
        errors: ['"nothing" is neither an item id nor a SIC'],
        notices: [{ code: "ITEM_CODE_UNKNOWN", values: { code: "nothing" } }],
      },
    ],
  });
});

test.serial("rows of a large request keep the order of the input", async (t) => {
  const ids = Array.from({ length: 2500 }, (_, index) => `row ${(index * 1009) % 2500}`);
  const requestId = await sendItems(ids.map((itemId) => ({ itemId })));
  const { itemResults } = await bodyOf<{ itemResults: { itemId: string; status: string }[] }>(
    await itemsResult(requestId),
  );
  t.deepEqual(
    itemResults.map(({ itemId }) => itemId),
    ids,
  );
  t.true(itemResults.every(({ status }) => status === "SUCCESS_NEW_ITEM"));
});

test.serial("a result can be requested again and stays the same", async (t) => {
  const requestId = await sendLabels();
  const first = await bodyOf(await labelsResult(requestId));
  for (let again = 0; again < 5; again += 1) t.deepEqual(await bodyOf(await labelsResult(requestId)), first);
});

test.serial("a request for items has no labels result, and a request for labels no items result", async (t) => {
  await refused(t, await itemsResult(await sendLabels()), 404);
  await refused(t, await labelsResult(await sendItems([{ itemId: "apple" }])), 404);
  const deletion = await numberOf(await shelfwire.call("DELETE", "/items/nothing"));
  await itemOutcomes(shelfwire, deletion);
  await refused(t, await labelsResult(deletion), 404);
});

test("an unknown request returns 404", async (t) => {
  await refused(t, await itemsResult(2 ** 31 - 1), 404);
  await refused(t, await labelsResult(2 ** 31 - 1), 404);
});

test("an invalid ID returns 400", async (t) => {
  for (const id of ["abc", "-1", "1.5", "0", "1e3"]) await refused(t, await itemsResult(id), 400);
});

test.serial("a request of another store returns 404", async (t) => {
  const branch = await openStore(shelfwire, "branch");
  const [items, labels] = [await sendItems([{ itemId: "apple" }]), await sendLabels()];
  await refused(t, await branch.call("GET", `/items-result/${items}`), 404);
  await refused(t, await branch.call("GET", `/labels-result/${labels}`), 404);
});

test.serial("stores number their requests separately: the same ID is another request", async (t) => {
  const kiosk = await openStore(shelfwire, "kiosk");
  const requestId = await kiosk.client.patchItems([{ itemId: "only in the kiosk" }]);
  const outcomes = await itemOutcomes(kiosk, requestId);
  t.deepEqual(outcomes, [{ itemId: "only in the kiosk", status: "SUCCESS_NEW_ITEM", errors: [] }]);
  t.notRegex(await (await itemsResult(requestId)).text(), /kiosk"/);
});

test.serial("after a flush of Redis, results are read from the journal", async (t) => {
  const [items, labels] = [await sendItems([{ itemId: "apple", sics: ["4001"] }, badSic]), await sendLabels()];
  const before = [await bodyOf(await itemsResult(items)), await bodyOf(await labelsResult(labels))];
  await shelfwire.system.redis.flushall();
  t.deepEqual([await bodyOf(await itemsResult(items)), await bodyOf(await labelsResult(labels))], before);
  await refused(t, await labelsResult(items), 404);
});

test.serial("requests still work after a flush of Redis", async (t) => {
  await shelfwire.system.redis.flushall();
  const [outcome] = await writeItems(shelfwire, [{ itemId: "after the flush" }]);
  t.is(outcome?.status, "SUCCESS_NEW_ITEM");
});

test("a result shows only the documented states of a request", (t) => {
  t.deepEqual(RequestStatus.enum, ["PENDING", "IN_PROGRESS", "COMPLETED"]);
  t.deepEqual(Object.keys(LabelsResult.properties), ["status", "overallStatus", "labelErrorCount", "results"]);
});
