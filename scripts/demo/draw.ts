import { scenarioVariables } from "../../domain/expression/variables.ts";
import { chooseScenario } from "../../domain/packs/choose-scenario.ts";
import { compilePack } from "../../domain/packs/compile-pack.ts";
import { type CompiledCanvas, compileCanvas } from "../../drawing/canvas/compile-canvas.ts";
import { type Painter, pixelPainter } from "../../drawing/canvas/painter.ts";
import { type Rendering, renderLink } from "../../drawing/links/render-link.ts";
import type { Framebuffer } from "../../drawing/pixels/framebuffer.ts";
import type { Item } from "../../schemas/item.ts";
import type { LabelType } from "../../schemas/label-type.ts";
import { demoStore } from "./catalogue.ts";
import { demoDesigns, demoPack } from "./designs.ts";

const scenarios = compilePack(demoPack, (_, error) => {
  throw error;
});
const designs = new Map(demoDesigns.map(({ key, design, canvas }) => [key, { design, canvas: compileCanvas(canvas) }]));

/** Returns the key of the design that the demo's rules choose for an item on a label. Undefined if none fits. */
export function chooseDemoDesign(item: Item, type: number): string | undefined {
  const match = chooseScenario(scenarios, scenarioVariables(item, {}, type));
  return match?.scenario.design_ids.find((id) => designs.get(id)?.design.compatible_esltype_ids.includes(type));
}

/**
 * Draws an item on a label with a design of the demo, or with another canvas under that key, without the pipeline. The pipeline
 * should produce the same picture.
 */
export function renderDemo(
  item: Item,
  labelType: LabelType,
  design: string | undefined,
  canvas: CompiledCanvas | undefined = designs.get(design ?? "")?.canvas,
  painter: Painter<Framebuffer> = pixelPainter,
): Rendering {
  const link = { derivedFrom: "studiolink.v1" as const, linkRev: 1, status: "ACTIVE" as const, itemId: item.itemId };
  return renderLink(painter, {
    designerLink: { ...link, design_id: design ?? null },
    displayPosition: 0,
    item,
    labelType,
    store: demoStore,
    canvas,
    images: new Map(),
  });
}

/** Returns only the picture that `renderDemo` draws. */
export const drawDemo = (...labelled: Parameters<typeof renderDemo>): Framebuffer => renderDemo(...labelled).picture;
