import { element } from "../../../call.ts";
import type { Texts } from "../../../texts.ts";
import { type Canvas, type Document, layoutsOf } from "../document/document.ts";
import type { EditorData, TrialType } from "../editor-data.ts";
import { layoutFor } from "./fitting.ts";
import { readLive } from "./live.ts";
import { isWorse, pairOf } from "./pair.ts";
import type { DrawnCell, Preview, PreviewingMany, TrialItem } from "./preview-shapes.ts";

interface AllItemsWorld {
  data: EditorData;
  document: Document;
  text: Texts;
  preview: PreviewingMany;
  items(): readonly TrialItem[];
  type(): TrialType;
}

/** Thrown if the design cannot be drawn at all; the message lists its faults. */
class Refused extends Error {}

/** Maximum number of items that are drawn, of items in one call, and of different pairs that are shown. */
const MAX_ITEMS = 500;
const BATCH = 25;
const MAX_PAIRS = 40;

/** Draws all items with the stored and the edited design, and shows the pictures that differ side by side. */
export function openAllItems(world: AllItemsWorld): void {
  const { data, document, text } = world;
  const [button, box, state, list] = [
    element<HTMLButtonElement>("#draw-all"),
    element("#all-items"),
    element("#all-state"),
    element("#different"),
  ];
  let run: AbortController | undefined;

  button.addEventListener("click", () => {
    if (run) return stop();
    run = new AbortController();
    button.textContent = text("canvas.drawAllStop");
    box.hidden = false;
    list.replaceChildren();
    void draw(run.signal)
      .catch((error: Error) => {
        state.textContent = error instanceof Refused ? error.message : text("canvas.failed");
      })
      .finally(stop);
  });

  function stop(): void {
    run?.abort();
    run = undefined;
    button.textContent = text("canvas.drawAll");
  }

  async function draw(signal: AbortSignal): Promise<void> {
    const items = world.items().slice(0, MAX_ITEMS);
    const { canvas } = document.edited;
    const type = world.type();
    const live = await readLive(data);
    const stored = live && layoutFor(layoutsOf(live), type) !== undefined ? live : undefined;
    const counts = { done: 0, changed: 0, worse: 0 };
    const drawn = async (of: Canvas | undefined, batch: readonly TrialItem[]): Promise<readonly DrawnCell[]> => {
      const answer = of && (await world.preview({ canvas: of, labelTypes: [type.type], items: batch }));
      if (answer === undefined) return [];
      if ("previews" in answer) return answer.previews;
      throw new Refused(answer.errors.map(({ pointer, detail }) => `${pointer} ${detail}`.trim()).join("; "));
    };
    for (let from = 0; from < items.length && !signal.aborted; from += BATCH) {
      const batch = items.slice(from, from + BATCH);
      const [before, after] = [await drawn(stored, batch), await drawn(canvas, batch)];
      for (const [index, item] of batch.entries()) {
        const ofItem = ({ itemIndex }: DrawnCell) => itemIndex === index;
        count(item, before.find(ofItem), after.find(ofItem), counts);
      }
      state.textContent = text("canvas.drawAllBusy", { done: counts.done, count: items.length });
    }
    if (signal.aborted) return;
    state.textContent = [
      text("canvas.drawAllDone", { count: counts.changed }),
      ...(counts.worse > 0 ? [text("canvas.drawAllNew", { count: counts.worse })] : []),
    ].join(" ");
    state.dataset.done = String(counts.done);
  }

  function count(
    item: TrialItem,
    before: Preview | undefined,
    after: Preview | undefined,
    counts: { done: number; changed: number; worse: number },
  ): void {
    counts.done += 1;
    if (after === undefined || before?.png === after.png) return;
    counts.changed += 1;
    const isNowWorse = isWorse(before, after);
    if (isNowWorse) counts.worse += 1;
    const pair = pairOf(item.itemName ?? item.itemId, before, after, text);
    if (isNowWorse) list.prepend(pair);
    else if (list.childElementCount < MAX_PAIRS) list.append(pair);
    if (list.childElementCount > MAX_PAIRS) list.lastElementChild?.remove();
  }
}
