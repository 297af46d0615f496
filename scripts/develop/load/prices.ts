const MAX_CENTS = 99_999;
/** Primes, so that neighbouring labels and stores have different prices, and their pictures differ. */
const LABEL_STEP = 7_919;
const STORE_STEP = 13_441;

/**
 * Returns the price of a label's item after this many changes. It differs from the previous price, including the last price
 * of an earlier run, which began at another second. The same price again would draw and send nothing.
 */
export function priceOf(
  start: number,
  { store, label, change }: { store: number; label: number; change: number },
): string {
  const cents = ((start + change + label * LABEL_STEP + store * STORE_STEP) % MAX_CENTS) + 1;
  return (cents / 100).toFixed(2);
}
