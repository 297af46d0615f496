import { element } from "../../../call.ts";
import type { Document } from "../document/document.ts";
import type { Layout } from "../document/elements.ts";
import { millimetresOf } from "../document/lengths.ts";
import type { EditorData, TrialType } from "../editor-data.ts";
import type { Preview } from "../trial/preview-shapes.ts";
import { afterFrame } from "./after-frame.ts";
import { openBoxes, pathOf } from "./boxes.ts";
import { type Handles, openHandles } from "./handles.ts";
import { moved, turnOf } from "./moves.ts";
import { onPaper, type Picture, pictureOf, showPicture } from "./picture.ts";

/** Pixels of the page per inch, and the scale at which a picture on a screen 60 cm away looks as large as a label 1 m away. */
const PAGE_DPI = 96;
const DISTANCE_SHARE = 0.6;

export interface Stage {
  /** Shows a preview; pictures arrive in order, so this one is the newest. */
  show(preview: Preview): Promise<void>;
  /** Moves boxes and handles to the elements. */
  refresh(): void;
}

interface StageWorld {
  data: EditorData;
  document: Document;
  type(): TrialType;
  hidden: ReadonlySet<string>;
}

/** The picture of the label, with boxes and handles over it, and next to it the picture in its true sizes. */
export function openStage({ data, document, type, hidden }: StageWorld): Stage {
  const [sheet, stage] = [element("#sheet"), element("#stage")];
  const boxes = openBoxes(element("#boxes"));
  const [picture, asIs, trueSize, distance] = ["#picture", "#as-is", "#true-size", "#distance"].map((id) =>
    element<HTMLCanvasElement>(id),
  ) as [HTMLCanvasElement, HTMLCanvasElement, HTMLCanvasElement, HTMLCanvasElement];
  const [scaleChoice, paper, snap] = [
    element<HTMLSelectElement>("#scale"),
    element<HTMLInputElement>("#paper"),
    element<HTMLInputElement>("#snap"),
  ];
  let handles: Handles | undefined;
  let shown: Preview["elements"] = [];
  let drawn: Picture | undefined;
  let from: { layout: Layout; step: number } = { layout: document.layout, step: 0 };
  const scale = () => Number(scaleChoice.value);
  scaleChoice.value = String(largestScale(document.layout.width, stage.clientWidth));

  function refresh(): void {
    const { layout, edited } = document;
    const { dpi } = type();
    sheet.style.width = `${layout.width * scale()}px`;
    sheet.style.height = `${layout.height * scale()}px`;
    boxes.place(layout, { layout: edited.layout, dpi, scale: scale(), shown });
    boxes.mark(edited.selection, hidden);
    handles?.refresh();
  }

  function retarget(): void {
    const { layout, edited, selected } = document;
    boxes.mark(edited.selection, hidden);
    const chosen = selected.flatMap(({ path }) => boxes.at(path) ?? []);
    handles?.target(
      data.mayWrite ? chosen : [],
      selected.every(({ path }) => turnOf(layout, path) === 0),
    );
  }

  /** Draws the edited picture; the pictures in true sizes follow with `paintOthers`. */
  function paint(): void {
    if (drawn) showPicture(picture, paper.checked ? onPaper(drawn, data.measured) : drawn, drawn.width * scale());
  }

  function paintOthers(): void {
    if (drawn === undefined) return;
    const { dpi } = type();
    const onGlass = onPaper(drawn, data.measured);
    showPicture(asIs, paper.checked ? onGlass : drawn, drawn.width);
    showPicture(trueSize, onGlass, (drawn.width / dpi) * PAGE_DPI);
    showPicture(distance, onGlass, (drawn.width / dpi) * PAGE_DPI * DISTANCE_SHARE);
    element("#millimetres").textContent = `${[drawn.width, drawn.height]
      .map((pixels) => Math.round(millimetresOf(pixels, dpi)))
      .join(" × ")} mm`;
  }

  scaleChoice.addEventListener("change", () => {
    paint();
    refresh();
  });
  paper.addEventListener("change", () => {
    paint();
    paintOthers();
  });
  snap.addEventListener("change", () => handles?.refresh());
  document.follow(() => {
    refresh();
    retarget();
  });
  void openHandles(sheet, stage, {
    ...{ scale, isSnapping: () => snap.checked, boxes: boxes.all, pathOf },
    select: (paths) => document.select(paths),
    begin: () => {
      from = { layout: document.layout, step: from.step + 1 };
    },
    move: (moves) =>
      document.changeLayout(
        moved(document.layout, from.layout, moves, type().dpi),
        document.edited.selection,
        `move ${from.step}`,
      ),
    end: refresh,
  }).then((opened) => {
    handles = opened;
    retarget();
    stage.dataset.ready = "true";
  });
  return {
    refresh,
    async show(preview) {
      drawn = await pictureOf(preview.png, document.layout.rotate);
      shown = preview.elements;
      paint();
      afterFrame(paintOthers);
    },
  };
}

/** Returns the largest scale at which the whole label is visible. */
const largestScale = (width: number, room: number): number => [4, 2].find((scale) => width * scale < room) ?? 1;
