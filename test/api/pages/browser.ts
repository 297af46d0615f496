import { mkdir } from "node:fs/promises";
import test, { type ExecutionContext } from "ava";
import axe, { type AxeResults } from "axe-core";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { obtainChromium } from "../../../scripts/develop/browser/obtain-chromium.ts";
import type { Served } from "../../harness/served.ts";

const PICTURES = ".test/pages";

/** What the pages of a file's tests did that they must not. */
export const seen = { foreign: [] as string[], violations: [] as string[], errors: [] as string[] };

interface Session {
  context: BrowserContext;
  page: Page;
  /** Opens another context that is logged in. */
  enter(options?: BrowserContextOptions, token?: string): Promise<Page>;
}

/** Tests with a browser that is logged in, each in a context of its own. Where no browser can be had they fail in CI. */
export function browserTests(shelfwire: Served, makeArgs: () => Promise<string[]> = async () => []) {
  let browser: Browser | undefined;
  test.serial.before(async (t) => {
    const executablePath = obtainChromium();
    if (executablePath === undefined) return t.log("there is no chromium on PATH, and no apt-get that has one");
    browser = await chromium.launch({ executablePath, args: ["--no-sandbox", ...(await makeArgs())] });
    await mkdir(PICTURES, { recursive: true });
  });
  test.serial.after.always(() => browser?.close());

  async function enter(contexts: BrowserContext[], options: BrowserContextOptions = {}, token?: string): Promise<Page> {
    if (browser === undefined) throw new Error("there is no chromium");
    const context = await browser.newContext({ locale: "en-GB", ...options });
    contexts.push(context);
    context.setDefaultTimeout(15_000);
    await context.exposeBinding("noteViolation", (_, what: string) => void seen.violations.push(what));
    await context.addInitScript({
      content: `document.addEventListener("securitypolicyviolation", (event) =>
        noteViolation([event.documentURI, event.violatedDirective, event.blockedURI].join(" ")));`,
    });
    context.on("request", (request) => {
      if (![shelfwire.origin, "data:"].some((start) => request.url().startsWith(start)))
        seen.foreign.push(request.url());
    });
    const page = await context.newPage();
    page.on("pageerror", ({ message }) => seen.errors.push(message));
    await page.goto(`${shelfwire.origin}/login`);
    await page.fill("[name=token]", token ?? (await shelfwire.token()));
    await page.keyboard.press("Enter");
    await page.waitForURL(`${shelfwire.origin}/`);
    return page;
  }

  return (title: string, show: (t: ExecutionContext, session: Session) => Promise<void>): void =>
    test.serial(title, async (t) => {
      if (browser === undefined) return process.env.CI === "true" ? t.fail("there is no chromium") : t.pass();
      const contexts: BrowserContext[] = [];
      try {
        const page = await enter(contexts);
        await show(t, { page, context: page.context(), enter: (options, token) => enter(contexts, options, token) });
      } finally {
        for (const context of contexts) await context.close();
      }
    });
}

/** Keeps a picture of a page for those who look at it. */
export const keepPicture = (page: Page, name: string, isWhole = true) =>
  page.screenshot({ path: `${PICTURES}/${name}.png`, fullPage: isWhole });

/** A desk's and a phone's window, and a desk's at 200 %. */
export const viewports = Object.entries({
  desk: { width: 1440, height: 900 },
  phone: { width: 390, height: 844 },
  zoomed: { width: 720, height: 450 },
});

/** Keeps a picture of a page as `{name}-{size}-{scheme}`; it may be no wider than its window, and axe must find nothing. */
export async function assertReadable(
  t: ExecutionContext,
  page: Page,
  { name, size, colorScheme, isWhole = true }: { name: string; size: string; colorScheme: string; isWhole?: boolean },
): Promise<void> {
  await keepPicture(page, `${name}-${size}-${colorScheme}`, isWhole);
  const [needed, given] = await page.evaluate<number[]>("[document.documentElement.scrollWidth, innerWidth]");
  t.true((needed ?? 0) <= (given ?? 0), `${name} ${size} is ${needed} wide`);
  if (size !== "zoomed") t.deepEqual(await accessFaults(page), [], `${name} ${size} ${colorScheme}`);
}

/** What axe finds on a page that is serious or critical. */
async function accessFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResults>("axe.run()");
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`));
}
