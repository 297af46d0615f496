/**
 * Routes in the order in which they are matched. At the first segment that differs in kind between two paths, a fixed
 * segment comes before a parameter: `/labels/models/:type` before `/labels/:barcode/image`, regardless of their order in
 * the list.
 */
export const inRouteOrder = <R extends { path: string }>(routes: readonly R[]): R[] =>
  routes.toSorted((one, other) => compare(kindsOf(one.path), kindsOf(other.path)));

/** A path with its parameters' names removed: two paths that match the same requests have the same text. */
export const shapeOf = (path: string): string => path.replace(/:\w+/g, ":");

/** One character per segment: `0` for a fixed segment, `1` for a parameter. */
const kindsOf = (path: string): string =>
  path
    .split("/")
    .map((segment) => (segment.startsWith(":") ? "1" : "0"))
    .join("");

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
