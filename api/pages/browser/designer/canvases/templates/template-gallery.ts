import { call } from "../../../call.ts";
import type { Texts } from "../../../texts.ts";
import { make } from "../../make.ts";
import type { Canvas } from "../document/document.ts";
import { readItems } from "../trial/items.ts";
import type { Preview, TrialItem } from "../trial/preview-shapes.ts";
import { layOut, type Size } from "./lay-out.ts";
import { sampleItem } from "./sample-item.ts";

interface GalleryWorld {
  form: HTMLFormElement;
  text: Texts;
  /** Addresses of the management interface and of the store's, and the store's id. */
  manage: string;
  base: string;
  storeId: string;
  types: readonly Size[];
  /** Returns the label types that are chosen for the new design. */
  chosen(): readonly Size[];
}

/** Maximum number of pictures of one template, and the delay before they are drawn after a choice. */
const MAX_PICTURES = 3;
const PAUSE_MS = 200;

/** Shows the templates as the renderer draws them with an item of the store, on the chosen label types. */
export function openGallery(world: GalleryWorld): void {
  const { form, text, manage, base, storeId, types, chosen } = world;
  const cards = [...form.querySelectorAll<HTMLElement>("[data-template]")];
  let items: Promise<readonly TrialItem[]> | undefined;
  let run = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function drawAll(signal: AbortSignal): Promise<void> {
    items ??= readItems(base);
    const known = await items;
    const wanted = chosen();
    const shownOn = wanted.length > 0 ? wanted : usualOf(types);
    for (const card of cards) {
      const made = await layOut({ manage, storeId }, card.dataset.template ?? "", shownOn, signal);
      if (signal.aborted) return;
      if (made === undefined) continue;
      const offered = shownOn.filter(({ type }) => made.labelTypes.includes(type));
      tellRoom(card, shownOn, offered);
      await showPictures(card, made.canvas, offered, known, signal);
    }
    form.dataset.drawn = String(Number(form.dataset.drawn ?? 0) + 1);
  }

  /** Lists the labels that are too small for a template; a template that fits none cannot be chosen. */
  function tellRoom(card: HTMLElement, wanted: readonly Size[], offered: readonly Size[]): void {
    const lacking = new Set(
      wanted.filter((size) => !offered.includes(size)).map(({ width, height }) => `${width} × ${height}`),
    );
    const choice = card.querySelector<HTMLInputElement>("input");
    const said = card.querySelector<HTMLElement>(".lacking");
    if (choice === null || said === null) return;
    choice.disabled = offered.length === 0;
    if (choice.disabled && choice.checked) (form.elements.namedItem("start") as RadioNodeList).value = "";
    said.textContent = lacking.size > 0 ? text("canvases.lacking", { sizes: [...lacking].join(", ") }) : "";
  }

  async function showPictures(
    card: HTMLElement,
    canvas: Canvas | undefined,
    offered: readonly Size[],
    known: readonly TrialItem[],
    signal: AbortSignal,
  ): Promise<void> {
    const place = card.querySelector<HTMLElement>(".start-pictures");
    if (place === null) return;
    const sizes = [...new Map(offered.map((size) => [`${size.width}x${size.height}`, size.type])).values()];
    const labelTypes = sizes.slice(0, MAX_PICTURES);
    const item = canvas && sampleItem(canvas, known, text("canvases.sampleItem"));
    const order = { canvas, storeId, items: [item], labelTypes };
    const answer =
      canvas && (await call("POST", `${manage}/designs/previews`, order, undefined, signal).catch(() => undefined));
    const { previews = [] } = (answer?.ok ? await answer.json() : {}) as {
      previews?: (Preview & { labelType: number })[];
    };
    if (signal.aborted) return;
    const inOrder = labelTypes.flatMap((type) => previews.find(({ labelType }) => labelType === type) ?? []);
    place.replaceChildren(
      ...inOrder.map(({ png, width, height }) =>
        make("img", {
          ...{ class: "pixels", src: `data:image/png;base64,${png}`, width, height },
          alt: `${width} × ${height}: ${item?.itemName ?? ""}`,
        }),
      ),
    );
  }

  function draw(): void {
    if (!isInSight()) return;
    clearTimeout(timer);
    run.abort();
    run = new AbortController();
    const { signal } = run;
    timer = setTimeout(() => void drawAll(signal), PAUSE_MS);
  }

  const isInSight = () => form.closest("details")?.open === true;
  form.closest("details")?.addEventListener("toggle", draw);
  form.addEventListener("change", ({ target }) => (target as HTMLInputElement).name === "types" && draw());
  draw();
}

/** A label of usual size, until one is chosen. */
const usualOf = (types: readonly Size[]): Size[] =>
  types
    .toSorted((one, other) => one.width * one.height - other.width * other.height)
    .filter((_, index, all) => index === Math.floor(all.length / 2));
