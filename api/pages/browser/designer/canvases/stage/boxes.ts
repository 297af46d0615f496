import type { LayoutElement } from "../../../../../../schemas/canvas.ts";
import { make } from "../../make.ts";
import { type Area, areaAt } from "../document/areas.ts";
import { pointerTo } from "../document/document.ts";
import { allOf, isSame, type Layout, type Path } from "../document/elements.ts";
import type { ShownElement } from "../trial/preview-shapes.ts";

/** The boxes over the picture, one for each element, in drawing order. */
export interface Boxes {
  /** Moves the boxes to their places; boxes of group members follow the last picture. */
  place(layout: Layout, of: { layout: number; dpi: number; scale: number; shown: readonly ShownElement[] }): void;
  mark(selection: readonly Path[], hidden: ReadonlySet<string>): void;
  all(): HTMLElement[];
  at(path: Path): HTMLElement | undefined;
}

export const pathOf = (box: Element): Path => JSON.parse((box as HTMLElement).dataset.path ?? "[]") as Path;

export function openBoxes(parent: HTMLElement): Boxes {
  const all = () => [...parent.querySelectorAll<HTMLElement>(".box")];
  const keyOf = (path: Path) => JSON.stringify(path);
  return {
    all,
    at: (path) => all().find((box) => isSame(pathOf(box), path)),
    place(layout, { layout: index, dpi, scale, shown }) {
      const elements = allOf(layout.elements);
      const known = new Map(all().map((box) => [box.dataset.path, box]));
      const kept = elements.map(({ path, element }) => {
        const box = known.get(keyOf(path)) ?? make("div", { class: "box", "data-path": keyOf(path) });
        box.dataset.kind = element.kind;
        const area = areaOf(layout, path, element, dpi, shown, pointerTo(index, path));
        placeBox(box, area, scale);
        return box;
      });
      if (kept.length !== known.size || kept.some((box, at) => parent.children[at] !== box))
        parent.replaceChildren(...kept);
    },
    mark(selection, hidden) {
      for (const box of all()) {
        const path = pathOf(box);
        box.dataset.selected = String(selection.some((one) => isSame(one, path)));
        box.hidden = [...hidden].some((one) => isWithin(path, JSON.parse(one) as Path));
      }
    },
  };
}

const isWithin = (path: Path, group: Path): boolean => isSame(path.slice(0, group.length), group);

/**
 * A top-level element is placed by its fields. A member of a group is placed where the picture shows it, or by its fields if
 * the picture does not show it.
 */
function areaOf(
  layout: Layout,
  path: Path,
  element: LayoutElement,
  dpi: number,
  shown: readonly ShownElement[],
  pointer: string,
): Area {
  const own = areaAt(layout, path, dpi) ?? element;
  if (path.length === 1) return own;
  return shown.find((one) => one.element === pointer)?.box ?? own;
}

function placeBox(box: HTMLElement, { x, y, width, height }: Area, scale: number): void {
  box.style.left = `${x * scale}px`;
  box.style.top = `${y * scale}px`;
  box.style.width = `${width * scale}px`;
  box.style.height = `${height * scale}px`;
}
