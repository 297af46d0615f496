import { createThread, isOwnFault } from "../../runtime/thread/thread.ts";
import { FileFault } from "../body/refuse-file.ts";
import type { checkFont } from "../fonts/check-font.ts";
import type { checkAssetImage } from "./check-asset.ts";
import type { checkImage } from "./check-image.ts";

/** The check of each kind of file, and its result. */
export interface Checks {
  page: Awaited<ReturnType<typeof checkImage>>;
  image: Awaited<ReturnType<typeof checkAssetImage>>;
  font: ReturnType<typeof checkFont>;
}

export interface CheckOrder {
  kind: keyof Checks;
  file: Uint8Array;
}

export type CheckAnswer = { found: Checks[keyof Checks] } | { fault: string };

/** The most expensive accepted file, a PNG of 4096 x 4096 pixels in 16 bits, takes half a second of CPU time. */
export const checkBounds = { processorMs: 5_000, timeoutMs: 30_000, idleMs: 30_000, memoryMb: 128 };

const { run } = createThread<CheckOrder, CheckAnswer>(new URL("./check-thread.ts", import.meta.url), checkBounds);

/**
 * Checks an uploaded file in a separate thread, so that no file delays other calls, within limits on time and memory.
 * Throws a FileFault if the file is refused, and a ThreadError (503) if a busy machine could not check it in time.
 */
export async function checkInThread<Kind extends keyof Checks>(kind: Kind, file: Uint8Array): Promise<Checks[Kind]> {
  const answer = await run({ kind, file }).catch((error: unknown) => {
    throw refusalOf(error);
  });
  if ("fault" in answer) throw new FileFault(answer.fault);
  return answer.found as Checks[Kind];
}

/** The file is at fault if its check uses too much CPU time or memory, but not if the check waits: the file may pass later. */
export const refusalOf = (error: unknown): unknown =>
  isOwnFault(error) ? new FileFault(`cannot be checked: ${error.message}`) : error;
