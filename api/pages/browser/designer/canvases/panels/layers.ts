import type { LayoutElement } from "../../../../../../schemas/canvas.ts";
import { element } from "../../../call.ts";
import type { Texts } from "../../../texts.ts";
import { make } from "../../make.ts";
import { type Document, pointerTo } from "../document/document.ts";
import {
  allOf,
  elementAt,
  inserted,
  isSame,
  type Layout,
  outermost,
  type Path,
  removed,
  reordered,
} from "../document/elements.ts";
import { type Grouped, grouped, ungrouped } from "../document/groups.ts";
import { type Kind, newElement } from "../document/new-element.ts";
import type { ShownNotice } from "../trial/preview-shapes.ts";
import { elementName, kindName } from "./names.ts";

interface LayersWorld {
  document: Document;
  text: Texts;
  dpi(): number;
  hidden: Set<string>;
  /** Draws again after an element was hidden or shown. */
  redraw(): void;
  mayWrite: boolean;
}

export type LayerAct = "remove" | "duplicate" | "group" | "stack" | "ungroup" | "forward" | "back";

export interface Layers {
  act(act: LayerAct): void;
  /** Marks the elements that the last picture's notices are about. */
  mark(notices: readonly ShownNotice[]): void;
}

/** Pixels by which a copy is offset from its original. */
const COPY_OFFSET = 4;

/** The list of elements, topmost first, and the actions on the selected ones. */
export function openLayers(world: LayersWorld): Layers {
  const { document, text, hidden, mayWrite } = world;
  const list = element<HTMLOListElement>("#layers");
  let notices: readonly ShownNotice[] = [];

  function row({ path, element: shown }: { path: Path; element: LayoutElement }): HTMLLIElement {
    const key = JSON.stringify(path);
    const name = elementName(text, shown);
    const pointer = pointerTo(document.edited.layout, path);
    const worst = ["fault", "error", "warning"].find((level) =>
      notices.some((notice) => notice.element === pointer && notice.level === level),
    );
    const isHidden = hidden.has(key);
    const open = make(
      "button",
      { type: "button", class: "layer", title: kindName(text, shown.kind), "data-path": key },
      name,
    );
    open.setAttribute("aria-pressed", String(document.edited.selection.some((one) => isSame(one, path))));
    const eye = make(
      "button",
      { type: "button", class: "eye glyph", "data-path": key, "data-shown": String(!isHidden) },
      isHidden ? "○" : "●",
    );
    const said = text(isHidden ? "canvas.show" : "canvas.hide", { name });
    eye.setAttribute("aria-label", said);
    eye.title = said;
    const item = make("li", { draggable: String(mayWrite), "data-path": key, "data-kind": shown.kind }, open);
    item.style.paddingInlineStart = `${(path.length - 1) * 16}px`;
    if (worst !== undefined)
      item.append(
        make(
          "span",
          { class: "state", "data-state": worst === "warning" ? "PENDING" : "ERROR" },
          text(`canvas.${worst}`),
        ),
      );
    item.append(eye);
    return item;
  }

  function show(): void {
    const focused = (globalThis.document.activeElement as HTMLElement | null)?.closest<HTMLElement>("#layers button");
    const [path, kind] = [focused?.dataset.path, focused?.className];
    const elements = allOf(document.layout.elements).toReversed();
    list.replaceChildren(...inGroupOrder(elements).map(row));
    element("#no-layers").hidden = elements.length > 0;
    element("#hidden").textContent = hidden.size > 0 ? text("canvas.hidden", { count: hidden.size }) : "";
    if (path !== undefined)
      [...list.querySelectorAll<HTMLButtonElement>("button")]
        .find((one) => one.dataset.path === path && one.className === kind)
        ?.focus();
    const { selection } = document.edited;
    for (const id of ["forward", "back", "duplicate", "remove", "group", "stack"])
      element<HTMLButtonElement>(`#${id}`).disabled = !mayWrite || selection.length === 0;
    element<HTMLButtonElement>("#ungroup").disabled =
      !mayWrite || !document.selected.some(({ element: one }) => "elements" in one);
  }

  list.addEventListener("click", ({ target, shiftKey, ctrlKey, metaKey }) => {
    const button = (target as Element).closest<HTMLButtonElement>("button");
    if (button === null) return;
    const path = JSON.parse(button.dataset.path ?? "[]") as Path;
    if (button.classList.contains("eye")) return toggle(path);
    const { selection } = document.edited;
    const isMore = shiftKey || ctrlKey || metaKey;
    const isChosen = selection.some((one) => isSame(one, path));
    if (!isMore) return document.select([path]);
    document.select(isChosen ? selection.filter((one) => !isSame(one, path)) : [...selection, path]);
  });
  followDrags(list, dropped);

  function toggle(path: Path): void {
    const key = JSON.stringify(path);
    if (!hidden.delete(key)) hidden.add(key);
    show();
    world.redraw();
  }

  /** Moves an element to the place of a sibling. */
  function dropped(from: Path, to: Path): void {
    if (!isSame(from.slice(0, -1), to.slice(0, -1))) return;
    const made = reordered(document.layout, from, (to.at(-1) ?? 0) - (from.at(-1) ?? 0));
    document.changeLayout(made.layout, [made.path]);
  }

  function act(which: LayerAct): void {
    const chosen = outermost(document.edited.selection);
    if (chosen.length === 0 || !mayWrite) return;
    // Elements are hidden by their places; after an action, other elements may have these places.
    hidden.clear();
    const made = madeBy(which, chosen);
    if (made) document.changeLayout(made.layout, made.selection);
  }

  /** Returns the layout after an action, and its selection; undefined if the action does not suit the elements. */
  function madeBy(which: LayerAct, chosen: readonly Path[]): Grouped<Layout> | undefined {
    const { layout } = document;
    const [path = []] = chosen;
    switch (which) {
      case "remove":
        return { layout: removed(layout, chosen), selection: [] };
      case "duplicate":
        return duplicated(layout, path);
      case "forward":
      case "back": {
        const made = reordered(layout, path, which === "forward" ? 1 : -1);
        return { layout: made.layout, selection: [made.path] };
      }
      case "ungroup":
        return ungrouped(layout, path, world.dpi());
      default:
        return grouped(layout, chosen, which, world.dpi());
    }
  }

  for (const id of ["forward", "back", "duplicate", "group", "stack", "ungroup", "remove"] as const)
    element(`#${id}`).addEventListener("click", () => act(id));
  const add = element<HTMLSelectElement>("#add");
  add.disabled = !mayWrite;
  add.addEventListener("change", () => {
    if (add.value === "") return;
    const { layout } = document;
    const path = [layout.elements.length];
    document.changeLayout(inserted(layout, path, newElement(add.value as Kind, layout)), [path]);
    add.value = "";
  });
  document.follow(show);
  show();
  return {
    act,
    mark(next) {
      notices = next;
      show();
    },
  };
}

