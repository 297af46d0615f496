import { element } from "../../../call.ts";
import type { Texts } from "../../../texts.ts";
import { make, option } from "../../make.ts";
import { scaledElements } from "../document/areas.ts";
import { type Document, layoutsOf } from "../document/document.ts";
import type { Layout } from "../document/elements.ts";
import type { EditorData } from "../editor-data.ts";
import { labelSize, layoutFor, typesFor } from "../trial/fitting.ts";
import { latest } from "../trial/latest.ts";
import type { PreviewingMany, TrialItem } from "../trial/preview-shapes.ts";

interface SizesWorld {
  data: EditorData;
  document: Document;
  text: Texts;
  preview: PreviewingMany;
  item(): TrialItem;
}

export interface Sizes {
  /** Redraws the pictures of all sizes, a moment after the last change. */
  draw(): void;
}

const PAUSE_MS = 500;

/** Shows the sizes of a design side by side, each with its picture; one of them is edited. */
export function openSizes({ data, document, text, preview, item }: SizesWorld): Sizes {
  const list = element("#sizes");
  let timer: ReturnType<typeof setTimeout> | undefined;

  function show(): void {
    const layouts = layoutsOf(document.edited.canvas);
    const known = new Map([...list.querySelectorAll<HTMLImageElement>("img")].map((one) => [one.dataset.size, one]));
    const buttons = layouts.map((layout, index) => {
      const { width, height } = labelSize(layout);
      const size = `${index}:${width}x${height}`;
      const picture = known.get(size) ?? make("img", { class: "pixels", alt: "", "data-size": size });
      const button = make(
        "button",
        { type: "button", class: "size" },
        picture,
        make("span", {}, `${width} × ${height}`),
      );
      button.setAttribute("aria-pressed", String(index === document.edited.layout));
      button.addEventListener("click", () => document.show(index));
      return button;
    });
    list.replaceChildren(...buttons, ...(data.mayWrite ? [addition(layouts), ...removal(layouts)] : []));
  }

  /** The choice of a size that the design lacks; it starts with the current elements, in proportion. */
  function addition(layouts: readonly Layout[]): HTMLElement {
    const missing = data.types.filter((type) => layoutFor(layouts, type) === undefined);
    const choice = make("select", { class: "add-size", disabled: missing.length === 0 });
    choice.setAttribute("aria-label", text("canvas.addSize"));
    const sizes = new Map(missing.map(({ width, height, type }) => [`${width} × ${height}`, type]));
    choice.append(
      option("", `+ ${text("canvas.addSize")}`),
      ...[...sizes].map(([size, type]) => option(String(type), size)),
    );
    choice.addEventListener("change", () => {
      const type = data.types.find((one) => String(one.type) === choice.value);
      if (type) add(type);
    });
    return choice;
  }

  function add({ width, height }: { width: number; height: number }): void {
    const { canvas } = document.edited;
    const { layout } = document;
    const elements = scaledElements(layout.elements, width / layout.width, height / layout.height);
    const variants = [...(canvas.variants ?? []), { width, height, background: layout.background, elements }];
    document.change({ canvas: { ...canvas, variants }, layout: variants.length, selection: [] });
  }

  function removal(layouts: readonly Layout[]): HTMLElement[] {
    const { layout: index, canvas } = document.edited;
    if (layouts.length < 2 || index === 0) return [];
    const button = make("button", { type: "button", class: "glyph", title: text("canvas.removeSize") }, "✕");
    button.setAttribute("aria-label", text("canvas.removeSize"));
    button.addEventListener("click", () => {
      const variants = (canvas.variants ?? []).filter((_, at) => at !== index - 1);
      const { variants: _, ...rest } = canvas;
      document.change({ canvas: { ...rest, ...(variants.length > 0 && { variants }) }, layout: 0, selection: [] });
    });
    return [button];
  }

  /** One call at a time, as in the matrix, so that the edited picture can be drawn in between. */
  const drawEach = latest(async () => {
    const { canvas } = document.edited;
    const layouts = layoutsOf(canvas);
    const types = layouts.map((_, index) => typesFor(layouts, index, data.types)[0]?.type);
    const order = { canvas, labelTypes: types.filter((type) => type !== undefined), items: [item()] };
    const answer = order.labelTypes.length > 0 ? await preview(order).catch(() => undefined) : undefined;
    if (answer === undefined || !("previews" in answer)) return;
    for (const [index, picture] of list.querySelectorAll("img").entries()) {
      const found = answer.previews.find(({ labelType }) => labelType === types[index]);
      if (found) picture.src = `data:image/png;base64,${found.png}`;
    }
  });

  document.follow((what) => what === "design" && show());
  show();
  return {
    draw() {
      clearTimeout(timer);
      timer = setTimeout(() => drawEach(undefined), PAUSE_MS);
    },
  };
}
