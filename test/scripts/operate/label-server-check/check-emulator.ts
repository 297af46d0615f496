import { openRig } from "../../../../scripts/operate/label-server-check/read-check.ts";
import { openReportsEndpoint } from "../../../../scripts/operate/label-server-check/reports-endpoint.ts";
import type { RuleName } from "../../../../scripts/operate/label-server-check/rules.ts";
import { runCheck } from "../../../../scripts/operate/label-server-check/run-check.ts";
import type { Verdict } from "../../../../scripts/operate/label-server-check/verdict.ts";
import { type Fault, openFaultyEmulator, SECRET } from "./emulator.ts";

/** The checked emulator's labels; the last one is not among the first ten. */
export const BARCODES = Array.from({ length: 12 }, (_, index) => `CHECK-${index + 1}`) as [string, ...string[]];
const [, SEGMENTS = ""] = BARCODES;

/** Thrown to end a check early with its verdict. */
class Decided extends Error {
  readonly verdict: Verdict;
  constructor(verdict: Verdict) {
    super(verdict.rule);
    this.verdict = verdict;
  }
}

/**
 * Checks the emulator with a fault, either completely or only until the verdict on one rule. `waitMs` limits every wait
 * for an event that must come.
 */
export async function checkEmulator(
  fault: Fault,
  waitMs: number,
  { unknownBarcode, rule }: { unknownBarcode?: string; rule?: RuleName } = {},
): Promise<Verdict[]> {
  const endAfter = (verdict: Verdict) => {
    if (verdict.rule === rule) throw new Decided(verdict);
  };
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
    return await runCheck(settings, endpoint, endAfter);
  } catch (error) {
    if (error instanceof Decided) return [error.verdict];
    throw error;
  } finally {
    await emulator.close();
    await endpoint.close();
  }
}
