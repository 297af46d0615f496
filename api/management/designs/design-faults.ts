import { canvasDesigns, designs } from "../../../records/kinds/designs.ts";
import { labelTypes } from "../../../records/kinds/tenants.ts";
import { type Records, readAll } from "../../../records/records.ts";
import { type CanvasDesign, hasLayout } from "../../../schemas/canvas.ts";
import type { Design } from "../../../schemas/design.ts";
import { designKey, fullCanvasDesignKey } from "../../../schemas/keys.ts";
import { labelCatalogue } from "../../../schemas/label-catalogue.ts";
import type { Fault } from "../../../schemas/problem.ts";

const ofCatalogue = labelCatalogue.map(({ type, labelType }) => ({ type, ...labelType }));

/** Returns the faults of a design that a schema cannot express. `drafted` are canvases that replace the stored ones, by key. */
export async function designFaults(
  records: Pick<Records, "read" | "scan">,
  tenant: string,
  { canvasId, compatible_esltype_ids }: Design,
  drafted: ReadonlyMap<string, CanvasDesign> = new Map(),
): Promise<Fault[]> {
  const canvas = drafted.get(canvasId) ?? (await records.read(canvasDesigns, [canvasId])).get(canvasId);
  if (fullCanvasDesignKey(tenant, canvasId) === undefined || canvas === undefined || canvas.deleted)
    return [{ pointer: "/canvasId", detail: `the canvas design "${canvasId}" does not exist` }];
  const ofTenant = await readAll(records, labelTypes, `${tenant}/labeltypes/`);
  // A design may name label types from the catalogue before the tenant has them, so that labels of such a type show it
  // immediately.
  const known = [...ofCatalogue, ...ofTenant];
  const types = new Map(known.map((labelType) => [labelType.type, labelType]));
  return compatible_esltype_ids.flatMap((type, index): Fault[] => {
    const pointer = `/compatible_esltype_ids/${index}`;
    const labelType = types.get(type);
    if (labelType === undefined) return [{ pointer, detail: `the label type ${type} does not exist` }];
    if (hasLayout(canvas, labelType)) return [];
    const { width, height } = labelType;
    return [{ pointer, detail: `the canvas has no layout of ${width} x ${height} pixels for the label type ${type}` }];
  });
}

/**
 * Returns the label types for which designs use a canvas but its new version has no layout. `drafted` are designs that
 * replace the stored ones, by key.
 */
export async function lostTypes(
  records: Pick<Records, "scan">,
  tenant: string,
  canvas: CanvasDesign,
  key: string,
  drafted: ReadonlyMap<string, Design> = new Map(),
): Promise<number[]> {
  const stored = (await readAll(records, designs, designKey(tenant, ""))).map(
    (design) => [design._id, design] as const,
  );
  const users = [...new Map<string, Design>([...stored, ...drafted]).values()].filter(
    (design) => design.canvasId === key && !design.deleted,
  );
  const shownOn = new Set(users.flatMap((design) => design.compatible_esltype_ids));
  const types = await readAll(records, labelTypes, `${tenant}/labeltypes/`);
  return types.filter((type) => shownOn.has(type.type) && !hasLayout(canvas, type)).map(({ type }) => type);
}
