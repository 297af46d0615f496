import { element } from "../../../call.ts";
import type { HardItem } from "../../../shared/hard-items.ts";
import type { Texts } from "../../../texts.ts";
import { make } from "../../make.ts";
import type { Canvas } from "../document/document.ts";
import type { EditorData, TrialType } from "../editor-data.ts";
import { typesToTry } from "../trial/fitting.ts";
import { readLive } from "../trial/live.ts";
import { isWorse, pairOf } from "../trial/pair.ts";
import type { DrawnCell, PreviewingMany, TrialItem } from "../trial/preview-shapes.ts";

interface PicturesWorld {
  data: EditorData;
  text: Texts;
  preview: PreviewingMany;
  items(): readonly HardItem<TrialItem>[];
}

/** Maximum number of pictures that are compared, and of pairs that are shown. */
const MAX_CELLS = 60;
const MAX_PAIRS = 12;

let turn = 0;

/**
 * Draws the hardest items on each kind of label with the published canvas and with the draft, and shows the pairs that
 * differ, worse pictures first. Shows nothing if the dialog was reopened in the meantime.
 */
export async function showChangedPictures(
  canvas: Canvas,
  { data, text, preview, items }: PicturesWorld,
): Promise<void> {
  const place = element("#publish-pictures");
  place.replaceChildren();
  turn += 1;
  const mine = turn;
  const tried = items();
  const types = distinctTypes(typesToTry(canvas, data.types, data.types.length)).slice(
    0,
    Math.max(1, Math.floor(MAX_CELLS / tried.length)),
  );
  const live = await readLive(data);
  const draw = async (of: Canvas | undefined): Promise<readonly DrawnCell[]> => {
    const labelTypes = (of ? typesToTry(of, types, types.length) : []).map(({ type }) => type);
    if (of === undefined || labelTypes.length === 0) return [];
    const answer = await preview({ canvas: of, labelTypes, items: tried.map(({ item }) => item) });
    return "previews" in answer ? answer.previews : [];
  };
  const [before, after] = [await draw(live), await draw(canvas)];
  if (mine !== turn) return;
  const pairs = after.flatMap((cell) => {
    const former = before.find((one) => one.itemIndex === cell.itemIndex && one.labelType === cell.labelType);
    return former?.png === cell.png ? [] : [{ former, cell }];
  });
  const worseFirst = pairs.toSorted(
    (one, other) => Number(isWorse(other.former, other.cell)) - Number(isWorse(one.former, one.cell)),
  );
  const rows = worseFirst.slice(0, MAX_PAIRS).map(({ former, cell }) => {
    const item = tried[cell.itemIndex]?.item;
    return pairOf(`${cell.labelType}, ${item?.itemName ?? item?.itemId ?? ""}`, former, cell, text);
  });
  place.replaceChildren(
    make("p", { class: "hint" }, text("canvas.changedPictures", { count: pairs.length, all: after.length })),
    make("ul", { class: "pairs", tabindex: "0" }, ...rows),
  );
}

/** Returns the first label type for each combination of size, density and colours; other types have the same pictures. */
function distinctTypes(types: readonly TrialType[]): TrialType[] {
  const kinds = Map.groupBy(types, ({ width, height, dpi, colors }) => JSON.stringify([width, height, dpi, colors]));
  return [...kinds.values()].flatMap(([first]) => first ?? []);
}
