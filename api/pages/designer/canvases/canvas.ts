import { colors } from "../../../../schemas/color.ts";
import { idOf } from "../../../../schemas/keys.ts";
import type { LabelType } from "../../../../schemas/label-type.ts";
import { dpiOf } from "../../../../schemas/panels.ts";
import { entityTag } from "../../../http/entity-tag.ts";
import { ProblemError } from "../../../http/problem-error.ts";
import { type Canvas, isDrawable } from "../../browser/designer/canvases/document/document.ts";
import type { EditorData } from "../../browser/designer/canvases/editor-data.ts";
import { html } from "../../html/html.ts";
import { drawingKeys } from "../../layout/drawing-keys.ts";
import { refusalKeys } from "../../layout/reason-keys.ts";
import { scriptTexts } from "../../layout/script-texts.ts";
import { canvas as messages } from "../../messages/canvas/en.ts";
import type { Page, Visit } from "../../visit.ts";
import { assertDesigner } from "../desk.ts";
import type { ShownCanvas } from "./canvases.ts";
import { editor } from "./editor.ts";
import { formFields } from "./form-fields.ts";

interface ShownDraft {
  content: unknown;
}

interface ShownDesign {
  designId: string;
  canvasId: string;
  compatible_esltype_ids: readonly number[];
}

/** One design in the editor; the renderer draws it after each change. */
export const canvasPage: Page = {
  path: "/designer/canvases/:canvasId",
  below: "designer",
  styles: ["canvases.css", "editor.css", "publishing.css"],
  scripts: ["designer/canvases/canvas.ts"],
  nothing: "problem.noEntry",
  async show(visit) {
    assertDesigner(visit);
    const canvasId = visit.params.canvasId ?? "";
    const params = { canvasId };
    const [stored, draft, design, types, designs] = await Promise.all([
      ifAny(visit.read<ShownCanvas>("getCanvasDesign", { params })),
      ifAny(visit.read<ShownDraft>("getCanvasDesignDraft", { params })),
      ifAny(visit.read<ShownDraft>("getDesignDraft", { params: { designId: canvasId } })),
      visit.read<LabelType[]>("listLabelTypes"),
      visit.read<ShownDesign[]>("listDesigns"),
    ]);
    const drafted = draft && isDrawable(draft.content) ? draft.content : undefined;
    const { canvasId: _, key: __, ...live } = stored ?? { canvasId, key: "" };
    const canvas = drafted ?? (stored && (live as Canvas));
    if (canvas === undefined) throw new ProblemError("not-found", `The canvas design "${canvasId}" does not exist.`);
    const data: EditorData = {
      ...{ canvasId, canvas, hasDesignDraft: design !== undefined },
      ...(draft && { draftTag: entityTag(JSON.stringify(draft)) }),
      ...editorFacts(visit, types, shownTypes(canvasId, designs, design)),
    };
    const texts = scriptTexts(visit, scriptKeys);
    const content = html`<div class="editor" id="editor" data-editor="${JSON.stringify(data)}" data-texts="${texts}">${editor(visit, canvas.name)}</div>`;
    return { title: canvas.name, content };
  },
};

/** Returns what the interface returns; undefined if there is nothing. */
const ifAny = <T>(reading: Promise<T>): Promise<T | undefined> =>
  reading.catch((error) => {
    if (error instanceof ProblemError && error.problem === "not-found") return undefined;
    throw error;
  });

/** Returns the label types on which the rules can show a design, or will be able to once its draft is published. */
function shownTypes(canvasId: string, designs: readonly ShownDesign[], draft: ShownDraft | undefined): Set<number> {
  const own = designs.filter((design) => idOf(design.canvasId) === canvasId);
  const drafted = (draft?.content as Partial<ShownDesign> | undefined)?.compatible_esltype_ids ?? [];
  return new Set([...own.flatMap((design) => design.compatible_esltype_ids), ...drafted]);
}

function editorFacts(
  visit: Visit,
  types: readonly LabelType[],
  shownOn: ReadonlySet<number>,
): Omit<EditorData, "canvasId" | "canvas" | "hasDesignDraft"> {
  return {
    manage: visit.manage,
    base: visit.storeBase,
    storeId: visit.store?.id ?? "",
    mayWrite: visit.mayInTenant("design:write"),
    types: types
      .filter(({ display }) => display === "matrix")
      .map((type) => ({
        ...{ type: type.type, width: type.width, height: type.height, colors: type.colors, dpi: dpiOf(type) },
        isShown: shownOn.has(type.type),
      })),
    fields: formFields,
    measured: Object.fromEntries(Object.entries(colors).map(([name, { rgb, measured }]) => [name, [rgb, measured]])),
  };
}

const scriptKeys = [
  ...(Object.keys(messages) as (keyof typeof messages)[]).filter((key) => key.startsWith("canvas.")),
  ...refusalKeys,
  ...drawingKeys,
];
