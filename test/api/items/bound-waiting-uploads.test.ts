import test from "ava";
import { ProblemError } from "../../../api/http/problem-error.ts";
import { createUploadBounds } from "../../../api/items/bound-waiting-uploads.ts";
import { openWaitingUploads } from "../../../records/requests/in-flight.ts";
import { DEMO_STORE } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";
import { refused } from "../calls.ts";
import { pngOf } from "../images/files.ts";

const bounds = { ...{ maxBytes: 0, timeoutMs: 0, maxSide: 0 }, maxWaiting: 3, maxPixelsWaiting: 100 };
const none = async () => ({ uploads: 0, pixels: 0 });
const refusal = (detail: RegExp) => ({ instanceOf: ProblemError, message: detail });

test("an upload is refused if its tenant has too many waiting uploads or pixels, and the error says which", async (t) => {
  const of = (uploads: number, pixels: number) => createUploadBounds(async () => ({ uploads, pixels }), bounds);
  const accept = async () => "accepted";
  t.is(await of(2, 90)("t/a/s/x", 10, accept), "accepted");
  await t.throwsAsync(of(3, 0)("t/a/s/x", 10, accept), refusal(/^A tenant can have at most 3 uploads/));
  await t.throwsAsync(of(0, 91)("t/a/s/x", 10, accept), refusal(/at most 100 pixels in total, not 101/));
});

test("concurrent uploads count for their own tenants only", async (t) => {
  const within = createUploadBounds(none, bounds);
  const { promise: all, resolve: end } = Promise.withResolvers<void>();
  const waiting = [within("t/a/s/x", 60, () => all), within("t/a/s/y", 40, () => all)];
  await t.throwsAsync(
    within("t/a/s/x", 1, () => all),
    refusal(/not 101/),
  );
  await within("t/b/s/x", 100, async () => {});
  end();
  await Promise.all(waiting);
  await within("t/a/s/x", 100, async () => {});
});

test("a rejected upload releases its place", async (t) => {
  const within = createUploadBounds(none, bounds);
  for (let call = 0; call < 5; call += 1)
    await t.throwsAsync(
      within("t/a/s/x", 100, () => Promise.reject(new Error("away"))),
      { message: "away" },
    );
  await within("t/a/s/x", 100, async () => {});
});

const shelfwire = ownStack({ workers: [] });

test("of two hundred concurrent uploads that decompress to the largest size, sixteen are accepted and the others return 429", async (t) => {
  const image = pngOf(4096, 4096, { depth: 1, pixels: new Uint8Array(4096 * 513) });
  t.true(image.length < 4096, "the file is small when it is sent");
  const headers = { authorization: `Bearer ${await shelfwire.token()}` };
  const send = () => {
    const form = new FormData();
    form.append("imageFile", new Blob([new Uint8Array(image)]), "image.png");
    return fetch(`${shelfwire.base}/items/apple/page/0`, { method: "POST", headers, body: form });
  };
  const answers: Response[] = [];
  for (let round = 0; round < 10; round += 1)
    answers.push(...(await Promise.all(Array.from({ length: 20 }, () => send()))));
  const taken = answers.filter(({ status }) => status === 202);
  t.true(taken.length > 0 && taken.length <= 16, `${taken.length} were accepted`);
  const others = answers.filter(({ status }) => status !== 202);
  t.deepEqual([...new Set(others.map(({ status }) => status))], [429]);
  t.truthy(others[0]?.headers.get("retry-after"));
  const { detail } = await refused(t, others[0] as Response, 429);
  t.regex(detail, /at most 268435456 pixels/);

  const { system } = shelfwire;
  const waiting = await openWaitingUploads(system.db)("t/demo");
  t.is(waiting.uploads, taken.length);
  const keys = await system.db.collection("journal").find({ store: DEMO_STORE, open: true }).toArray();
  await system.journal.settle(new Map(keys.map(({ _id }) => [String(_id), []])));
  t.is((await send()).status, 202, "a place is free again when an upload is drawn");
});
