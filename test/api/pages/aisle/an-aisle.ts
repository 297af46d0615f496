import type { Page } from "playwright-core";
import { labelFor } from "../../../harness/glass.ts";
import type { Served } from "../../../harness/served.ts";
import { readLabel, writeItems, writeLabels } from "../../calls.ts";
import { operate } from "../../management/calls.ts";
import { writeFilm } from "./fake-camera.ts";

/** A browser trusts plain HTTP only from its own machine, and it treats this host as another machine. */
export const PLAIN_HOST = "shop.example";
/** The pen's code. */
export const CODE = "4006381333931";
export const [hung, first, filmed, cut, broken, fresh, freed, double] = [
  "hung",
  "first",
  "filmed",
  "cut",
  "broken",
  "fresh",
  "freed",
  "double",
].map((name) => labelFor(`aisle ${name}`)) as [string, string, string, string, string, string, string, string];

/** Returns the arguments of a browser whose camera films a label and then a product. */
export async function filmedBy(film: string): Promise<string[]> {
  await writeFilm(film, [
    ["code128", filmed],
    ["ean13", CODE],
  ]);
  return [
    "--use-fake-ui-for-media-stream",
    "--use-fake-device-for-media-stream",
    `--use-file-for-fake-video-capture=${film}`,
    `--host-resolver-rules=MAP ${PLAIN_HOST} 127.0.0.1`,
  ];
}

/** Writes a pen and a ruler, and labels that show one of them or nothing. */
export async function fillAisle(shelfwire: Served): Promise<void> {
  const two = { labelTypes: [1328], linkPositions: 2 };
  await operate(shelfwire, "PUT", "/t/demo/api/management/v1/models/Two", two);
  await writeItems(shelfwire, [
    { itemId: "pen", itemName: "Pen", price: "1.49", sics: [CODE] },
    { itemId: "ruler", itemName: "Ruler", price: "2.99" },
  ]);
  await writeLabels(shelfwire, [
    { barcode: hung, links: [{ itemId: "ruler" }] },
    { barcode: broken, plLocation: "A 4", links: [{ itemId: "pen", linkedItemId: CODE }] },
    { barcode: freed, links: [{ itemId: "ruler" }] },
    { barcode: double, modelName: "Two", links: [{ itemId: "ruler" }] },
  ]);
}

/** Seconds between two keys of a hand scanner. */
const KEY_GAP_SECONDS = 0.005;

/**
 * Scans as a hand scanner does: types a code wherever the focus is, and Enter. Each key has its own timestamp, since a
 * busy machine passes keys on with longer gaps than a scanner has.
 */
export async function scan(page: Page, code: string): Promise<void> {
  const browser = await page.context().newCDPSession(page);
  const keys = [...[...code].map((key) => ({ key, text: key })), { key: "Enter", code: "Enter", text: "\r" }];
  let timestamp = Date.now() / 1_000;
  for (const { text, ...key } of keys) {
    await browser.send("Input.dispatchKeyEvent", { type: "keyDown", timestamp, text, ...key });
    await browser.send("Input.dispatchKeyEvent", { type: "keyUp", timestamp, ...key });
    timestamp += KEY_GAP_SECONDS;
  }
  await browser.detach();
}
/** Waits until the page requests this scan. */
export const asks = (page: Page, what: string) => page.locator("#asked", { hasText: what }).waitFor();
/** Chooses the action for the next scans. */
export const choose = (page: Page, mode: string) => page.locator(".modes").getByRole("button", { name: mode }).click();
/** Waits until the label shows its newest picture. */
export const isOnGlass = (page: Page) =>
  page.locator("#card-state", { hasText: "It shows the newest picture." }).waitFor();
/** Waits until a change is sent. */
export const isSent = (page: Page) => page.locator("#entries [data-entry=done]").first().waitFor();

/** The page waits 2.5 s for a code to be looked up, and 15 s for a call. On a busy machine both may take longer. */
export const PATIENT = `{
  const own = window.setTimeout;
  window.setTimeout = (run, milliseconds, ...values) => own(run, milliseconds === 2500 ? 100000 : milliseconds, ...values);
  AbortSignal.timeout = () => new AbortController().signal;
}`;

/** Returns functions that open the page and read a label's items. */
export const aisleOf = (shelfwire: Served) => ({
  open: async (page: Page) => {
    await page.addInitScript({ content: PATIENT });
    await page.goto(`${shelfwire.origin}/aisle`);
  },
  itemsOf: async (barcode: string) => (await readLabel(shelfwire, barcode)).links.map(({ itemId }) => itemId),
});

/** Cuts the network when the first link is made, so that its response is lost. */
export async function cutFirstLink(page: Page) {
  /** Whether each response was replayed, by its call's idempotency key, in order of arrival. */
  const answers = new Map<string, boolean>();
  let isCut = false;
  await page.route("**/labels/link-single*", async (route) => {
    if (isCut) return route.abort();
    const answer = await route.fetch();
    const key = route.request().headers()["idempotency-key"] ?? "";
    answers.set(key, answer.headers()["idempotency-replayed"] === "true");
    if (answers.size > 1 || answers.get(key)) return route.fulfill({ response: answer });
    isCut = true;
    await page.context().setOffline(true);
    return route.abort();
  });
  const restore = async () => {
    isCut = false;
    await page.context().setOffline(false);
  };
  return { answers, restore };
}

/** Returns the paths that the page caches for use without a network. */
export const cachedPaths = (page: Page) =>
  page.evaluate<string[]>(
    `caches.open("shelfwire-aisle").then((cache) => cache.keys()).then((all) => all.map(({ url }) => new URL(url).pathname))`,
  );
