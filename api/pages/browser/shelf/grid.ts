import { addressBelow } from "../call.ts";
import { clearPictures, type PictureOf, setPicture } from "./pictures.ts";
import type { ShelfItem, ShelfLabel } from "./read-labels.ts";

/** What the grid needs to draw a label. */
export interface GridWorld {
  root: HTMLElement;
  labelAddress: string;
  imageAddress(label: ShelfLabel, of: PictureOf): string;
  itemOf(label: ShelfLabel): ShelfItem | undefined;
  isSelected(barcode: string): boolean;
  text(key: string): string;
  priceOf(price: string): string;
  markOf(state: string): string;
  mayAct: boolean;
}

const CELL_WIDTH = 232;
const CELL_HEIGHT = 212;
const GAP = 12;
/** Rows above and below the visible area. */
const SPARE_ROWS = 2;
/** How long scrolling must have stopped before pictures are fetched. */
const REST_MS = 90;

/** Draws the visible cells of many labels: cells that leave the window are reused for those that enter it. */
export function createGrid(world: GridWorld) {
  const { root } = world;
  let labels: readonly ShelfLabel[] = [];
  const cells = new Map<number, HTMLElement>();
  const spare: HTMLElement[] = [];
  let columns = 1;
  let rest: number | undefined;
  let isDue = false;

  function draw(): void {
    isDue = false;
    const width = root.clientWidth;
    columns = Math.max(1, Math.floor((width + GAP) / (CELL_WIDTH + GAP)));
    const rows = Math.ceil(labels.length / columns);
    const height = `${Math.max(0, rows * (CELL_HEIGHT + GAP) - GAP)}px`;
    // Written only if it changes, because each write would cause a layout of the whole page in a frame of scrolling.
    if (root.style.height !== height) root.style.height = height;
    const top = -root.getBoundingClientRect().top;
    const first = Math.max(0, Math.floor(top / (CELL_HEIGHT + GAP)) - SPARE_ROWS);
    const last = Math.min(rows - 1, Math.ceil((top + innerHeight) / (CELL_HEIGHT + GAP)) + SPARE_ROWS);
    const [from, to] = [first * columns, Math.min(labels.length, (last + 1) * columns)];
    spareCells(from, to);
    placeCells(from, to, columns === 1 ? width : (width - GAP * (columns - 1)) / columns);
    window.clearTimeout(rest);
    rest = window.setTimeout(loadPictures, REST_MS);
  }

  /** Removes the cells of labels that are not between `from` and `to`, or no longer exist. */
  function spareCells(from: number, to: number): void {
    for (const [index, cell] of cells) {
      const isSame = labels[index]?.barcode === cell.dataset.barcode;
      // A focused cell is kept, so that the keyboard does not lose its place.
      const isFocused = index < labels.length && cell.contains(document.activeElement);
      if (isSame && ((index >= from && index < to) || isFocused)) continue;
      cells.delete(index);
      cell.remove();
      spare.push(cell);
    }
  }

  function placeCells(from: number, to: number, cellWidth: number): void {
    for (let index = from; index < to; index += 1) {
      const label = labels[index];
      if (label === undefined) continue;
      const cell = cells.get(index) ?? spare.pop() ?? createCell(world.mayAct);
      cell.style.width = `${cellWidth}px`;
      cell.style.transform = `translate(${(index % columns) * (cellWidth + GAP)}px, ${Math.floor(index / columns) * (CELL_HEIGHT + GAP)}px)`;
      if (!cells.has(index)) {
        cells.set(index, cell);
        root.append(cell);
      }
      fillCell(cell, label, index, labels.length, world);
    }
  }

  function loadPictures(): void {
    for (const [index, cell] of cells) {
      const label = labels[index];
      const place = cell.querySelector<HTMLElement>(".picture");
      if (label === undefined || place === null) continue;
      setPicture(place, "shown", world.imageAddress(label, "shown"), world.text("label.now"));
      const isNewest = label.state === "OK" || label.state === "NEW";
      setPicture(place, "next", isNewest ? undefined : world.imageAddress(label, "next"), world.text("label.next"));
    }
  }

  const soon = () => {
    if (!isDue) requestAnimationFrame(draw);
    isDue = true;
  };
  addEventListener("scroll", soon, { passive: true });
  new ResizeObserver(soon).observe(root);

  return {
    show(next: readonly ShelfLabel[]): void {
      labels = next;
      soon();
    },
    redraw: soon,
  };
}

function createCell(mayAct: boolean): HTMLElement {
  const cell = document.createElement("article");
  cell.className = "cell";
  cell.setAttribute("role", "listitem");
  cell.innerHTML = `<a class="open"><span class="picture"><span class="none" hidden></span></span><span class="name"></span><span class="line"><span class="barcode"></span><span class="price"></span></span></a><p class="line"><span class="state"></span><span class="low" hidden></span></p>${mayAct ? `<label class="pick"><input type="checkbox"><span class="visually-hidden"></span></label>` : ""}`;
  return cell;
}

function fillCell(
  cell: HTMLElement,
  label: ShelfLabel,
  index: number,
  count: number,
  { labelAddress, itemOf, isSelected, text, priceOf, markOf }: GridWorld,
): void {
  const item = itemOf(label);
  const isPicked = isSelected(label.barcode);
  const drawn = `${label.barcode} ${label.version} ${label.state} ${item?.itemName} ${item?.price} ${isPicked} ${count}`;
  if (cell.dataset.drawn === drawn) return;
  cell.dataset.drawn = drawn;
  const place = cell.querySelector<HTMLElement>(".picture");
  if (place && cell.dataset.barcode !== label.barcode) clearPictures(place);
  cell.dataset.barcode = label.barcode;
  cell.dataset.picked = String(isPicked);
  cell.ariaPosInSet = String(index + 1);
  cell.ariaSetSize = String(count);
  const put = (selector: string, content: string) => {
    const part = cell.querySelector(selector);
    if (part && part.textContent !== content) part.textContent = content;
  };
  const open = cell.querySelector<HTMLAnchorElement>(".open");
  if (open) open.href = addressBelow(labelAddress, label.barcode);
  put(".name", item?.itemName ?? label.item ?? text("shelf.notLinked"));
  put(".barcode", label.barcode);
  put(".price", item?.price ? priceOf(item.price) : "");
  put(".none", text("shelf.noPicture"));
  const state = cell.querySelector<HTMLElement>(".state");
  if (state && state.dataset.state !== label.state) {
    state.dataset.state = label.state;
    // The mark is HTML of the page itself; the word is plain text.
    state.innerHTML = markOf(label.state);
    state.append(text(`state.${label.state}`));
  }
  const low = cell.querySelector<HTMLElement>(".low");
  if (low) low.hidden = label.battery !== "LOW";
  if (low && !low.hidden && low.childElementCount === 0) {
    low.innerHTML = markOf("battery");
    low.append(text("battery.LOW"));
  }
  const box = cell.querySelector<HTMLInputElement>(".pick input");
  if (box) box.checked = isPicked;
  put(".pick span", `${text("shelf.select")} ${label.barcode}`);
}
