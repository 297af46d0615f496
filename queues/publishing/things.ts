import type { Live } from "../../domain/publishing/live.ts";
import { keyOfSubject } from "../../domain/publishing/subjects.ts";
import type { RecordKind } from "../../records/kind.ts";
import { canvasDesigns, communicationPacks, designs } from "../../records/kinds/designs.ts";
import type { Subject } from "../../schemas/version.ts";
import type { Versioned } from "./versions.ts";

const kinds: Readonly<Record<Subject, RecordKind<Live>>> = {
  "communication-packs": communicationPacks,
  designs,
  "canvas-designs": canvasDesigns,
};

const nouns: Readonly<Record<Subject, string>> = {
  "communication-packs": "communication pack",
  designs: "design",
  "canvas-designs": "canvas design",
};

/** A thing with its noun and id, for messages. */
export interface Thing extends Versioned<Live> {
  noun: string;
  id: string;
}

/** Returns the kind of the record with this key. Throws if it is not a pack, a design or a canvas design. */
export function kindOfKey(key: string): RecordKind<Live> {
  const [, , segment] = key.split("/");
  const kind = { communicationpacks: communicationPacks, designs, canvasdesigns: canvasDesigns }[segment ?? ""];
  if (kind === undefined) throw new Error(`"${key}" is not the key of a pack, a design or a canvas design`);
  return kind as RecordKind<Live>;
}

/** Returns the thing with this subject and id. */
export const thingOf = (tenant: string, subject: Subject, id: string): Thing => ({
  ...{ subject, id, noun: nouns[subject], kind: kinds[subject] },
  key: keyOfSubject(tenant, subject, id),
});
