import type * as Bundle from "../../../vendor/moveable.ts";
import type { Path } from "../document/elements.ts";
import type { Move } from "./moves.ts";

/** The actions of the handles over the picture. */
export interface HandleActions {
  /** Pixels of the page per pixel of the label. */
  scale(): number;
  isSnapping(): boolean;
  boxes(): HTMLElement[];
  pathOf(box: Element): Path;
  select(paths: readonly Path[]): void;
  begin(): void;
  /** Changes since the drag began, in pixels of the label. */
  move(moves: readonly Move[]): void;
  end(): void;
}

export interface Handles {
  /** Puts the handles around the boxes of the selected elements; `isSizable` is true if they can be resized. */
  target(boxes: readonly HTMLElement[], isSizable: boolean): void;
  /** Called after boxes have changed for any other reason. */
  refresh(): void;
}

const SNAP_DISTANCE = 6;

/** Opens handles (Moveable) and the selection by pointer (Selecto) over the boxes of a sheet. */
export async function openHandles(sheet: HTMLElement, stage: HTMLElement, act: HandleActions): Promise<Handles> {
  const { Moveable, Selecto } = (await import("../../../vendor/moveable.js")) as unknown as Classes;
  const moveable = new Moveable(sheet, {
    ...{ draggable: true, resizable: true, snappable: true, origin: false, keepRatio: false },
    ...{ snapThreshold: SNAP_DISTANCE, isDisplaySnapDigit: false, checkInput: false },
    ...{ snapDirections: edges, elementSnapDirections: edges },
  });
  const selecto = new Selecto({
    ...{ container: stage, dragContainer: stage, selectableTargets: [".box"], hitRate: 0 },
    ...{ selectByClick: true, selectFromInside: false, toggleContinueSelect: "shift", preventDefault: false },
  });
  followMoves(moveable, act);
  followSelection(selecto, moveable, act);
  return {
    target(boxes, isSizable) {
      moveable.target = [...boxes];
      moveable.resizable = isSizable;
      selecto.setSelectedTargets([...boxes]);
      prepare();
    },
    refresh() {
      prepare();
      moveable.updateRect();
    },
  };

  /** Sets whole pixels of the label as steps, and the edges of all other boxes as guidelines to snap to. */
  function prepare(): void {
    const scale = act.scale();
    const targets = new Set(moveable.getTargets());
    moveable.throttleDrag = scale;
    moveable.throttleResize = scale;
    moveable.snappable = act.isSnapping();
    moveable.elementGuidelines = act.boxes().filter((box) => !targets.has(box));
    moveable.verticalGuidelines = [0, sheet.clientWidth / 2, sheet.clientWidth];
    moveable.horizontalGuidelines = [0, sheet.clientHeight / 2, sheet.clientHeight];
  }
}

const edges = { top: true, left: true, bottom: true, right: true, center: true, middle: true };

/** The types describe CommonJS modules, whose classes are nested one level deeper. */
interface Classes {
  Moveable: typeof Bundle.Moveable.default;
  Selecto: typeof Bundle.Selecto.default;
}
type Moveables = InstanceType<Classes["Moveable"]>;
type Selectos = InstanceType<Classes["Selecto"]>;

interface Dragged {
  target: Element;
  beforeDist: number[];
}
interface Sized {
  target: Element;
  dist: number[];
  drag: { beforeDist: number[] };
}

function followMoves(moveable: Moveables, act: HandleActions): void {
  const pixels = (way = 0) => Math.round(way / act.scale());
  const dragged = ({ target, beforeDist: [x, y] }: Dragged): Move => ({
    path: act.pathOf(target),
    x: pixels(x),
    y: pixels(y),
  });
  const sized = ({ target, dist: [width, height], drag }: Sized): Move => ({
    ...dragged({ target, beforeDist: drag.beforeDist }),
    width: pixels(width),
    height: pixels(height),
  });
  for (const name of ["dragStart", "dragGroupStart", "resizeStart", "resizeGroupStart"] as const)
    moveable.on(name, () => act.begin());
  for (const name of ["dragEnd", "dragGroupEnd", "resizeEnd", "resizeGroupEnd"] as const)
    moveable.on(name, () => act.end());
  moveable.on("drag", (event) => act.move([dragged(event)]));
  moveable.on("dragGroup", ({ events }) => act.move(events.map(dragged)));
  moveable.on("resize", (event) => act.move([sized(event)]));
  moveable.on("resizeGroup", ({ events }) => act.move(events.map(sized)));
}

function followSelection(selecto: Selectos, moveable: Moveables, act: HandleActions): void {
  selecto.on("dragStart", (event) => {
    const { target } = event.inputEvent as { target: Element };
    if (moveable.isMoveableElement(target) || moveable.getTargets().some((box) => box === target)) event.stop();
  });
  selecto.on("selectEnd", ({ selected, isDragStartEnd, inputEvent }) => {
    act.select(selected.map(act.pathOf));
    if (!isDragStartEnd) return;
    inputEvent.preventDefault();
    void moveable.waitToChangeTarget().then(() => moveable.dragStart(inputEvent));
  });
}
