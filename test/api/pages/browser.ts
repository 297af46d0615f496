import { mkdir } from "node:fs/promises";
import test, { type ExecutionContext } from "ava";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { obtainChromium } from "../../../scripts/develop/browser/obtain-chromium.ts";
import { STUCK_AFTER_MS } from "../../harness/eventually.ts";
import { sessionOf as openSession, type Served } from "../../harness/served.ts";
import { accessFaults } from "./access-faults.ts";

const PICTURES = ".test/pages";

/** Forbidden actions of the pages in a file's tests. */
export const seen = { foreign: [] as string[], violations: [] as string[], errors: [] as string[] };

interface Session {
  context: BrowserContext;
  page: Page;
  /** Opens another context that is logged in with a token, or not logged in if the token is false. */
  enter(options?: BrowserContextOptions, token?: string | false): Promise<Page>;
}

/**
 * Returns a function that declares tests with a logged-in browser, each test in its own context. If no browser is available these
 * tests fail in CI.
 */
export function browserTests(shelfwire: Served, makeArgs: () => Promise<string[]> = async () => []) {
  let browser: Browser | undefined;
  test.serial.before(async (t) => {
    // Files of the same thread share this module, but each reports only what its own pages did.
    for (const list of Object.values(seen)) list.length = 0;
    const executablePath = obtainChromium();
    if (executablePath === undefined) return t.log("there is no chromium on PATH, and apt-get offers none");
    browser = await chromium.launch({ executablePath, args: ["--no-sandbox", ...(await makeArgs())] });
    await mkdir(PICTURES, { recursive: true });
  });
  test.serial.after.always(() => browser?.close());

  async function enter(
    contexts: BrowserContext[],
    options: BrowserContextOptions = {},
    token?: string | false,
  ): Promise<Page> {
    if (browser === undefined) throw new Error("there is no chromium");
    const context = await browser.newContext({ locale: "en-GB", ...options });
    contexts.push(context);
    context.setDefaultTimeout(STUCK_AFTER_MS);
    await context.exposeBinding("noteViolation", (_, what: string) => void seen.violations.push(what));
    await context.addInitScript({
      content: `document.addEventListener("securitypolicyviolation", (event) =>
        noteViolation([event.documentURI, event.violatedDirective, event.blockedURI].join(" ")));`,
    });
    context.on("request", (request) => {
      if (![shelfwire.origin, "data:", "file:"].some((start) => request.url().startsWith(start)))
        seen.foreign.push(request.url());
    });
    if (token !== false) await context.addCookies([{ ...(await sessionOf(token)), url: shelfwire.origin }]);
    const page = await context.newPage();
    page.on("pageerror", ({ message }) => seen.errors.push(message));
    return page;
  }

  /** Sessions by token, shared by all contexts, because opening a login's pages costs more than most tests. */
  const sessions = new Map<string | undefined, Promise<{ name: string; value: string }>>();
  function sessionOf(token: string | undefined): Promise<{ name: string; value: string }> {
    const session = sessions.get(token) ?? logIn(shelfwire, token);
    sessions.set(token, session);
    return session;
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

/** Declares a test with a browser. */
export type BrowserTest = ReturnType<typeof browserTests>;

/** Saves a screenshot of a page for people to look at. */
export const keepPicture = (page: Page, name: string, isWhole = true) =>
  page.screenshot({ path: `${PICTURES}/${name}.png`, fullPage: isWhole });

/** Logs in; returns the session's cookie as a browser keeps it. */
async function logIn({ origin, token: all }: Served, token?: string): Promise<{ name: string; value: string }> {
  const [name = "", value = ""] = (await openSession(origin, token ?? (await all()))).split("=");
  return { name, value };
}

/** The windows of a desktop, of a phone, and of a desktop at 200 %. */
const viewports = {
  desk: { width: 1440, height: 900 },
  phone: { width: 390, height: 844 },
  zoomed: { width: 720, height: 450 },
};

interface Look {
  /** Whether the screenshot shows the whole page, instead of only its visible part. */
  isWhole?: boolean;
  sizes?: readonly (keyof typeof viewports)[];
}

/**
 * Checks a page in each window, light and dark, without loading it again: it must not be wider than its window, and axe must find
 * nothing. Saves screenshots for desktop and phone as `{name}-{size}-{scheme}`. A dark page differs from a light one only in its
 * colours.
 */
export async function assertReadable(
  t: ExecutionContext,
  page: Page,
  name: string,
  { isWhole = true, sizes = ["desk", "phone", "zoomed"] }: Look = {},
): Promise<void> {
  for (const size of sizes) {
    await page.setViewportSize(viewports[size]);
    const isKept = size !== "zoomed";
    for (const colorScheme of isKept ? (["light", "dark"] as const) : (["light"] as const)) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      if (isKept) await keepPicture(page, `${name}-${size}-${colorScheme}`, isWhole);
      if (isKept) t.deepEqual(await accessFaults(page, colorScheme), [], `${name} ${size} ${colorScheme}`);
    }
    const [needed, given] = await page.evaluate<number[]>("[document.documentElement.scrollWidth, innerWidth]");
    t.true((needed ?? 0) <= (given ?? 0), `${name} ${size} is ${needed} wide`);
  }
}
