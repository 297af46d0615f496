import test from "ava";
import { linkIdOf } from "../../../schemas/keys.ts";
import type { LinkRecord } from "../../../schemas/link-record.ts";
import { eventually } from "../../harness/eventually.ts";
import { itemOutcomes, labelFor } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";
import { openShelfwire } from "../../harness/shelfwire.ts";
import {
  addModel,
  bodyOf,
  deleteItem,
  numberOf,
  readItem,
  readLabel,
  refused,
  writeItems,
  writeLabels,
  writeLinks,
} from "../calls.ts";

const shelfwire = ownStack({ workers: ["item", "link"] });
test.before(async () => {
  await addModel(shelfwire, { name: "Three", labelTypes: [1328], linkPositions: 3 });
  await writeItems(shelfwire, [{ itemId: "apple" }, { itemId: "pear" }, { itemId: "plum" }]);
});

const unlink = (path: string) => writeLinks(shelfwire, "DELETE", path);
const linksOf = async (barcode: string) =>
  (await readLabel(shelfwire, barcode)).links.map(({ displayPosition, itemId }) => [displayPosition, itemId]);
const statusOf = async (barcode: string, position = 0) =>
  (await bodyOf<LinkRecord>(await shelfwire.call("GET", `/links/${linkIdOf(barcode, position)}`))).status;

/** Creates a label with apple, pear and plum at its positions. */
async function fruit(name: string): Promise<string> {
  const barcode = labelFor(name);
  const links = ["apple", "pear", "plum"].map((itemId, displayPosition) => ({ itemId, displayPosition }));
  await writeLabels(shelfwire, [{ barcode, modelName: "Three", links }]);
  return barcode;
}

test.serial("unlinking a position removes only that link", async (t) => {
  const barcode = await fruit("one position");
  t.deepEqual(await unlink(`/labels/${barcode}/links/1`), [
    { barcode, itemId: "pear", displayPosition: 1, status: "SUCCESS", errors: [] },
  ]);
  t.deepEqual(await linksOf(barcode), [
    [0, "apple"],
    [2, "plum"],
  ]);
  t.is(await statusOf(barcode, 1), "DELETED");
});

test.serial("unlinking a label removes all its links, with one row per link, by position", async (t) => {
  const barcode = await fruit("whole label");
  t.deepEqual(
    await unlink(`/labels/${barcode}/links`),
    ["apple", "pear", "plum"].map((itemId, displayPosition) => {
      return { barcode, itemId, displayPosition, status: "SUCCESS", errors: [] };
    }),
  );
  t.deepEqual(await linksOf(barcode), []);
});

test.serial("unlinking an item removes it from all labels, with one row per link, by label and position", async (t) => {
  const [one, other] = [labelFor("a label"), labelFor("another label")].sort() as [string, string];
  await writeItems(shelfwire, [{ itemId: "on two labels" }]);
  const at = (displayPosition: number) => ({ itemId: "on two labels", displayPosition });
  await writeLabels(shelfwire, [
    { barcode: other, modelName: "Three", links: [at(2), { itemId: "apple", displayPosition: 1 }] },
    { barcode: one, modelName: "Three", links: [at(1), at(0)] },
  ]);
  t.deepEqual(
    (await unlink("/items/on%20two%20labels/links")).map(({ barcode, displayPosition, itemId, status }) => [
      barcode,
      displayPosition,
      itemId,
      status,
    ]),
    [
      [one, 0, "on two labels", "SUCCESS"],
      [one, 1, "on two labels", "SUCCESS"],
      [other, 2, "on two labels", "SUCCESS"],
    ],
  );
  t.deepEqual([await linksOf(one), await linksOf(other)], [[], [[1, "apple"]]]);
  t.deepEqual((await readItem(shelfwire, "on two labels")).links, []);
});

test.serial("removing an absent link returns SUCCESS, in one row", async (t) => {
  const barcode = labelFor("bare");
  await writeLabels(shelfwire, [{ barcode }]);
  const success = { status: "SUCCESS", errors: [] };
  t.deepEqual(await unlink(`/labels/${barcode}/links`), [{ barcode, ...success }]);
  t.deepEqual(await unlink(`/labels/${barcode}/links/0`), [{ barcode, displayPosition: 0, ...success }]);
  t.deepEqual(await unlink(`/labels/${barcode}/links/255`), [{ barcode, displayPosition: 255, ...success }]);
  t.deepEqual(await unlink(`/links/${linkIdOf(barcode, 0)}`), [{ barcode, displayPosition: 0, ...success }]);
  await writeItems(shelfwire, [{ itemId: "on no label" }]);
  t.deepEqual(await unlink("/items/on%20no%20label/links"), [{ itemId: "on no label", ...success }]);
});

