/**
 * Returns the milliseconds until the `index`th of many transmissions is due. Transmissions are due immediately up to the
 * concurrency limit, and the others at the rate at which the label server accepts them.
 */
export const turnAfter = (
  index: number,
  { perSecond, concurrency }: { perSecond: number; concurrency: number },
): number => Math.round((Math.max(0, index + 1 - concurrency) * 1_000) / perSecond);
