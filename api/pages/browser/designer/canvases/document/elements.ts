import type { CanvasLayout, GroupElement, LayoutElement, StackElement } from "../../../../../../schemas/canvas.ts";

/** The place of an element in a layout: its index in each group around it, outermost first, then its own. */
export type Path = readonly number[];

/** A layout's background and elements, in a design or one of its variants. */
export type Layout = Pick<CanvasLayout, "width" | "height" | "background" | "elements"> &
  Partial<Pick<CanvasLayout, "rotate" | "labelTypes">>;

export const isGroup = (element: LayoutElement | undefined): element is GroupElement | StackElement =>
  element?.kind === "group" || element?.kind === "stack";

export const membersOf = (element: LayoutElement | undefined): readonly LayoutElement[] =>
  isGroup(element) ? element.elements : [];

export const isSame = (one: Path, other: Path): boolean => one.join() === other.join();

/** Returns the element at a place; undefined if there is none. */
export function elementAt({ elements }: Pick<Layout, "elements">, path: Path): LayoutElement | undefined {
  const [first, ...rest] = path;
  const found = first === undefined ? undefined : elements[first];
  return rest.length === 0 ? found : elementAt({ elements: [...membersOf(found)] }, rest);
}

/** Returns every element with its place, each group before its members. */
export const allOf = (elements: readonly LayoutElement[], above: Path = []): { path: Path; element: LayoutElement }[] =>
  elements.flatMap((element, index) => {
    const path = [...above, index];
    return [{ path, element }, ...allOf(membersOf(element), path)];
  });

/** Returns a layout with a changed list of siblings around a place; all other elements stay the same objects. */
function withSiblings<L extends Pick<Layout, "elements">>(
  layout: L,
  path: Path,
  change: (siblings: LayoutElement[], index: number) => LayoutElement[],
): L {
  const [first, ...rest] = path;
  if (first === undefined) return layout;
  if (rest.length === 0) return { ...layout, elements: change([...layout.elements], first) };
  const elements = layout.elements.map((element, index) =>
    index === first && isGroup(element) ? (withSiblings(element, rest, change) as LayoutElement) : element,
  );
  return { ...layout, elements };
}

/** Changes the element at a place. */
export const changed = <L extends Pick<Layout, "elements">>(
  layout: L,
  path: Path,
  change: (element: LayoutElement) => LayoutElement,
): L =>
  withSiblings(layout, path, (siblings, index) =>
    siblings.map((element, at) => (at === index ? change(element) : element)),
  );

/** Inserts an element so that it has this place. */
export const inserted = <L extends Pick<Layout, "elements">>(layout: L, path: Path, element: LayoutElement): L =>
  withSiblings(layout, path, (siblings, index) => siblings.toSpliced(index, 0, element));

/** Removes elements; the members of a removed group go with it. */
export function removed<L extends Pick<Layout, "elements">>(layout: L, paths: readonly Path[]): L {
  return inReverse(paths).reduce(
    (rest, path) => withSiblings(rest, path, (siblings, index) => siblings.toSpliced(index, 1)),
    layout,
  );
}

/** Sorts places last first, so that each removal leaves the remaining places valid. */
const inReverse = (paths: readonly Path[]): Path[] => paths.toSorted(compare).reverse();

export function compare(one: Path, other: Path): number {
  for (const [depth, index] of one.entries()) {
    const difference = index - (other[depth] ?? -1);
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}

/** Moves an element among its siblings; returns the layout and the element's new place. */
export function reordered<L extends Pick<Layout, "elements">>(
  layout: L,
  path: Path,
  by: number,
): { layout: L; path: Path } {
  const parent = path.slice(0, -1);
  const from = path.at(-1) ?? 0;
  const siblings = parent.length === 0 ? layout.elements : membersOf(elementAt(layout, parent));
  const to = Math.min(siblings.length - 1, Math.max(0, from + by));
  const element = siblings[from];
  if (element === undefined || to === from) return { layout, path };
  const moved = withSiblings(layout, path, (all) => all.toSpliced(from, 1).toSpliced(to, 0, element));
  return { layout: moved, path: [...parent, to] };
}

/** Returns the places that are not inside the group at another of these places. */
export const outermost = (paths: readonly Path[]): Path[] =>
  paths.filter(
    (path) => !paths.some((other) => other.length < path.length && isSame(other, path.slice(0, other.length))),
  );

/** Whether elements are siblings, so that they can be put into one group. */
export const areSiblings = (paths: readonly Path[]): boolean =>
  new Set(paths.map((path) => path.slice(0, -1).join())).size === 1;
