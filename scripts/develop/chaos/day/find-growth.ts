/** In its second half, a day may need up to this much more memory than in its first. */
const MAX_GROWTH = 1.25;
/** Fewer readings than these show no trend. */
export const MIN_READINGS = 12;

/** Checks whether memory readings, in bytes, are considerably higher in the second half than in the first. */
export function findGrowth(readings: readonly number[] | undefined): string[] {
  if (readings === undefined) return ["the memory of the processes could not be read"];
  if (readings.length < MIN_READINGS) return [];
  const half = Math.ceil(readings.length / 2);
  const [early, late] = [Math.max(...readings.slice(0, half)), Math.max(...readings.slice(half))];
  const megabytes = (bytes: number) => Math.round(bytes / 2 ** 20);
  return late > early * MAX_GROWTH
    ? [`the processes took up to ${megabytes(late)} MB in the second half, and ${megabytes(early)} MB in the first`]
    : [];
}
