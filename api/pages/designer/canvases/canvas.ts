import { colors } from "../../../../schemas/color.ts";
import type { LabelType } from "../../../../schemas/label-type.ts";
import { dpiOf } from "../../../../schemas/panels.ts";
import { entityTag } from "../../../http/entity-tag.ts";
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

interface ShownDesign {
  designId: string;
  canvasId: string;
  compatible_esltype_ids: readonly number[];
}

/** One design in the editor, drawn by the renderer at each change. */
export const canvasPage: Page = {
  path: "/designer/canvases/:canvasId",
  below: "designer",
  styles: ["canvases.css", "editor.css"],
  scripts: ["designer/canvases/canvas.ts"],
  nothing: "problem.noEntry",
  async show(visit) {
    assertDesigner(visit);
    const canvasId = visit.params.canvasId ?? "";
    const [shown, types, designs] = await Promise.all([
      visit.read<ShownCanvas>("getCanvasDesign", { params: { canvasId } }),
      visit.read<LabelType[]>("listLabelTypes"),
      visit.read<ShownDesign[]>("listDesigns"),
    ]);
    const data = editorData(visit, shown, types, designs);
    const texts = scriptTexts(visit, scriptKeys);
    const content = html`<div class="editor" id="editor" data-editor="${JSON.stringify(data)}" data-texts="${texts}">${editor(visit, shown.name)}</div>`;
    return { title: shown.name, content };
  },
};

function editorData(
  visit: Visit,
  shown: ShownCanvas,
  types: readonly LabelType[],
  designs: readonly ShownDesign[],
): EditorData {
  const { canvasId, key, ...canvas } = shown;
  const own = designs.filter((design) => design.canvasId === key || design.canvasId === canvasId);
  const shownOn = new Set(own.flatMap((design) => design.compatible_esltype_ids));
  return {
    canvasId,
    canvas,
    tag: entityTag(JSON.stringify(shown)),
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
