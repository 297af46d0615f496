import type { LabelServerOrder } from "../../../../schemas/label-server.ts";
import type { Way } from "../../../label-server/scenario/scenario.ts";
import type { Fault } from "../faults.ts";
import type { Tally } from "./tally.ts";

/** The label server of a store that fails all the time, with its labels. */
export interface AirUnderChaos {
  /** As an operator configures it. */
  server: LabelServerOrder;
  /** The tag of the label at this position; absent if the barcode suffices. */
  deviceOf?(index: number): string;
  tally: Tally;
  /** The digest by which the tally knows a picture. */
  digestOf(png: Uint8Array): string;
  /** Its own faults, beside those that happen all the time. */
  faults: readonly Omit<Fault, "at">[];
  /** How many transmissions and their reports were lost on purpose, by chance or by restarts. */
  lost(): number;
  /** What must not have happened beside what the tally shows. */
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

/** What happens to every call and report of labels. */
export const unreliable: Way = { loss: 0.2, duplicates: 0.2, reorderMs: 200 };
export const SECRET = "a-secret-of-the-chaos";
export const AWAY_SECONDS = 2;
export const AIR_TIME_MS = 5;
export const CHECK_IN_MS = 1_000;
