import test, { type ExecutionContext } from "ava";
import { type Browser, chromium, type Page } from "playwright-core";
import { obtainChromium } from "../../../scripts/develop/browser/obtain-chromium.ts";
import { ownSystem } from "../../harness/own.ts";
import { accessFaults } from "../pages/access-faults.ts";
import { asOperator, BASE_PATH, webProcessOn } from "./web-process.ts";

/** The pages that other packages draw: bull-board's and Swagger UI's. */
let browser: Browser | undefined;
let origin: string;
test.serial.after.always(async () => {
  await browser?.close();
  await web.close();
});
const own = ownSystem();
const web = webProcessOn(own);
test.serial.before(async (t) => {
  origin = `${await web.open()}${BASE_PATH}`;
  const executablePath = obtainChromium();
  if (executablePath === undefined) return t.log("there is no chromium on PATH, and apt-get offers none");
  browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
});

function browserTest(title: string, show: (t: ExecutionContext, page: Page) => Promise<void>): void {
  test.serial(title, async (t) => {
    if (browser === undefined) return process.env.CI === "true" ? t.fail("there is no chromium") : t.pass();
    const context = await browser.newContext({ reducedMotion: "reduce" });
    context.setDefaultTimeout(120_000);
    await show(t, await context.newPage());
    await context.close();
  });
}

async function assertAccessible(t: ExecutionContext, page: Page, name: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    t.deepEqual(await accessFaults(page, colorScheme), [], `${name}, ${colorScheme}`);
  }
}

browserTest(
  "the dashboard is accessible, light or dark: queues, a job, a menu, and the details of a queue",
  async (t, page) => {
    await web.failedJob(12);
    await page.goto(`${origin}/dashboard`);
    for (const [name, value] of Object.entries(asOperator)) await page.fill(`[name=${name}]`, value);
    await page.getByRole("button", { name: "Log in" }).click();
    await page
      .getByRole("button", { name: /no process is consuming this queue/i })
      .first()
      .waitFor();
    await assertAccessible(t, page, "queues");
    await page.goto(`${origin}/dashboard/queue/item?status=failed`);
    await page.getByRole("button", { name: "Retry", exact: true }).waitFor();
    await assertAccessible(t, page, "job");
    await page.getByRole("button", { name: "Actions of the queue" }).click();
    await page.getByRole("menuitem", { name: "Pause" }).waitFor();
    await assertAccessible(t, page, "menu");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "About the queue" }).click();
    await page.getByRole("dialog").getByText("Global concurrency").waitFor();
    await assertAccessible(t, page, "queue");
  },
);

browserTest(
  "the API's documentation is accessible: operations, an operation being tried, and the dialog for the token",
  async (t, page) => {
    await page.goto(`${origin}/api/docs`);
    const operation = page.locator(".opblock-patch").first();
    await operation.waitFor();
    await assertAccessible(t, page, "operations");
    await operation.locator(".opblock-summary-control").click({ noWaitAfter: true });
    await operation.getByRole("button", { name: "Try it out" }).click();
    await operation.getByRole("button", { name: "Execute" }).waitFor();
    await assertAccessible(t, page, "an operation");
    await page.getByRole("button", { name: "Authorize" }).first().click();
    await page.locator(".modal-ux").waitFor();
    await assertAccessible(t, page, "the dialog");
  },
);
