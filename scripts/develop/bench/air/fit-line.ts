export interface Point {
  x: number;
  y: number;
}

/** Returns the least-squares line through points, by distances in y; a horizontal line if all points have the same x. */
export function fitLine(points: readonly Point[]): { slope: number; at(x: number): number } {
  const mean = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  const [middleX, middleY] = [mean(points.map(({ x }) => x)), mean(points.map(({ y }) => y))];
  const squares = points.reduce((sum, { x }) => sum + (x - middleX) ** 2, 0);
  const products = points.reduce((sum, { x, y }) => sum + (x - middleX) * (y - middleY), 0);
  const slope = squares === 0 ? 0 : products / squares;
  return { slope, at: (x) => middleY + slope * (x - middleX) };
}
