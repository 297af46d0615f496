import type { LayoutElement } from "../../../../../../schemas/canvas.ts";
import { around, ownArea, withArea } from "./areas.ts";
import {
  areSiblings,
  compare,
  elementAt,
  inserted,
  isGroup,
  type Layout,
  membersOf,
  type Path,
  removed,
} from "./elements.ts";
import { pixelsOf } from "./lengths.ts";

/** A layout, and the elements selected in it. */
export interface Grouped<L> {
  layout: L;
  selection: Path[];
}

/**
 * Puts siblings into a group with the smallest possible area, at the place of the first; undefined if they are not
 * siblings.
 */
export function grouped<L extends Layout>(
  layout: L,
  paths: readonly Path[],
  kind: "group" | "stack",
  dpi: number,
): Grouped<L> | undefined {
  const chosen = paths.toSorted(compare);
  const [first] = chosen;
  const elements = chosen.flatMap((path) => elementAt(layout, path) ?? []);
  if (first === undefined || !areSiblings(chosen) || elements.length === 0) return undefined;
  const area = around(elements.map((element) => ownArea(element, dpi)));
  const group = { kind, ...area, elements: membersIn(area, elements, kind, dpi) } as LayoutElement;
  return { layout: inserted(removed(layout, chosen), first, group), selection: [first] };
}

/** Returns elements with their places inside a group; in a stack, elements follow each other from the top. */
function membersIn(
  { x, y }: { x: number; y: number },
  elements: readonly LayoutElement[],
  kind: "group" | "stack",
  dpi: number,
): LayoutElement[] {
  if (kind === "group")
    return elements.map((element) =>
      withArea(element, { x: pixelsOf(element.x, dpi) - x, y: pixelsOf(element.y, dpi) - y }, dpi),
    );
  const fromTop = elements.toSorted((one, other) => pixelsOf(one.y, dpi) - pixelsOf(other.y, dpi));
  let end = y;
  return fromTop.map((element) => {
    const top = pixelsOf(element.y, dpi);
    const made = withArea(element, { x: pixelsOf(element.x, dpi) - x, y: Math.max(0, top - end) }, dpi);
    end = Math.max(end, top) + pixelsOf(element.height, dpi);
    return made;
  });
}

/** Replaces a group with its members; undefined if the element is not a group, is rotated or is repeated. */
export function ungrouped<L extends Layout>(layout: L, path: Path, dpi: number): Grouped<L> | undefined {
  const group = elementAt(layout, path);
  if (!isGroup(group) || group.rotate || group.repeat) return undefined;
  const { x, y } = ownArea(group, dpi);
  const [parent, index] = [path.slice(0, -1), path.at(-1) ?? 0];
  let end = 0;
  const members = membersOf(group).map((element) => {
    const own = ownArea(element, dpi);
    const top = group.kind === "stack" ? end + own.y : own.y;
    end = top + own.height;
    return withArea(element, { x: x + own.x, y: y + top }, dpi);
  });
  const selection = members.map((_, at) => [...parent, index + at]);
  const made = members.toReversed().reduce((rest, member) => inserted(rest, path, member), removed(layout, [path]));
  return { layout: made, selection };
}
