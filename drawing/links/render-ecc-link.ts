import { LRUCache } from "lru-cache";
import type { EccLink } from "../../schemas/design.ts";
import { type DrawingNotice, notice } from "../../schemas/drawing-notice.ts";
import { faultOf } from "../../schemas/image.ts";
import { type CompiledCanvas, compileCanvas } from "../canvas/compile-canvas.ts";
import type { Painter } from "../canvas/painter.ts";
import type { EccModel } from "./ecc-elements.ts";
import { readEccHints } from "./ecc-hints.ts";
import { type EccHints, eccModels, layOutModel } from "./ecc-models.ts";
import { bare, drawCanvas, type Rendering, variablesOf } from "./render-link.ts";
import type { Surroundings } from "./surroundings.ts";

/** The facts from which an ECC link's picture is drawn. */
export interface EccFacts extends Surroundings {
  eccLink: EccLink;
}

/** Maximum number of cached layouts. The key is the model, label type, hints and the store's language. */
const MAX_LAYOUTS = 200;

/**
 * Draws each ECC link by its model, with its parameters. An unknown model or a missing required parameter is a fault of the
 * label. An unknown parameter produces a warning.
 */
export function createEccRendering<Picture>(painter: Painter<Picture>): (facts: EccFacts) => Rendering<Picture> {
  const layouts = new LRUCache<string, { canvas: CompiledCanvas | undefined }>({ max: MAX_LAYOUTS });

  function canvasOf(model: EccModel, { labelType, store }: EccFacts, hints: EccHints): CompiledCanvas | undefined {
    const key = JSON.stringify([model.id, labelType, hints, store.locale, store.currency]);
    const known = layouts.get(key) ?? { canvas: compileModel(model, labelType, hints, store) };
    layouts.set(key, known);
    return known.canvas;
  }

  return (facts) => {
    const { eccLink, item, labelType } = facts;
    if (eccLink.status !== "ACTIVE" || item === undefined) return bare(painter, labelType);
    const fail = (told: DrawingNotice) => bare(painter, labelType, faultOf("DRAWING_FAILED", told));
    const model = eccModels.get(eccLink.eccModelId);
    if (model === undefined)
      return fail(notice("ECC_UNKNOWN", { model: eccLink.eccModelId, models: [...eccModels.keys()].join(", ") }));
    const parameters = new Map(eccLink.parameters.map(({ key, value }) => [key, value]));
    const lacking = model.parameters.filter(({ key, isRequired }) => isRequired && !parameters.get(key));
    if (lacking.length > 0)
      return fail(notice("ECC_LACKS", { model: model.id, parameters: lacking.map(({ key }) => key).join(", ") }));
    const { hints, warnings } = readEccHints(new Map(eccLink.renderingHints.map(({ key, value }) => [key, value])));
    const canvas = canvasOf(model, facts, hints);
    if (canvas === undefined) return fail(notice("ECC_SEGMENTS", { model: model.id }));
    const variables = variablesOf(facts, eccLink, item);
    const drawn = drawCanvas(painter, canvas, facts, { ...variables, link: { ...variables.link, parameters } });
    return { ...drawn, warnings: [...unknownParameters(model, parameters), ...warnings, ...drawn.warnings] };
  };
}

function compileModel(...[model, labelType, hints, store]: Parameters<typeof layOutModel>): CompiledCanvas | undefined {
  const layout = layOutModel(model, labelType, hints, store);
  return layout && compileCanvas({ name: model.id, ...layout });
}

function unknownParameters(model: EccModel, given: ReadonlyMap<string, string>): DrawingNotice[] {
  const known = model.parameters.map(({ key }) => key);
  return [...given.keys()]
    .filter((key) => !known.includes(key))
    .map((key) => notice("ECC_PARAMETER", { model: model.id, parameter: key, parameters: known.join(", ") }));
}
