import { fileURLToPath } from "node:url";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { barcodeFor } from "../../operate/import/label-rows.ts";
import type { Shop } from "./shop.ts";

const folder = new URL("../../../docs/pictures/", import.meta.url);
const PHONE = { width: 390, height: 700 };
const DESK = { width: 1120, height: 560 };
const locales = { en: "en-GB", de: "de-DE", hr: "hr-HR" };
const ITEM = "90704273";
/** Pages load pictures one after another, and keep a stream open, so no event signals that all have arrived. */
const SETTLED_MS = 3_000;
const CODE = "3850334020802";

/** Photographs the shelf and, on a phone, the overview, a label and the aisle page, in each language. */
export async function photographPages(browser: Browser, shop: Shop): Promise<void> {
  for (const [language, locale] of Object.entries(locales)) {
    const context = await enter(browser, shop, { locale, viewport: PHONE });
    const page = await context.newPage();
    await page.goto(`${shop.origin}/`);
    await page.locator(".checked").first().waitFor();
    await keep(page, `shop-overview-${language}`);
    await page.goto(`${shop.origin}/labels/${barcodeFor(`demo ${ITEM}`, "1328")}`);
    await page.locator("main button.primary").first().scrollIntoViewIfNeeded();
    await keep(page, `shop-label-${language}`);
    await page.goto(`${shop.origin}/aisle`);
    for (const code of [barcodeFor(`pictures ${language}`, "1328"), CODE]) {
      await page.keyboard.type(code);
      await page.keyboard.press("Enter");
    }
    await page.locator("#entries [data-entry=done]").waitFor();
    await shop.untilRight();
    await keep(page, `shop-aisle-${language}`);
    await context.close();
  }
  const context = await enter(browser, shop, { locale: locales.en, viewport: DESK });
  const page = await context.newPage();
  await page.goto(`${shop.origin}/shelf`);
  await keep(page, "shelf");
  await context.close();
}

/** Opens a context whose session has all permissions in the demo's tenant. */
async function enter(
  browser: Browser,
  { origin, token }: Shop,
  look: { locale: string; viewport: { width: number; height: number } },
): Promise<BrowserContext> {
  const context = await browser.newContext({ ...look, reducedMotion: "reduce", colorScheme: "light" });
  const page = await context.newPage();
  await page.goto(`${origin}/login`);
  await page.fill("[name=token]", token);
  await page.keyboard.press("Enter");
  await page.waitForURL(`${origin}/`);
  await page.close();
  return context;
}

/** Saves the visible part of the page once everything has arrived. */
async function keep(page: Page, name: string): Promise<void> {
  await page.waitForTimeout(SETTLED_MS);
  await page.screenshot({ path: fileURLToPath(new URL(`${name}.png`, folder)) });
}
