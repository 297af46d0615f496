import test, { type ExecutionContext } from "ava";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { signPlatformToken } from "../../../api/access/sign-token.ts";
import { tenants } from "../../../records/kinds/tenants.ts";
import { tenantKey } from "../../../schemas/keys.ts";
import { PLATFORM } from "../../../schemas/token.ts";
import { obtainChromium } from "../../../scripts/develop/browser/obtain-chromium.ts";
import { ownSystem } from "../../harness/own.ts";
import { callersOf, JWT_SECRET, sessionOf } from "../../harness/served.ts";
import { asOperator, BASE_PATH, FOREIGN, webProcessOn } from "./web-process.ts";

// These tests run only the web process, under a proxy's path and with only errors logged, and share one browser.
const seen = { foreign: [] as string[], violations: [] as string[] };
let origin: string;
let board: string;
let browser: Browser | undefined;

// The first hook, so that the process and the browser close before the file's databases.
test.serial.after.always(async () => {
  await browser?.close();
  await web.close();
});

const own = ownSystem();
const web = webProcessOn(own);
const { isHealed, failedJob, jobOf, stateIs, actionsOn } = web;
test.serial.before(async (t) => {
  origin = await web.open();
  board = `${origin}${BASE_PATH}/dashboard`;
  const executablePath = obtainChromium();
  if (executablePath === undefined)
    return t.log("there is no chromium on PATH, and apt-get offers none: nothing is checked");
  browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
});

/**
 * Runs a test with its own browser context. Without a browser the test fails in CI, and passes elsewhere without checking
 * anything.
 */
function browserTest(title: string, show: (t: ExecutionContext, context: BrowserContext) => Promise<void>): void {
  test.serial(title, async (t) => {
    if (browser === undefined) return process.env.CI === "true" ? t.fail("there is no chromium") : t.pass();
    const context = await browser.newContext();
    await context.exposeBinding("noteViolation", (_, what: string) => void seen.violations.push(what));
    await context.addInitScript({
      content: `document.addEventListener("securitypolicyviolation", (event) =>
        noteViolation([event.documentURI, event.violatedDirective, event.blockedURI].join(" ")));`,
    });
    context.on("request", (request) => {
      if (![origin, FOREIGN, "data:"].some((start) => request.url().startsWith(start)))
        seen.foreign.push(request.url());
    });
    context.setDefaultTimeout(120_000);
    await show(t, context);
    await context.close();
  });
}

