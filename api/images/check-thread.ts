import { answerOrders } from "../../runtime/thread/answer-orders.ts";
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

/** The checking thread: receives one file at a time and responds with its findings, or with the file's fault. */
answerOrders(async ({ kind, file }: CheckOrder): Promise<CheckAnswer> => {
  try {
    return { found: await checks[kind](Buffer.from(file.buffer, file.byteOffset, file.byteLength)) };
  } catch (error) {
    // Any other error ends the thread, and is not the file's fault.
    if (!(error instanceof FileFault)) throw error;
    return { fault: error.message };
  }
});
