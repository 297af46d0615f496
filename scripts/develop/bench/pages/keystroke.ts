import { type CDPSession, chromium, type Page } from "playwright-core";
import type { DemoStack } from "../../../demo/with-stack.ts";
import { obtainChromium } from "../../browser/obtain-chromium.ts";
import { median } from "../report.ts";

const CANVAS = "regular-296x128";
/** Keystrokes that move an element, one after another. The first ones do not count. */
const [WARM, MEASURED] = [8, 32];
const MAX_MS = 100;
/** Longer than the pause before the pictures of other sizes and of the matrix are drawn. Nobody types this slowly. */
const PAUSE_MS = 1_500;
/** Shorter than that pause, like typing, so that only the current picture is drawn. */
const TYPING_MS = 250;

/**
 * Opens a design in the editor and moves an element with the keyboard. Measures the milliseconds from each keystroke to the
 * frame with its new pixels, from the browser's trace.
 */
export async function benchKeystroke({ stack: { origin }, token }: DemoStack): Promise<void> {
  const executablePath = obtainChromium();
  if (executablePath === undefined) throw new Error("there is no chromium");
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, locale: "en-GB" });
    await page.goto(`${origin}/login`);
    await page.fill("[name=token]", token);
    await page.keyboard.press("Enter");
    await page.waitForURL(`${origin}/`);
    // The trace says when a frame is drawn, and this mark says which frame has the new pixels.
    await page.addInitScript({
      content: `const { putImageData } = CanvasRenderingContext2D.prototype;
        CanvasRenderingContext2D.prototype.putImageData = function (...given) {
          putImageData.apply(this, given);
          if (this.canvas.id === "picture") performance.mark("pixels");
        };`,
    });
    await page.goto(`${origin}/designer/canvases/${CANVAS}`);
    await page.locator("#matrix[data-drawn]").waitFor();
    await page.locator("#layers .layer").first().click();
    await page.locator("#stage").focus();
    const session = await page.context().newCDPSession(page);
    for (const [how, pauseMs] of Object.entries({ "with pauses": PAUSE_MS, typing: TYPING_MS })) {
      await nudge(page, WARM, pauseMs);
      const times = keystrokeTimes(await traced(session, () => nudge(page, MEASURED, pauseMs)));
      if (times.length < MEASURED / 2) throw new Error(`the trace has only ${times.length} of ${MEASURED} keystrokes`);
      const [middle, slow] = [median(times), times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0];
      const verdict = middle <= MAX_MS ? "ok  " : "MISS";
      process.stdout.write(
        `${verdict} ${middle.toFixed(0)} ms (at most ${MAX_MS})  keystroke to new pixels, ${how}: ` +
          `median of ${times.length}, 95th percentile ${slow.toFixed(0)} ms\n`,
      );
    }
  } finally {
    await browser.close();
  }
}

/** Moves an element back and forth with the keyboard, so that each keystroke changes pixels. */
async function nudge(page: Page, times: number, pauseMs: number): Promise<void> {
  for (let at = 0; at < times; at += 1) {
    await page.keyboard.press(at % 8 < 4 ? "ArrowRight" : "ArrowLeft");
    await page.waitForTimeout(pauseMs);
  }
}

interface TraceEvent {
  name: string;
  /** Microseconds. */
  ts: number;
  args?: { data?: { type?: string } };
}

async function traced(session: CDPSession, work: () => Promise<void>): Promise<TraceEvent[]> {
  const events: TraceEvent[] = [];
  const collect = ({ value }: { value: object[] }) => void events.push(...(value as TraceEvent[]));
  session.on("Tracing.dataCollected", collect);
  const complete = new Promise((done) => session.once("Tracing.tracingComplete", done));
  const categories = "devtools.timeline,blink.user_timing,disabled-by-default-devtools.timeline.frame";
  await session.send("Tracing.start", { transferMode: "ReportEvents", categories });
  await work();
  await session.send("Tracing.end");
  await complete;
  session.off("Tracing.dataCollected", collect);
  return events.toSorted((one, other) => one.ts - other.ts);
}

/** Returns the times from each key press to the first frame that is drawn after its new pixels are in the canvas. */
function keystrokeTimes(events: readonly TraceEvent[]): number[] {
  const timesOf = (isOne: (event: TraceEvent) => boolean) => events.filter(isOne).map(({ ts }) => ts);
  const keys = timesOf(({ name, args }) => name === "EventDispatch" && args?.data?.type === "keydown");
  const pixels = timesOf(({ name }) => name === "pixels");
  // Without a display, the browser draws no frame, so the time ends when the page has done its part.
  const [frames = []] = ["DrawFrame", "Commit"]
    .map((frame) => timesOf(({ name }) => name === frame))
    .filter((found) => found.length > 0);
  return keys.flatMap((key, index) => {
    const put = pixels.find((ts) => ts > key && ts < (keys[index + 1] ?? Number.POSITIVE_INFINITY));
    const frame = put === undefined ? undefined : frames.find((ts) => ts > put);
    return frame === undefined ? [] : [(frame - key) / 1_000];
  });
}