test.serial("unlinking twice returns SUCCESS twice", async (t) => {
  const barcode = await fruit("twice");
  t.is((await unlink(`/labels/${barcode}/links`)).length, 3);
  t.deepEqual(await unlink(`/labels/${barcode}/links`), [{ barcode, status: "SUCCESS", errors: [] }]);
});

test.serial("an unknown label returns UNKNOWN in its row, never a 404", async (t) => {
  const barcode = labelFor("never made");
  for (const path of [`/labels/${barcode}/links`, `/labels/${barcode}/links/0`, `/links/${linkIdOf(barcode, 0)}`]) {
    const [row, ...others] = await unlink(path);
    t.like(row, { barcode, status: "UNKNOWN" });
    t.regex(row?.errors.join() ?? "", new RegExp(barcode));
    t.deepEqual(others, []);
  }
});

test.serial("unknown and deleted items return ITEM_NOT_FOUND", async (t) => {
  const barcode = labelFor("of a deleted item");
  await writeItems(shelfwire, [{ itemId: "deleted", links: [{ barcode }] }]);
  await deleteItem(shelfwire, "deleted");
  for (const itemId of ["nothing", "deleted"]) {
    const [row, ...others] = await unlink(`/items/${itemId}/links`);
    t.like(row, { itemId, status: "ITEM_NOT_FOUND" });
    t.deepEqual(others, []);
  }
});

test.serial("an ID that no link can have returns UNKNOWN, and so does a label's barcode", async (t) => {
  const barcode = await fruit("barcode as a link");
  for (const linkId of [barcode, "x", `${barcode}-00`, `${barcode}-256`]) {
    const [row] = await unlink(`/links/${linkId}`);
    t.is(row?.status, "UNKNOWN");
    t.true(row?.errors.join().includes(`"${linkId}"`));
  }
  t.is((await linksOf(barcode)).length, 3);
});

test("a displayPosition that is not an integer from 0 to 255 returns 400", async (t) => {
  for (const position of ["256", "-1", "1.5", "x", "01", "1e1", "999999999999", "%20"])
    await refused(t, await shelfwire.call("DELETE", `/labels/${labelFor("any")}/links/${position}`), 400);
});

test.serial("a label's firstLinked never changes, and unlinking does not count as linking", async (t) => {
  const barcode = await fruit("first linked");
  const before = await readLabel(shelfwire, barcode);
  t.truthy(before.firstLinked);
  await unlink(`/labels/${barcode}/links`);
  const after = await readLabel(shelfwire, barcode);
  t.deepEqual([after.firstLinked, after.lastLinked], [before.firstLinked, before.lastLinked]);
  await writeLabels(shelfwire, [{ barcode, links: [{ itemId: "apple" }] }]);
  t.is((await readLabel(shelfwire, barcode)).firstLinked, before.firstLinked);
});

test.serial("a later request can link an unlinked position again", async (t) => {
  const barcode = await fruit("linked again");
  await unlink(`/labels/${barcode}/links`);
  await writeLabels(shelfwire, [{ barcode, links: [{ itemId: "plum", displayPosition: 0 }] }]);
  t.deepEqual(await linksOf(barcode), [[0, "plum"]]);
  t.is((await readItem(shelfwire, "plum")).links.filter((link) => link.barcode === barcode).length, 1);
});

/**
 * Deletes an item and creates it again; waits until the item's link on the label `witness` has become INACTIVE and ACTIVE again.
 */
async function deleteAndRestore(itemId: string, witness: string, between: () => Promise<unknown> = async () => {}) {
  await deleteItem(shelfwire, itemId);
  await eventually("the link is INACTIVE without its item", async () => (await statusOf(witness)) === "INACTIVE");
  await between();
  await writeItems(shelfwire, [{ itemId }]);
  await eventually("the link is ACTIVE again", async () => (await statusOf(witness)) === "ACTIVE");
}

