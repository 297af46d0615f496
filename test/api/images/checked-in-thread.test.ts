import test from "ava";
import type { Context } from "koa";
import { pino } from "pino";
import { FileFault, refuseFile } from "../../../api/body/refuse-file.ts";
import { refusalOf } from "../../../api/images/checked-in-thread.ts";
import { answerProblems } from "../../../api/middleware/answer-problems.ts";
import { ThreadError } from "../../../runtime/thread/thread.ts";
import { partOf } from "../../harness/part-of.ts";

/** Returns the response to an upload whose check failed with this error. */
async function answerTo(error: Error) {
  const headers: Record<string, string> = {};
  const context = partOf<Context>({ state: {}, set: (more: object | string) => void Object.assign(headers, more) });
  const upload = () => Promise.reject(refusalOf(error)).catch(refuseFile("image", "imageFile"));
  await answerProblems(pino({ level: "silent" }), () => {})(context, upload);
  return { status: context.status, headers, ...(JSON.parse(String(context.body)) as { type: string; detail: string }) };
}

test("a file whose check exceeds a limit of processor time or memory is refused", async (t) => {
  const spent = new ThreadError("it takes more than 5 seconds of processor time");
  t.true(refusalOf(spent) instanceof FileFault);
  const { status, detail } = await answerTo(spent);
  t.is(status, 400);
  t.regex(detail, /^The image cannot be checked: it takes more than 5 seconds of processor time/);
});

test("a file that a busy machine could not check in time may be sent again: 503 with Retry-After", async (t) => {
  const { status, type, headers } = await answerTo(new ThreadError("it takes longer than 30 seconds", true));
  t.deepEqual([status, type], [503, "/problems/busy"]);
  t.is(headers["retry-after"], "5");
});
