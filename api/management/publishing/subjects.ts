import type { Live } from "../../../domain/publishing/live.ts";
import type { Versioned } from "../../../queues/publications/versions.ts";
import type { RecordKind } from "../../../records/kind.ts";
import { canvasDesigns, communicationPacks, designs } from "../../../records/kinds/designs.ts";
import { canvasDesignKey, communicationPackKey, designKey } from "../../../schemas/keys.ts";
import type { Subject } from "../../../schemas/version.ts";

interface SubjectPlace {
  noun: string;
  kind: RecordKind<Live>;
  keyOf(tenant: string, id: string): string;
  /** Name of its id in paths. */
  param: string;
  /** What names of operations call it. */
  title: string;
}

/** How each subject is stored and called. */
export const subjects: Readonly<Record<Subject, SubjectPlace>> = {
  "communication-packs": {
    noun: "communication pack",
    kind: communicationPacks,
    keyOf: communicationPackKey,
    param: "packId",
    title: "Pack",
  },
  designs: { noun: "design", kind: designs, keyOf: designKey, param: "designId", title: "Design" },
  "canvas-designs": {
    noun: "canvas design",
    kind: canvasDesigns,
    keyOf: canvasDesignKey,
    param: "canvasId",
    title: "CanvasDesign",
  },
};

export const subjectNames = Object.keys(subjects) as Subject[];

/** The thing of a subject that an id names. */
export function thingOf(tenant: string, subject: Subject, id: string): Versioned<Live> & { noun: string; id: string } {
  const { noun, kind, keyOf } = subjects[subject];
  return { subject, noun, id, kind, key: keyOf(tenant, id) };
}
