import { createHash } from "node:crypto";
import type { Drawing } from "../../../drawing/thread/draw-within-limits.ts";
import { designIdOf, type StudioFacts } from "../../../queues/derivations/load-facts.ts";
import { readNamedFiles } from "../../../queues/derivations/named-files.ts";
import type { Records } from "../../../records/records.ts";
import type { CanvasDesign } from "../../../schemas/canvas.ts";
import type { Envelope, Stored } from "../../../schemas/record.ts";

/** Returns the facts with a different canvas and the assets that it uses. */
export const withCanvas = (
  records: Records,
  drawing: Drawing,
  tenant: string,
  canvas: CanvasDesign,
  all: readonly StudioFacts[],
): Promise<StudioFacts[]> =>
  withFiles(
    records,
    drawing,
    tenant,
    all.map((facts) => (facts.canvas ? { ...facts, canvas: proposedCanvas(facts.canvas, canvas) } : facts)),
  );

/**
 * Returns a canvas that is not stored, in the envelope of a stored one. The key contains the hash by which the drawing
 * thread identifies it.
 */
export function proposedCanvas(
  { _id, store, rev, writeId, changedAt }: Envelope,
  canvas: CanvasDesign,
): Stored<CanvasDesign> {
  const hash = createHash("sha256").update(JSON.stringify(canvas)).digest("hex");
  return { ...canvas, _id: `${_id} ${hash}`, store, rev, writeId, changedAt };
}

/** Returns the facts with the images and fonts that their canvases name. */
export async function withFiles(
  records: Records,
  drawing: Drawing,
  tenant: string,
  all: readonly StudioFacts[],
): Promise<StudioFacts[]> {
  const others = all.map(({ fonts: _, ...facts }): StudioFacts => facts);
  const users = others.flatMap((facts) => {
    const { canvas: own, labelType } = facts;
    return own ? [{ facts, user: { ...facts, tenant, canvas: own, designId: designIdOf(own, labelType) } }] : [];
  });
  const named = await readNamedFiles(
    records.readTogether,
    users.map(({ user }) => user),
    drawing,
  );
  const filesOf = new Map(users.map(({ facts }, index) => [facts, named[index]]));
  return others.map((facts) => {
    const { sources: _, ...files } = filesOf.get(facts) ?? { sources: [] };
    return { ...facts, ...files };
  });
}

/** Returns the named files, with one existing file replaced. */
export const withFile = <File>(
  files: ReadonlyMap<string, File>,
  name: string,
  file: File,
): ReadonlyMap<string, File> => (files.has(name) ? new Map(files).set(name, file) : files);
