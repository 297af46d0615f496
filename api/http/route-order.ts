/**
 * Routes in the order in which they are tried. At the first segment where two paths differ in kind, the one that is
 * written out comes before the parameter: `/labels/models/:type` before `/labels/:barcode/image`, whoever was listed first.
 */
export const inRouteOrder = <R extends { path: string }>(routes: readonly R[]): R[] =>
  routes.toSorted((one, other) => compare(kindsOf(one.path), kindsOf(other.path)));

/** The same text for paths that match the same requests: parameters without their names. */
export const shapeOf = (path: string): string => path.replace(/:\w+/g, ":");

/** A letter a segment: `0` written out, `1` a parameter. */
const kindsOf = (path: string): string =>
  path
    .split("/")
    .map((segment) => (segment.startsWith(":") ? "1" : "0"))
    .join("");

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
