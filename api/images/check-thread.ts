import { parentPort } from "node:worker_threads";
import { FileFault } from "../body/refuse-file.ts";
import { checkFont } from "../fonts/check-font.ts";
import { checkAssetImage } from "./check-asset.ts";
import { checkImage } from "./check-image.ts";
import type { CheckAnswer, CheckOrder, Checks } from "./checked-in-thread.ts";

const checks: { [Kind in keyof Checks]: (file: Buffer) => Checks[Kind] | Promise<Checks[Kind]> } = {
  page: checkImage,
  image: checkAssetImage,
  font: checkFont,
};

/** The checking thread: takes one file at a time and answers with what it found, or with what is wrong with the file. */
parentPort?.on("message", async ({ kind, file }: CheckOrder) => {
  try {
    const found = await checks[kind](Buffer.from(file.buffer, file.byteOffset, file.byteLength));
    parentPort?.postMessage({ found } satisfies CheckAnswer);
  } catch (error) {
    // Anything else ends the thread, and is the fault of no file.
    if (!(error instanceof FileFault)) throw error;
    parentPort?.postMessage({ fault: error.message } satisfies CheckAnswer);
  }
});
