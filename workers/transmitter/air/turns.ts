/**
 * Returns the milliseconds until the `index`th of many transmissions is due: as many as may run concurrently are due immediately,
 * and the others at the rate at which the label server accepts transmissions.
 */
export const turnAfter = (
  index: number,
  { perSecond, concurrency }: { perSecond: number; concurrency: number },
): number => Math.round((Math.max(0, index + 1 - concurrency) * 1_000) / perSecond);
