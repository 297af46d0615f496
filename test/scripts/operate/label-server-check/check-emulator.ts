import { openRig } from "../../../../scripts/operate/label-server-check/read-check.ts";
import { openReportsEndpoint } from "../../../../scripts/operate/label-server-check/reports-endpoint.ts";
import { runCheck } from "../../../../scripts/operate/label-server-check/run-check.ts";
import type { Verdict } from "../../../../scripts/operate/label-server-check/verdict.ts";
import { type Fault, openFaultyEmulator, SECRET } from "./emulator.ts";

/** The labels of the checked emulator; the last one is not among the first ten. */
export const BARCODES = Array.from({ length: 12 }, (_, index) => `CHECK-${index + 1}`) as [string, ...string[]];
const [, SEGMENTS = ""] = BARCODES;

/** Checks the emulator with a fault; `waitMs` bounds every wait for something that must come. */
export async function checkEmulator(fault: Fault, waitMs: number, unknownBarcode?: string): Promise<Verdict[]> {
  const endpoint = await openReportsEndpoint(SECRET, 0);
  const emulator = await openFaultyEmulator(fault, endpoint.port);
  try {
    const settings = {
      url: emulator.url,
      secret: SECRET,
      store: "t/check/s/main",
      barcodes: BARCODES,
      size: { width: 64, height: 32 },
      largeSize: { width: 400, height: 300 },
      pages: 2,
      segmentBarcode: SEGMENTS,
      unknownBarcode,
      otherStore: "t/check/s/second",
      rig: openRig(`${emulator.url}/emulator`),
      restart: emulator.restart,
      limits: { pageMs: waitMs, orderMs: waitMs },
      patienceMs: waitMs,
      retryMs: 50,
      settleMs: 0,
      awayMs: 0,
      clockMs: 2000,
      switchMs: 100,
    };
    return await runCheck(settings, endpoint);
  } finally {
    await emulator.close();
    await endpoint.close();
  }
}
