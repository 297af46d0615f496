import type { CanvasDesign } from "../../schemas/canvas.ts";
import type { CommunicationPack, Design, Scenario } from "../../schemas/design.ts";
import { canvasDesignKey, communicationPackKey, designKey } from "../../schemas/keys.ts";
import type { Subject } from "../../schemas/version.ts";
import type { Live } from "./live.ts";

const keysOf = {
  "communication-packs": communicationPackKey,
  designs: designKey,
  "canvas-designs": canvasDesignKey,
} as const;

/** Returns the key of a record by its subject and id. */
export const keyOfSubject = (tenant: string, subject: Subject, id: string): string => keysOf[subject](tenant, id);

/** A record goes live before the records that name it: canvases, then designs, then packs. */
const places: Readonly<Record<Subject, number>> = { "canvas-designs": 0, designs: 1, "communication-packs": 2 };

/** Returns changes in the order in which they go live. */
export const inOrder = <Change extends { subject: Subject }>(changes: readonly Change[]): Change[] =>
  changes.toSorted((one, other) => places[one.subject] - places[other.subject]);

/** Returns the keys of the records that a body names: the canvas of a design, the designs of a pack. */
export function namedBy(subject: Subject, body: Live): string[] {
  if (subject === "designs") return [(body as Design).canvasId];
  return subject === "communication-packs" ? designsIn((body as CommunicationPack).scenarios) : [];
}

const designsIn = (scenarios: readonly Scenario[]): string[] =>
  scenarios.flatMap(({ design_ids, children }) => [...design_ids, ...designsIn(children)]);

/** Returns what remains of a deleted design: it fits no label type, and links that name it draw nothing. */
export const endedDesign = ({ name, canvasId }: Design): Design => ({
  name,
  canvasId,
  compatible_esltype_ids: [],
  deleted: true,
});

/** Returns what remains of a deleted canvas. */
export const endedCanvas = ({ name, width, height, background }: CanvasDesign): CanvasDesign => ({
  name,
  width,
  height,
  background,
  elements: [],
  deleted: true,
});
