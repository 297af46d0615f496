import { type Browser, type CDPSession, chromium, type Page } from "playwright-core";
import { encodePng } from "../../../../drawing/pixels/png.ts";
import { openImageFiles } from "../../../../records/files/image-files.ts";
import { storeKey, tenantKey } from "../../../../schemas/keys.ts";
import { STORE_ID, TENANT_ID } from "../../../demo/catalogue.ts";
import { hangLabels } from "../../../demo/hang-labels.ts";
import { manyLabels } from "../../../demo/many-labels.ts";
import type { DemoStack } from "../../../demo/with-stack.ts";
import { obtainChromium } from "../../browser/obtain-chromium.ts";
import { openBenchSystem } from "../open-system.ts";
import { usageOf } from "../report.ts";

const LABELS = 30_000;
const MAX_FIRST_PICTURE_MS = 1_000;
const MAX_TASK_MS = 50;
/** Maximum growth of the API's memory over all readings after the first. */
const MAX_GROWTH_MB = 50;
const VISITS = 2;
/** How often all labels are read without a browser, while the memory of `web` is measured. */
const READINGS = 6;
const LABELS_PER_CALL = 1_000;
const WHEELS = 150;
const WHEEL_PX = 600;

/**
 * Opens the shelf of 30,000 labels in a browser and scrolls. Measures the first picture, the longest task, and the memory of
 * `web`.
 */
export async function benchShelf(demo: DemoStack, database: string): Promise<void> {
  const { stack, token, base } = demo;
  const system = openBenchSystem(demo, database);
  const hung = manyLabels(LABELS, new Date(), ["OK"]);
  await hangLabels(system.records, storeKey(TENANT_ID, STORE_ID), hung);
  const image = hung[0]?.state?.wanted?.[0]?.image ?? "";
  await openImageFiles(system.db, () => new Date()).put(tenantKey(TENANT_ID), [{ sha256: image, ...picture() }]);
  await system.close();
  const executablePath = obtainChromium();
  if (executablePath === undefined) throw new Error("there is no chromium");
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  const resident = () => usageOf(stack).find(({ name }) => name === "web")?.resident ?? 0;
  try {
    for (let visit = 1; visit <= VISITS; visit += 1) {
      const { firstPictureMs, complete, scrolled } = await visitShelf(browser, stack.origin, token);
      print(firstPictureMs <= MAX_FIRST_PICTURE_MS, `${firstPictureMs.toFixed(0)} ms`, `visit ${visit}: first picture`);
      print(scrolled <= MAX_TASK_MS, `${scrolled.toFixed(0)} ms`, `visit ${visit}: longest task of ${WHEELS} scrolls`);
      print(
        true,
        `${complete.ms.toFixed(0)} ms`,
        `visit ${visit}: all read, longest task ${complete.task.toFixed(0)} ms`,
      );
    }
    const memory: number[] = [];
    for (let reading = 0; reading < READINGS; reading += 1) {
      for (let start = 0; start < LABELS; start += LABELS_PER_CALL)
        await readLabels(`${base}/labels?start=${start}&limit=${LABELS_PER_CALL}`, token);
      memory.push(resident());
    }
    const growth = (memory.at(-1) ?? 0) - (memory[0] ?? 0);
    print(
      growth <= MAX_GROWTH_MB,
      memory.map((one) => one.toFixed(0)).join(", "),
      "MB of web after each of further readings",
    );
  } finally {
    await browser.close();
  }
}

async function readLabels(address: string, token: string): Promise<void> {
  const answer = await fetch(address, { headers: { authorization: `Bearer ${token}` } });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  await answer.arrayBuffer();
}

/** Measures the cost of a visit for the page's own thread. */
async function visitShelf(browser: Browser, origin: string, token: string) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.goto(`${origin}/login`);
  await page.fill("[name=token]", token);
  await page.keyboard.press("Enter");
  await page.waitForURL(`${origin}/`);
  await page.addInitScript({
    content: `document.addEventListener("load", ({ target }) => {
      if (target instanceof HTMLImageElement && target.naturalWidth > 0) globalThis.firstPicture ??= performance.now();
    }, { capture: true });`,
  });
  const session = await context.newCDPSession(page);
  const reading = await traced(session, async () => {
    await page.goto(`${origin}/shelf`);
    await page.getByText("30,000 labels").waitFor({ timeout: 120_000 });
    await page.waitForLoadState("networkidle");
  });
  const [firstPictureMs = 0, ms = 0] = await page.evaluate<number[]>("[firstPicture, performance.now()]");
  const scrolling = await traced(session, () => scroll(page));
  await context.close();
  return { firstPictureMs, complete: { ms, task: reading }, scrolled: scrolling };
}

async function scroll(page: Page): Promise<void> {
  await page.mouse.move(700, 500);
  for (let wheel = 0; wheel < WHEELS; wheel += 1)
    await page.mouse.wheel(0, wheel % 50 === 49 ? 400 * WHEEL_PX : WHEEL_PX);
  await page.waitForLoadState("networkidle");
}

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** Microseconds of the thread's own processor time, so that other work of the machine does not count. */
  tdur?: number;
  args?: { name?: string };
}

/**
 * Returns the longest task of the page's main thread during the work, in milliseconds of its processor time, from the browser's
 * own trace.
 */
async function traced(session: CDPSession, work: () => Promise<void>): Promise<number> {
  const events: TraceEvent[] = [];
  session.on("Tracing.dataCollected", ({ value }) => void events.push(...(value as unknown as TraceEvent[])));
  const complete = new Promise((done) => session.once("Tracing.tracingComplete", done));
  await session.send("Tracing.start", { transferMode: "ReportEvents", categories: "toplevel,__metadata" });
  await work();
  await session.send("Tracing.end");
  await complete;
  const threads = new Set(
    events
      .filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain")
      .map(({ pid, tid }) => `${pid}/${tid}`),
  );
  const tasks = events.filter(({ pid, tid }) => threads.has(`${pid}/${tid}`)).map(({ tdur = 0 }) => tdur / 1_000);
  return Math.max(0, ...tasks);
}

const print = (isKept: boolean, figure: string, what: string): void =>
  void process.stdout.write(`${isKept ? "ok  " : "MISS"} ${figure}  shelf of ${LABELS} labels, ${what}\n`);

/** Returns a striped picture of a label's size. */
function picture() {
  const [width, height] = [296, 128];
  const pixels = Uint8Array.from({ length: width * height }, (_, index) => (index % 7 < 3 ? 1 : 0));
  return { width, height, png: encodePng({ width, height, palette: ["white", "black"], pixels }) };
}
