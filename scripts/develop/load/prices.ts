const MAX_CENTS = 99_999;
/** Primes, so that neighbouring labels and stores have prices of their own, and their pictures differ. */
const LABEL_STEP = 7_919;
const STORE_STEP = 13_441;

/**
 * The price of a label's item after so many changes. It differs from the price before, also from that of an earlier run, which began
 * at another second: the same price again would draw and send nothing.
 */
export function priceOf(
  start: number,
  { store, label, change }: { store: number; label: number; change: number },
): string {
  const cents = ((start + change + label * LABEL_STEP + store * STORE_STEP) % MAX_CENTS) + 1;
  return (cents / 100).toFixed(2);
}
