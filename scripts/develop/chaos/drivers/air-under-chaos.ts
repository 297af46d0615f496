import type { LabelServerOrder } from "../../../../schemas/label-server.ts";
import type { Way } from "../../../label-server/scenario/scenario.ts";
import type { Fault } from "../faults.ts";
import type { Tally } from "./tally.ts";

/** A store's label server and its labels, with faults throughout the run. */
export interface AirUnderChaos {
  /** The label server as an operator configures it. */
  server: LabelServerOrder;
  /** Returns the tag of the label at this position. Absent if the barcode is enough. */
  deviceOf?(index: number): string;
  tally: Tally;
  /** Returns the digest by which the tally identifies a picture. */
  digestOf(png: Uint8Array): string;
  /** The driver's own faults, in addition to those that happen all the time. */
  faults: readonly Omit<Fault, "at">[];
  /** Returns how many transmissions and their reports were lost on purpose, by chance or by restarts. */
  lost(): number;
  /** Returns violations that the tally does not show. */
  violations(): string[];
  close(): Promise<void>;
}

export interface AirOptions {
  origin: string;
  /** The key of the store. */
  store: string;
  seed: number;
  barcodes: readonly string[];
}

/** Faults that affect all calls and reports about labels. */
export const unreliable: Way = { loss: 0.2, duplicates: 0.2, reorderMs: 200 };
export const SECRET = "a-secret-of-the-chaos";
export const AWAY_SECONDS = 2;
export const AIR_TIME_MS = 5;
export const CHECK_IN_MS = 1_000;
