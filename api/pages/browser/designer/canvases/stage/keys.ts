import type { Move } from "./moves.ts";

/** The effect of a key on the stage. */
export type KeyAct =
  | { way: Omit<Move, "path"> }
  | { act: "remove" | "duplicate" | "group" | "undo" | "redo" | "none" | "forward" | "back" };

interface Key {
  key: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

/** Pixels in a step with Shift. */
const LARGE_STEP = 8;

const ways: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Returns the action of a key; undefined if the browser handles it. With Ctrl, an arrow resizes instead of moving. */
export function keyAct({ key, shiftKey, ctrlKey, metaKey, altKey }: Key): KeyAct | undefined {
  const isControl = ctrlKey || metaKey;
  const way = ways[key];
  if (way !== undefined && altKey)
    return key === "ArrowUp" ? { act: "forward" } : key === "ArrowDown" ? { act: "back" } : undefined;
  if (way !== undefined) {
    const [x = 0, y = 0] = way.map((step) => step * (shiftKey ? LARGE_STEP : 1));
    return { way: isControl ? { width: x, height: y } : { x, y } };
  }
  if (key === "Delete" || key === "Backspace") return { act: "remove" };
  if (key === "Escape") return { act: "none" };
  if (!isControl) return undefined;
  switch (key.toLowerCase()) {
    case "z":
      return { act: shiftKey ? "redo" : "undo" };
    case "y":
      return { act: "redo" };
    case "d":
      return { act: "duplicate" };
    case "g":
      return { act: "group" };
    default:
      return undefined;
  }
}
