import { Jimp } from "jimp";
import type { ProcessName } from "../../../queues/topology.ts";
import { barcodeFor } from "../../operate/import/label-rows.ts";

/** Makes one call to the release, by default with a token for everything. Throws with the response if the call is rejected. */
export type Call = (method: string, path: string, body?: object, headers?: Record<string, string>) => Promise<unknown>;

export const LABEL_SERVER_SECRET = "a secret for label servers";

const labelOf = (itemId: string, type = "1328"): string => barcodeFor(itemId, type);
const itemIds = ["bread", "milk", "apple", "salt", "tea", "soap", "rice", "plum"];
const [bread, milk, apple, salt] = itemIds.map((itemId) => labelOf(itemId)) as [string, string, string, string];
const STORE = "/t/demo/s/main/api/public/core/v1";
const MANAGEMENT = "/t/demo/api/management/v1";

/**
 * Makes calls that leave a record of each kind, while all workers run. `applied` waits until these have processed the calls.
 */
export async function fillStore(call: Call, applied: () => Promise<void>): Promise<void> {
  await call("POST", `${MANAGEMENT}/subscriptions`, {
    url: "http://127.0.0.1:9/hook",
    topics: ["storeitemvalues.v1", "link.v2"],
    secret: `whsec_${Buffer.alloc(32, 7).toString("base64")}`,
  });
  await call("PATCH", `${STORE}/items`, [
    ...itemIds.map((itemId, index) => ({
      itemId,
      itemName: `Item ${itemId}`,
      price: `${index + 1}.49`,
      sics: [`385000000000${index}`, `code-${itemId}`],
      properties: { priceKind: "regular", unit: "kg", unitPrice: `${index + 2}.10` },
    })),
    { itemId: "bread", price: "9.99", validFrom: "2099-01-01 06:00:00" },
  ]);
  await call("PATCH", `${STORE}/labels`, [
    ...itemIds.slice(0, 5).map((itemId) => ({ barcode: labelOf(itemId), links: [{ itemId }] })),
    { barcode: labelOf("soap", "1210"), links: [{ itemId: "soap" }] },
  ]);
  await applied();
  await call("POST", `${STORE}/links`, { barcode: labelOf("rice"), itemId: "rice", designId: "special-296x128" });
  const ecclink = { eccModelId: "offer", parameters: { banner: "TODAY" } };
  await call("POST", `${STORE}/links`, { barcode: labelOf("plum"), itemId: "plum", ecclink });
  const ofStores = { operation: "LINK", designId: "special-296x128", storeIds: ["main"], itemIds: ["milk"] };
  await call("POST", `${STORE}/links/bulk`, ofStores);
  await call("PUT", `${STORE}/labels/${milk}/positions/manual`, { position: { x: 1.5, y: 2, floor: 0 } });
  await upload(call, "apple", 0xff0000ff);
  await call("DELETE", `${STORE}/items/sic/code-salt`);
}

/** Calls that leave jobs in the queues of a process that has ended, while the processes before it on a price's path still run. */
export const callsOnceEnded: Partial<Record<ProcessName, (call: Call) => Promise<void>>> = {
  async notifier(call) {
    await call("PATCH", `${STORE}/items`, [{ itemId: "milk", itemName: "Fresh milk" }]);
  },
  async transmitter(call) {
    await call("PATCH", `${STORE}/items`, [{ itemId: "bread", price: "1.01" }]);
    await call("POST", `${STORE}/labels/${bread}/flash`, { duration: 30, color: "#ff0000" });
    await call("POST", `${STORE}/labels/${bread}/display-page`, { page: "info", duration: 20 });
    await call("POST", `${STORE}/labels/${apple}/refresh`);
    const heard = {
      store: "t/demo/s/main",
      barcode: apple,
      kind: "check-in",
      battery: "LOW",
      at: "2026-01-01T00:00:00Z",
    };
    const secret = { authorization: `Bearer ${LABEL_SERVER_SECRET}` };
    await call("POST", "/label-server/v1/reports", { reports: [heard] }, secret);
  },
  async merger(call) {
    await call("PATCH", `${STORE}/items`, [{ itemId: "apple", price: "1.02" }]);
    await call("PATCH", `${STORE}/items`, [{ itemId: "plum", price: "1.03" }]);
  },
  async renderer(call) {
    const once = { "idempotency-key": "e1cd9ae8-6a52-4b53-9f7e-6c1f5a3a5f0e" };
    await call("PATCH", `${STORE}/items`, [{ itemId: "salt", price: "1.04" }], once);
  },
  async evaluator(call) {
    await call("PATCH", `${STORE}/items`, [{ itemId: "tea", properties: { priceKind: "special" } }]);
  },
  async link(call) {
    await call("PATCH", `${STORE}/items`, [{ itemId: "corn", itemName: "Corn", price: "3.00" }]);
    await call("PATCH", `${STORE}/labels`, [{ barcode: labelOf("corn"), links: [{ itemId: "corn" }] }]);
    await call("DELETE", `${STORE}/labels/${labelOf("rice")}/links`);
    const unlinked = { operation: "UNLINK", storeIds: ["main"], itemIds: ["milk"] };
    await call("POST", `${STORE}/links/bulk`, { ...unlinked, designId: "special-296x128" });
    await call("PATCH", `${STORE}/links/${salt}-0`, { facings: "3" });
  },
  async pages(call) {
    await upload(call, "tea", 0x000000ff, 1);
  },
  async item(call) {
    await call("PATCH", `${STORE}/items`, [{ itemId: "milk", price: "1.05", sics: ["code-new"] }]);
    await call("DELETE", `${STORE}/items/sic/code-bread`);
    await call("DELETE", `${STORE}/items/bread/properties/unit`);
    await call("DELETE", `${STORE}/items/apple/page/0`);
    await call("DELETE", `${STORE}/items`, { itemIds: ["soap"] });
  },
};

/** The paths that are read when all work is done. */
export const paths: readonly string[] = [
  ...["stores", "models", "label-types", "designs", "canvas-designs", "communication-packs", "subscriptions"].map(
    (noun) => `${MANAGEMENT}/${noun}`,
  ),
  `${MANAGEMENT}/designs/regular-296x128`,
  `${MANAGEMENT}/canvas-designs/regular-296x128`,
  `${MANAGEMENT}/communication-packs/shelf-prices`,
  `${STORE}/items`,
  `${STORE}/items/bread/scheduled`,
  `${STORE}/labels`,
  `${STORE}/labels/${labelOf("soap", "1210")}`,
  ...[...itemIds.filter((itemId) => itemId !== "soap"), "corn"].flatMap((itemId) => [
    `${STORE}/items/${itemId}`,
    `${STORE}/items/${itemId}/links`,
    `${STORE}/labels/${labelOf(itemId)}`,
  ]),
];

/** Returns the address of the result of a request that was accepted at a path. */
export function resultPath(accepted: string, requestId: number): string {
  const kind = accepted.endsWith("/links/bulk") ? "links" : /\/(labels|links)/.test(accepted) ? "labels" : "items";
  return `${STORE}/${kind}-result/${requestId}`;
}

/** Uploads a page image in one colour. `resize` as in the interface. */
async function upload(call: Call, itemId: string, color: number, resize = 0): Promise<void> {
  const size = resize === 0 ? { width: 296, height: 128 } : { width: 600, height: 600 };
  const form = new FormData();
  const image = await new Jimp({ ...size, color }).getBuffer("image/png");
  form.append("imageFile", new Blob([new Uint8Array(image)]), "image.png");
  await call("POST", `${STORE}/items/${itemId}/page/0?resize=${resize}`, form);
}
