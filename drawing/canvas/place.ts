import type { Element, GroupElement, StackElement } from "../../schemas/canvas.ts";
import type { Area } from "../pixels/framebuffer.ts";
import { bothRotations, rotatedArea, rotatedSize } from "../pixels/rotate.ts";

/** An element that a link shows, with its content. Its area is relative to the label, not to a group. */
export interface FilledElement {
  /** The element's number in the layout. */
  index: number;
  /** The element's place in the design, as a JSON pointer. */
  pointer: string;
  element: Element;
  /** The content of a text, a price or a code, or the name of an image. */
  text: string;
  /**
   * Set for a text with runs: the contents of the text itself and then of each run. Also set for a price with a suffix: the price
   * and the suffix.
   */
  parts?: readonly string[];
}

/** A repetition of a group or a stack, with its shown content. */
export interface FilledGroup {
  group: GroupElement | StackElement;
  repetition: number;
  parts: readonly FilledPart[];
}

/** An element or a group that a link shows, placed as the design places it in its group. */
export type FilledPart = FilledElement | FilledGroup;

/** The shown elements of a part, the part's area in the design, and the size of its content. */
export interface Placed {
  area: Area;
  content: Measured;
  elements: readonly FilledElement[];
}

export type Measured = Pick<Area, "width" | "height">;

/** Returns how much of its area an element fills. Undefined if it fills the whole area. */
type Measure = (filled: FilledElement) => Measured | undefined;

/** Whether any stack among these parts flows by content. */
export const flowsByContent = (parts: readonly FilledPart[]): boolean =>
  parts.some((part) => "group" in part && (isFlowing(part.group) || flowsByContent(part.parts)));

const isFlowing = (group: GroupElement | StackElement): group is StackElement =>
  group.kind === "stack" && group.flow === "content";

/**
 * Moves a link's shown elements from their groups to their places on the label. Without `measure`, each element fills its
 * area.
 */
export const placeParts = (parts: readonly FilledPart[], measure?: Measure): Placed[] =>
  parts.map((part): Placed => {
    if (!("group" in part)) {
      return { area: part.element, content: measure?.(part) ?? part.element, elements: [part] };
    }
    const { group, repetition } = part;
    const inside = placeParts(part.parts, measure);
    const arranged = group.kind === "stack" ? stacked(group, inside) : inside;
    const elements = placeInGroup(
      group,
      repetition,
      arranged.flatMap((placed) => placed.elements),
    );
    return { area: group, content: contentOf(group, arranged), elements };
  });

/** Returns the space that the parts of a flowing stack fill. Any other group fills its area. */
function contentOf(group: GroupElement | StackElement, parts: readonly Placed[]): Measured {
  if (!isFlowing(group) || group.rotate || group.repeat) return group;
  const { direction = "down", gap = 0 } = group;
  const ends = parts.map(({ area, content }) => ({ width: area.x + content.width, height: area.y + content.height }));
  const sum = (side: keyof Measured): number => ends.reduce((all, end) => all + end[side] + gap, -gap);
  const most = (side: keyof Measured): number => Math.max(0, ...ends.map((end) => end[side]));
  return direction === "down"
    ? { width: group.width, height: sum("height") }
    : { width: sum("width"), height: Math.min(group.height, most("height")) };
}

/** Moves and rotates the elements of one repetition from their places in the group to those in its surroundings. */
function placeInGroup(
  {
    x,
    y,
    width,
    height,
    rotate = 0,
    repeat: { x: right = 0, y: down = 0 } = { count: 1 },
  }: GroupElement | StackElement,
  repetition: number,
  elements: readonly FilledElement[],
): FilledElement[] {
  const [left, top] = [x + repetition * right, y + repetition * down];
  return elements.map(({ element, ...filled }) => {
    const area = rotatedArea(element, { width, height }, rotate);
    const rotation = bothRotations(element.rotate ?? 0, rotate);
    return { ...filled, element: { ...element, ...area, x: left + area.x, y: top + area.y, rotate: rotation } };
  });
}

/** Places the parts of a stack one after another, each after the previous part, at its own offset plus the stack's gap. */
function stacked(stack: StackElement, parts: readonly Placed[]): Placed[] {
  const { direction = "down", gap = 0, align = "start", flow } = stack;
  const isDown = direction === "down";
  const isContent = flow === "content";
  const extents = parts.map(({ area, content }) => {
    const { width, height } = isContent ? content : area;
    return isDown ? area.y + height : area.x + width;
  });
  const inside = rotatedSize(stack, stack.rotate ?? 0);
  const room = (isDown ? inside.height : inside.width) - extents.reduce((sum, extent) => sum + extent + gap, -gap);
  let at = align === "start" ? 0 : align === "end" ? room : Math.floor(room / 2);
  return parts.map(({ area, content, elements }, index) => {
    const move = at;
    at += (extents[index] as number) + gap;
    const [only] = elements;
    const own = isContent && only?.element === area ? [narrowed(only, content, isDown)] : elements;
    return { area, content, elements: own.map((filled) => moved(filled, isDown ? 0 : move, isDown ? move : 0)) };
  });
}

/** Reduces an element's area to its content along the stack, so that it does not overlap the next element. */
function narrowed({ element, ...filled }: FilledElement, { width, height }: Measured, isDown: boolean): FilledElement {
  if (!isDown) return { ...filled, element: { ...element, width } };
  const isLetters = element.kind === "text" || element.kind === "price";
  return { ...filled, element: { ...element, height, ...(isLetters && { verticalAlign: "top" }) } as Element };
}

const moved = ({ element, ...filled }: FilledElement, right: number, down: number): FilledElement => ({
  ...filled,
  element: { ...element, x: element.x + right, y: element.y + down },
});
