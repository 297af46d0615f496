import type { GrowingWaits } from "../../domain/times/growing-waits.ts";

/**
 * The waits between delivery attempts. After the last attempt, the delivery is a dead letter, which can be replayed
 * (docs/decisions/events/deliveries.md).
 */
export const DELIVERY_WAITS: GrowingWaits = {
  firstMs: 5_000,
  lastMs: 3_600_000,
  giveUpAfterMs: 24 * 3_600_000,
};

/** How long a dead letter can be replayed. */
export const DEAD_LETTER_TTL_MS = 7 * 24 * 3_600_000;
