import { setTimeout } from "node:timers/promises";
import createClient from "openapi-fetch";
import type { components, paths } from "./shelfwire.d.ts";

type Problem = components["schemas"]["Problem"];

/** A store's address, and a token for it. */
const { STORE = "", TOKEN = "" } = process.env;
const store = createClient<paths>({ baseUrl: STORE, headers: { authorization: `Bearer ${TOKEN}` } });

/** A rejected call, with every fault and its place. */
function fail({ status, title, detail, errors = [] }: Problem): never {
  const faults = errors.map((fault) => `${fault.pointer} ${fault.detail}`);
  throw new Error([`${status} ${title}: ${detail}`, ...faults].join("\n  "));
}

/** Sends items and waits until they are stored; returns the items that were not. */
async function patchItems(items: components["schemas"]["ItemPatch"][]) {
  const { data: receipt, error } = await store.PATCH("/items", { body: items });
  if (error) fail(error);
  if (!("requestId" in receipt)) throw new TypeError("a dry run stores nothing, and has no result");
  const { requestId } = receipt;
  for (;;) {
    const { data: result, error } = await store.GET("/items-result/{requestId}", { params: { path: { requestId } } });
    if (error) fail(error);
    if (result.status === "COMPLETED") return result.itemResults.filter(({ errors }) => errors.length > 0);
    await setTimeout(200);
  }
}

/** Links a label now and waits for its picture. */
async function link(barcode: string, itemId: string) {
  const query = { timeout: 60_000 };
  const { data, error, response } = await store.POST("/labels/link-single", {
    params: { query },
    body: { barcode, itemId },
  });
  if (response.status === 409) return "the label's type is unknown here";
  if (error) fail(error);
  return data.status;
}

const [barcode = "D4GUIDELABEL13284"] = process.argv.slice(2);
const bad = await patchItems([{ itemId: "4711", itemName: "Apple juice 1 l", price: "1.99" }]);
for (const { itemId, errors } of bad) console.log(`${itemId}: ${errors.join("; ")}`);
console.log(`${barcode}: ${await link(barcode, "4711")}`);

const { data: labels, error } = await store.GET("/labels", { params: { query: { limit: 20 } } });
if (error) fail(error);
for (const { barcode, plState, links } of labels)
  console.log(`${barcode} is ${plState} and shows ${links.map(({ itemId }) => itemId).join(", ")}`);

// A price must be a string. The compiler cannot check parsed JSON, so the response reports the fault.
await patchItems(JSON.parse('[{"itemId": "4711", "price": true}]')).catch((error: Error) => console.log(error.message));