test.serial("an unlinked position stays free when its item is deleted and created again", async (t) => {
  const [barcode, witness] = [labelFor("stays free"), labelFor("witness")];
  await writeItems(shelfwire, [{ itemId: "comes back", links: [{ barcode }, { barcode: witness }] }]);
  await unlink(`/labels/${barcode}/links`);
  await deleteAndRestore("comes back", witness);
  t.is(await statusOf(barcode), "DELETED");
});

test.serial("a link without its item is unlinked with its label and does not return with the item", async (t) => {
  const [barcode, witness] = [labelFor("without item"), labelFor("another witness")];
  await writeItems(shelfwire, [{ itemId: "gone", links: [{ barcode }, { barcode: witness }] }]);
  await deleteAndRestore("gone", witness, async () => {
    await eventually("the link is INACTIVE", async () => (await statusOf(barcode)) === "INACTIVE");
    t.like(await unlink(`/labels/${barcode}/links`), [
      { barcode, itemId: "gone", displayPosition: 0, status: "SUCCESS" },
    ]);
  });
  t.is(await statusOf(barcode), "DELETED");
});

test.serial("requests sent without waiting take effect in the order of their numbers", async (t) => {
  const barcode = labelFor("in order");
  let last = 0;
  for (let round = 0; round < 10; round += 1) {
    await shelfwire.client.patchItems([{ itemId: `fresh ${round}` }]);
    await shelfwire.client.patchLabels([{ barcode, links: [{ itemId: `fresh ${round}` }] }]);
    last = await numberOf(
      await shelfwire.call("DELETE", round % 2 ? `/labels/${barcode}/links` : `/items/fresh%20${round}/links`),
    );
  }
  const rows = await bodyOf<{ results: unknown[] }>(
    await eventually("the request is complete", async () => {
      const answer = await shelfwire.call("GET", `/links-result/${last}`);
      return ((await answer.clone().json()) as { status: string }).status === "COMPLETED" && answer;
    }),
  );
  t.like(rows.results[0], { barcode, itemId: "fresh 9", displayPosition: 0, status: "SUCCESS" });
  t.deepEqual(await linksOf(barcode), []);
});

test.serial("labels-result and links-result return the rows of an item's unlink; items-result does not", async (t) => {
  const requestId = await numberOf(await shelfwire.call("DELETE", "/items/apple/links"));
  await eventually(
    "the request is complete",
    async () => (await shelfwire.client.labelsResult(requestId)).status === "COMPLETED",
  );
  t.is((await shelfwire.call("GET", `/links-result/${requestId}`)).status, 200);
  await refused(t, await shelfwire.call("GET", `/items-result/${requestId}`), 404);
});

test.serial("a waiting row is PENDING and repeats the names in the call", async (t) => {
  const waiting = await openShelfwire({ workers: [] });
  const rowOf = async (path: string) => {
    const requestId = await numberOf(await waiting.call("DELETE", path));
    return (await waiting.client.labelsResult(requestId)).outcomes;
  };
  const pending = { status: "PENDING", errors: [] };
  t.deepEqual(await rowOf("/labels/A/links"), [{ barcode: "A", ...pending }]);
  t.deepEqual(await rowOf("/labels/A/links/3"), [{ barcode: "A", displayPosition: 3, ...pending }]);
  t.deepEqual(await rowOf("/links/A-3"), [{ barcode: "A", displayPosition: 3, ...pending }]);
  t.deepEqual(await rowOf("/items/milk/links"), [{ itemId: "milk", ...pending }]);
  await waiting.close();
});

test.serial("unlinking requires labels:write", async (t) => {
  const authorization = `Bearer ${await shelfwire.token({ scope: "labels:read items:write links:read" })}`;
  for (const path of ["/labels/A/links", "/labels/A/links/0", "/items/apple/links"])
    await refused(t, await shelfwire.call("DELETE", path, undefined, { authorization }), 403);
});

test.serial("a new price of an unlinked item is stored, and the item no longer lists its former label", async (t) => {
  const barcode = await fruit("former");
  await unlink(`/labels/${barcode}/links`);
  await itemOutcomes(shelfwire, await shelfwire.client.patchItems([{ itemId: "apple", price: "9.99" }]));
  t.false((await readItem(shelfwire, "apple")).links.some((link) => link.barcode === barcode));
});
