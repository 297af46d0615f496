import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { readSettings } from "../../runtime/read-settings.ts";
import { seedProducts } from "../demo/seed.ts";
import { withDemoStack } from "../demo/with-stack.ts";
import { obtainChromium } from "./browser/obtain-chromium.ts";
import { readCommandLine } from "./command-line.ts";
import { photographPages } from "./pictures/photograph-pages.ts";
import { photographPriceChange } from "./pictures/photograph-price-change.ts";
import { openShop } from "./pictures/shop.ts";

/**
 * `npm run pictures` photographs a label before and after a price change, and the staff's pages in each language, on a
 * separate Shelfwire with the demo's products, into docs/pictures.
 */
readCommandLine("npm run pictures --", {
  arguments: [],
  means: "photograph the labels and pages that README and the staff guide show, into docs/pictures",
  options: {},
});
const { MONGODB_URL } = readSettings([], ["MONGODB_URL"]);
const executablePath = obtainChromium();
if (executablePath === undefined)
  throw new Error("There is no Chromium: install one, or run this where apt-get works.");
const dataFolder = await mkdtemp(join(tmpdir(), "shelfwire-pictures-"));
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
try {
  const options = {
    dataFolder,
    database: `pictures-${randomUUID()}`,
    isKept: false,
    isSingle: true,
    workerProcesses: 1,
    mongoUrl: MONGODB_URL,
    environment: { LOG_LEVEL: "error" },
    log: (text: string) => process.stdout.write(`${text}\n`),
  };
  await withDemoStack(options, async (demo) => {
    await seedProducts(demo.client);
    const shop = openShop(demo);
    await shop.untilRight();
    await photographPriceChange(browser, shop);
    await photographPages(browser, shop);
  });
} finally {
  await browser.close();
  await rm(dataFolder, { recursive: true, force: true });
}
