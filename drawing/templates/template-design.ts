import type { CanvasDesign, CanvasLayout } from "../../schemas/canvas.ts";
import type { LabelType } from "../../schemas/label-type.ts";
import { dpiOf } from "../../schemas/panels.ts";

/** A template laid out for one label type. It has no canvas if the template does not fit on the label. */
export interface LaidOut {
  labelType: Pick<LabelType, "type" | "width" | "height" | "dpi">;
  canvas: CanvasDesign | undefined;
}

/** The design of a template, and the label types for which it has a layout. */
export interface TemplateDesign {
  labelTypes: number[];
  canvas: CanvasDesign;
}

/**
 * Returns one design with a layout for each size and density of labels. A layout names its label types only if other types of
 * that size have a different density. Undefined if the template fits on no label type.
 */
export function templateDesign(name: string, laidOut: readonly LaidOut[]): TemplateDesign | undefined {
  const densities = new Map(
    [...Map.groupBy(laidOut, sizeOf)].map(([size, ofSize]) => [size, new Set(ofSize.map(densityOf)).size]),
  );
  const faces = Map.groupBy(laidOut, (one) => `${sizeOf(one)} ${densityOf(one)}`);
  const layouts = [...faces.values()].flatMap((ofFace) => {
    const [first] = ofFace;
    if (first?.canvas === undefined) return [];
    const types = ofFace.map(({ labelType }) => labelType.type);
    const isOneOfSeveral = densities.get(sizeOf(first)) !== 1;
    return [{ types, layout: { ...layoutOf(first.canvas), ...(isOneOfSeveral && { labelTypes: types }) } }];
  });
  const [own, ...variants] = layouts.map(({ layout }) => layout);
  if (own === undefined) return undefined;
  const canvas = { name, ...own, ...(variants.length > 0 && { variants }) };
  return { labelTypes: layouts.flatMap(({ types }) => types), canvas };
}

const sizeOf = ({ labelType: { width, height } }: LaidOut): string => `${width}x${height}`;
const densityOf = ({ labelType }: LaidOut): number => dpiOf(labelType);

const layoutOf = ({ width, height, background, elements }: CanvasDesign): CanvasLayout => ({
  width,
  height,
  background,
  elements,
});
