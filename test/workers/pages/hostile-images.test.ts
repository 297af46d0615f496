import { readdirSync, readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import test from "ava";
import { createDecoding } from "../../../drawing/decoding/decoding.ts";
import { decodingBounds, previewDecodingBounds } from "../../../drawing/decoding/decoding-bounds.ts";
import { ThreadError } from "../../../runtime/thread/thread.ts";
import type { ImageType } from "../../../schemas/asset.ts";
import { hostileRasters, hostileSvgs } from "../../api/images/hostile-images.ts";
import { casesToTry } from "../../harness/searches/effort.ts";

/** Together with the worker's 140 MB, less than 1.2 GB. */
const MAX_MB = 1_060;
/** The time limit is low, because files that cost only time would take minutes here; the limit itself has its own test. */
const PROCESSOR_MS = 1_500;
const limits = { processorMs: PROCESSOR_MS, timeoutMs: 600_000 };
const decoding = createDecoding({ ...decodingBounds, ...limits });
/** Decodes like the API, which uses up to 600 MB itself: together less than 1.2 GB. */
const previewDecoding = createDecoding({ ...previewDecodingBounds, ...limits });
const MAX_PREVIEW_MB = 600;

/** While no decoding process is known, one in this many polls looks for it; a process decodes image after image. */
const FIND_EVERY = 5;

const contentOf = (file: string): string => {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return ""; // The entry is not a process, or the process has ended.
  }
};

const findDecoding = (): string[] =>
  readdirSync("/proc").filter((pid) => contentOf(`/proc/${pid}/cmdline`).includes(`"processorMs":${PROCESSOR_MS}`));

/** The most memory that a process has used, in MB, as Linux counts it. */
const peakOf = (pid: string): number =>
  Number(/VmHWM:\s+(\d+)/.exec(contentOf(`/proc/${pid}/status`))?.[1] ?? 0) / 1024;

/** The decoding processes that were found and have not ended. */
let known: string[] = [];

/** The most memory that this file's decoding process used during the call, in MB. */
async function peakWhile(decode: () => Promise<unknown>): Promise<number> {
  let isUnderWay = true;
  const under = decode()
    .catch((error: unknown) => error)
    .finally(() => {
      isUnderWay = false;
    });
  let peak = 0;
  for (let looks = 0; isUnderWay; looks += 1) {
    known = known.filter((pid) => peakOf(pid) > 0);
    if (known.length === 0 && looks % FIND_EVERY === 0) known = findDecoding();
    peak = Math.max(peak, ...known.map(peakOf));
    await setTimeout(20);
  }
  await under;
  return peak;
}

const isAsset = (mediaType: string): boolean => !["image/gif", "image/bmp"].includes(mediaType);
const onLinux = process.platform === "linux" ? test.serial : test.serial.skip;
const ofDesigns = [...hostileSvgs, ...hostileRasters(2048)].filter(({ mediaType }) => isAsset(mediaType));

onLinux("design images made to be costly take bounded memory", async (t) => {
  for (const { name, mediaType, make } of casesToTry(t, ofDesigns, { size: 16 }, "images")) {
    const order = { file: make(), mediaType: mediaType as ImageType };
    const peak = await peakWhile(() => previewDecoding.decodeAsset(order));
    t.true(peak < MAX_PREVIEW_MB, `${name}: ${peak.toFixed(0)} MB`);
  }
});
onLinux("page images made to be costly take bounded memory", async (t) => {
  for (const { name, make } of casesToTry(t, hostileRasters(4096), { size: 6 }, "images")) {
    const sizes = [{ width: 800, height: 480, colors: ["black" as const, "white" as const] }];
    const peak = await peakWhile(() => decoding.drawPages({ file: make(), resize: 1, sizes }));
    t.true(peak < MAX_MB, `${name}: ${peak.toFixed(0)} MB`);
  }
});

test("a pattern of 2200 x 2200 is refused with advice, and is not decoded again", async (t) => {
  const { make } = hostileSvgs.find(({ name }) => name === "a pattern of 2200 x 2200") ?? t.fail();
  const bounds = { ...decodingBounds, timeoutMs: 600_000 };
  const { decodeAsset } = createDecoding(bounds);
  const order = { file: make(), mediaType: "image/svg+xml" as const };
  const first = await decodeAsset(order);
  t.regex("failed" in first ? first.failed : "", /more than 256 MB of memory: use fewer and smaller patterns/);
  // From here on, every attempt to decode times out immediately.
  bounds.timeoutMs = 0;
  t.deepEqual(await decodeAsset(order), first);
  const other = { ...order, file: Buffer.concat([order.file, Buffer.from(" ")]) };
  await t.throwsAsync(() => decodeAsset(other), { instanceOf: ThreadError }, "another file is decoded");
});
