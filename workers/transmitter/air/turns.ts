/**
 * After how many milliseconds the `index`th of many transmissions is to be sent: immediately as many as calls may run
 * concurrently, and the others one after another at the rate at which the label server takes them.
 */
export const turnAfter = (
  index: number,
  { perSecond, concurrency }: { perSecond: number; concurrency: number },
): number => Math.round((Math.max(0, index + 1 - concurrency) * 1_000) / perSecond);
