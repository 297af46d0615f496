import type { Gathered } from "../../queues/derive.ts";
import { canvasDesigns } from "../../records/kinds/canvas-design.ts";
import { designs } from "../../records/kinds/design.ts";
import { designerLinks } from "../../records/kinds/designer-link.ts";
import type { Records } from "../../records/records.ts";
import type { createDesigns, ReadyCanvas } from "./designs.ts";
import { gatherSurroundings, source, type Telling } from "./gather-surroundings.ts";
import type { RenderingFacts } from "./render-link.ts";

/** What the pictures of these links are drawn from, in one read a kind. */
export async function gatherFacts(
  records: Records,
  prepare: ReturnType<typeof createDesigns>,
  keys: readonly string[],
): Promise<Map<string, Gathered<Telling<RenderingFacts>>>> {
  const links = [...(await records.read(designerLinks, keys)).values()];
  const [surrounded, designRecords] = await Promise.all([
    gatherSurroundings(records, designerLinks, links),
    records.read(
      designs,
      links.flatMap(({ design_id }) => design_id ?? []),
    ),
  ]);
  const canvasKeys = [...designRecords.values()].map(({ canvasId }) => canvasId);
  const canvasRecords = await records.read(canvasDesigns, canvasKeys);
  const ready = new Map<string, ReadyCanvas>();
  for (const [key, canvas] of canvasRecords) ready.set(key, await prepare(canvas));

  return new Map(
    surrounded.map(({ link, sources, ...surroundings }): [string, Gathered<Telling<RenderingFacts>>] => {
      const design = designRecords.get(link.design_id ?? "");
      const { canvas, images = new Map() } = ready.get(design?.canvasId ?? "") ?? {};
      const drawn = [
        ...(link.design_id === null ? [] : [source(designs, link.design_id, design)]),
        ...(design ? [source(canvasDesigns, design.canvasId, canvasRecords.get(design.canvasId))] : []),
      ];
      return [
        link._id,
        {
          facts: { ...surroundings, designerLink: link, canvas, images },
          sources: link.status === "ACTIVE" ? [...sources, ...drawn] : sources,
        },
      ];
    }),
  );
}
