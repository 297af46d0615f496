import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import { barcodeFor } from "../../operate/import/label-rows.ts";
import type { Shop } from "./shop.ts";

const ITEM = "90704273";
/** The demo creates an item's label with this barcode. */
const LABEL = barcodeFor(`demo ${ITEM}`, "1328");
const REGULAR = { price: "1.59", properties: { priceKind: "regular", unitPrice: "3.18" } };
const OFFER = { price: "1.19", properties: { priceKind: "special", lowestPrice30: "1.59", unitPrice: "2.38" } };
const POLL_INTERVAL_MS = 500;
const file = fileURLToPath(new URL("../../../docs/pictures/price-change.png", import.meta.url));

/** Photographs one label before and after its item goes on offer: the pixels that the glass shows, enlarged. */
export async function photographPriceChange(browser: Browser, shop: Shop): Promise<void> {
  const first = await pictureOf(shop);
  await shop.call("PATCH", `/items/${ITEM}`, REGULAR);
  const before = await untilOther(shop, first);
  await shop.call("PATCH", `/items/${ITEM}`, OFFER);
  const after = await untilOther(shop, before);
  const page = await browser.newPage({ viewport: { width: 1120, height: 260 } });
  await page.setContent(`<style>
    body { margin: 0; display: flex; gap: 32px; align-items: center; justify-content: center; height: 260px; background: #fff }
    img { width: 444px; height: 192px; image-rendering: pixelated; padding: 14px; border-radius: 12px; background: #d8dbde }
    b { font: 48px sans-serif; color: #667 }</style>
    <img src="${before}"><b>→</b><img src="${after}">`);
  await page.screenshot({ path: file });
  await page.close();
}

/** Returns the picture that the label has acknowledged, as an address for a page. */
async function pictureOf({ call }: Shop): Promise<string> {
  const bytes = await (await call("GET", `/labels/${LABEL}/image`)).arrayBuffer();
  return `data:image/png;base64,${Buffer.from(bytes).toString("base64")}`;
}

/** Returns the next picture, once the label shows it. */
async function untilOther(shop: Shop, former: string): Promise<string> {
  for (;;) {
    await setTimeout(POLL_INTERVAL_MS);
    await shop.untilRight();
    const picture = await pictureOf(shop);
    if (picture !== former) return picture;
  }
}
