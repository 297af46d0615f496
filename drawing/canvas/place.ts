import type { Element, GroupElement, StackElement } from "../../schemas/canvas.ts";
import type { Area } from "../pixels/framebuffer.ts";
import { bothRotations, rotatedArea, rotatedSize } from "../pixels/rotate.ts";

/** An element that a link shows, with its content. Its area is that on the label, without any group. */
export interface FilledElement {
  /** Its number in the layout. */
  index: number;
  element: Element;
  /** The content of a text, a price or a code, or the name of an image. */
  text: string;
  /** Of a text with runs: that of each, its own first. */
  parts?: readonly string[];
}

/** The shown elements of a part of a group, and the area that the design gives the part. */
export interface Placed {
  area: Area;
  elements: readonly FilledElement[];
}

/** Moves and rotates the elements of a group's repetition to their place next to the group. */
export function placeInGroup(
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

/** Places the parts of a stack one after another, each at its own offset and the gap from the one before. */
export function stacked(stack: StackElement, parts: readonly Placed[]): Placed[] {
  const { direction = "down", gap = 0, align = "start" } = stack;
  const isDown = direction === "down";
  const extents = parts.map(({ area }) => (isDown ? area.y + area.height : area.x + area.width));
  const inside = rotatedSize(stack, stack.rotate ?? 0);
  const room = (isDown ? inside.height : inside.width) - extents.reduce((sum, extent) => sum + extent + gap, -gap);
  let at = align === "start" ? 0 : align === "end" ? room : Math.floor(room / 2);
  return parts.map(({ area, elements }, index) => {
    const move = at;
    at += (extents[index] as number) + gap;
    return { area, elements: elements.map((filled) => moved(filled, isDown ? 0 : move, isDown ? move : 0)) };
  });
}

const moved = ({ element, ...filled }: FilledElement, right: number, down: number): FilledElement => ({
  ...filled,
  element: { ...element, x: element.x + right, y: element.y + down },
});