/** Opens the dashboard's page and logs in on the login page that is shown instead. */
async function logIn(context: BrowserContext, form: Record<string, string>, path = ""): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${board}${path}`);
  for (const [name, value] of Object.entries(form)) await page.fill(`[name=${name}]`, value);
  await page.getByRole("button", { name: "Log in" }).click();
  return page;
}

const withToken = async (scope: string) => ({ token: await (await callersOf(origin)).token({ scope }) });

/** The buttons for the actions on a job. */
const JOB_BUTTONS = "ul[class*=jobActions] button";

browserTest(
  "an operator sees a failed job described by its requests and stores, and retries it",
  async (t, context) => {
    const id = await failedJob(12);
    const page = await logIn(context, asOperator, "/queue/item?status=failed");
    await page.getByText("patch-items · demo/main · request 12 · 1000 rows").waitFor();
    await page.getByText("the shelf is on fire").first().waitFor();
    await page
      .getByRole("tab", { name: "Data" })
      .or(page.getByText("Data", { exact: true }))
      .first()
      .click();
    await page.getByText("tenant").first().waitFor();
    isHealed.add(id);
    await page.locator(JOB_BUTTONS).first().click();
    await page.getByRole("button", { name: "Confirm" }).click();
    await stateIs(id, "completed");
    t.deepEqual(actionsOn(id), [
      { caller: "sub operator", tenant: "demo", action: "retry the job", queue: "item", status: 204 },
    ]);
  },
);

browserTest(
  "without ops:write the dashboard is read-only: no button acts, and the server refuses each action",
  async (t, context) => {
    const id = await failedJob(13);
    const page = await logIn(context, await withToken("ops"), "/queue/item?status=failed");
    await page.getByText("request 13").waitFor();
    t.is(await page.locator(JOB_BUTTONS).count(), 0);
    const put = (path: string) =>
      page.evaluate(async (url) => (await fetch(url, { method: "PUT" })).status, `${board}/api/queues${path}`);
    t.is(await put(`/item/${encodeURIComponent(id)}/retry`), 403);
    t.is(await put(`/item/${encodeURIComponent(id)}/clean`), 403);
    t.is(await put("/item/pause"), 403);
    t.is(await (await jobOf(id))?.getState(), "failed");
    t.false(await own.system.publisher.queue("item").isPaused());
    t.deepEqual(
      actionsOn(id).map(({ action, status }) => [action, status]),
      [
        ["retry the job", 403],
        ["clean the job", 403],
      ],
    );
  },
);

browserTest("the page shows buttons for exactly the actions that the server allows", async (t, context) => {
  await failedJob(15);
  const page = await logIn(context, asOperator, "/queue/item?status=failed");
  await page.getByText("request 15").waitFor();
  const ofJob = page.locator("ul[class*=jobActions]").first();
  t.is(await ofJob.locator("button:visible").count(), 2, "retry and clean");
  t.true((await ofJob.locator("button").count()) > 2, "the other buttons are hidden");
  await page.locator("button:has(svg.lucide-ellipsis-vertical)").first().click();
  await page.getByRole("menuitem", { name: "Pause" }).waitFor();
  const ofQueue = await page.locator("[role=menuitem]:visible").allInnerTexts();
  t.deepEqual(
    ofQueue.map((text) => text.trim().split(" ")[0]),
    ["Retry", "Pause"],
  );
  await page.keyboard.press("Escape");
  await page.locator("button:has(svg.lucide-info)").first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Global concurrency").waitFor();
  t.deepEqual(await dialog.getByRole("button", { name: /^Set / }).allInnerTexts(), [], "neither limit can be set");
  t.true((await dialog.locator("button[class*=editButton]").count()) > 0, "the limits' buttons are hidden");
});

browserTest("a forged request from another site changes nothing", async (t, context) => {
  const id = await failedJob(14);
  const page = await logIn(context, asOperator);
  await page.getByText("evaluator").first().waitFor();
  const retry = `${board}/api/queues/item/${encodeURIComponent(id)}/retry`;
  await context.route(`${FOREIGN}/**`, (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<form method="post" action="${origin}${BASE_PATH}/logout"><button>A prize</button></form>`,
    }),
  );
  const foreign = await context.newPage();
  await foreign.goto(`${FOREIGN}/`);
  const answers = await foreign.evaluate(
    async (url) =>
      Promise.all(
        [{ method: "PUT" }, { method: "POST", mode: "no-cors" as const }].map((call) =>
          fetch(url, { ...call, credentials: "include" }).then(
            ({ type }) => type,
            () => "refused",
          ),
        ),
      ),
    retry,
  );
  t.true(
    answers.every((answer) => answer === "refused" || answer === "opaque"),
    String(answers),
  );
  await foreign.click("button");
  await foreign.waitForLoadState();
  // As if the browser had sent the cookie anyway.
  const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
  const forged = {
    "another site": { "sec-fetch-site": "cross-site" },
    "a neighbour": { "sec-fetch-site": "same-site" },
    "another origin": { origin: FOREIGN },
    "no origin": {},
  };
  for (const [what, headers] of Object.entries(forged)) {
    t.is((await fetch(retry, { method: "PUT", headers: { cookie, ...headers } })).status, 403, what);
    t.is((await fetch(`${origin}/logout`, { method: "POST", headers: { cookie, ...headers } })).status, 403, what);
  }
  t.is(await (await jobOf(id))?.getState(), "failed");
  t.deepEqual(actionsOn(id), []);
  t.is((await fetch(`${board}/api/queues`, { headers: { cookie } })).status, 200, "the session continues");
  t.is(
    (await fetch(retry, { method: "PUT", headers: { cookie, origin } })).status,
    204,
    "the dashboard's own page may retry",
  );
});

browserTest("a logout ends the session, even for a client that kept the cookie", async (t, context) => {
  const page = await logIn(context, asOperator);
  await page.getByText("evaluator").first().waitFor();
  const [cookie] = await context.cookies();
  t.like(cookie, { httpOnly: true, sameSite: "Strict", path: "/" });
  await page.goto(`${origin}${BASE_PATH}/logout`);
  await page.getByText("operator").waitFor();
  await page.getByRole("button", { name: "Log out" }).click();
  await page.getByLabel("Password").waitFor();
  t.deepEqual(await context.cookies(), []);
  const kept = { cookie: `${cookie?.name}=${cookie?.value}` };
  t.is((await fetch(`${board}/api/queues`, { headers: kept })).status, 401);
});

browserTest("the login page explains a failed login and opens no session", async (t, context) => {
  const page = await logIn(context, { name: "operator", password: "wrong" });
  t.is(await page.getByRole("alert").textContent(), "Wrong name or password.");
  t.deepEqual(await context.cookies(), []);
  const other = await logIn(context, await withToken("items:read"));
  t.regex((await other.getByRole("alert").textContent()) ?? "", /scope ops/);
});

test.serial("no page sent a request to another host or attempted anything that its policy forbids", (t) => {
  t.deepEqual(seen, { foreign: [], violations: [] });
});

test.serial("a session cookie is limited to HTTPS only if the login page was served over HTTPS", async (t) => {
  const { token } = await withToken("ops");
  const cookieOf = async (from: string) => {
    const answer = await fetch(`${origin}/login`, {
      method: "POST",
      redirect: "manual",
      headers: { origin: from, host: new URL(from).host, "sec-fetch-site": "same-origin" },
      body: new URLSearchParams({ token, next: "//elsewhere.example/" }),
    });
    t.is(answer.headers.get("location"), `${BASE_PATH}/`, "a login does not redirect to another site");
    return answer.headers.get("set-cookie") ?? "";
  };
  t.regex(
    await cookieOf("https://labels.example"),
    /^__Host-shelfwire-session=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict; Secure$/,
  );
  t.notRegex(await cookieOf(origin), /Secure/);
});

test.serial("with two tenants only the operator can see the queues", async (t) => {
  const tenant = await sessionOf(origin, (await withToken("ops ops:write")).token);
  const signer = { secret: JWT_SECRET, issuer: "shelfwire", audience: "shelfwire" };
  const operator = await sessionOf(origin, await signPlatformToken({ ...signer, lifetime: "1h", scope: PLATFORM }));
  const status = async (cookie: string) => (await fetch(`${board}/api/queues`, { headers: { cookie } })).status;
  t.is(await status(tenant), 200);
  await own.system.commit.change(tenants, [tenantKey("other")], () => ({ name: "Other" }), "bulk");
  t.is(await status(tenant), 403);
  t.is(await status(operator), 200);
});