/** Returns a layout with a copy of an element above it, slightly offset. */
function duplicated(layout: Layout, path: Path): Grouped<Layout> | undefined {
  const original = elementAt(layout, path);
  if (original === undefined) return undefined;
  const copy = [...path.slice(0, -1), (path.at(-1) ?? 0) + 1];
  const beside = (length: number) => (typeof length === "number" ? length + COPY_OFFSET : length);
  const moved = { ...original, x: beside(original.x), y: beside(original.y) };
  return { layout: inserted(layout, copy, moved), selection: [copy] };
}

/** Sorts topmost first, but each group before its members. */
function inGroupOrder<Entry extends { path: Path }>(reversed: readonly Entry[]): Entry[] {
  const under = (parent: Path): Entry[] =>
    reversed
      .filter(({ path }) => path.length === parent.length + 1 && isSame(path.slice(0, -1), parent))
      .flatMap((entry) => [entry, ...under(entry.path)]);
  return under([]);
}

/** Handles rows that are dragged onto others. */
function followDrags(list: HTMLElement, drop: (from: Path, to: Path) => void): void {
  const pathAt = (target: EventTarget | null) => (target as Element | null)?.closest<HTMLElement>("li")?.dataset.path;
  let from: string | undefined;
  list.addEventListener("dragstart", ({ target }) => {
    from = pathAt(target);
  });
  list.addEventListener("dragover", (event) => {
    if (from !== undefined) event.preventDefault();
  });
  list.addEventListener("drop", (event) => {
    event.preventDefault();
    const to = pathAt(event.target);
    if (from !== undefined && to !== undefined && from !== to) drop(JSON.parse(from) as Path, JSON.parse(to) as Path);
    from = undefined;
  });
}
