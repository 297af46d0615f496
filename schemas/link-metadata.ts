import { type Static, Type } from "typebox";
import { Pairs, StringMap } from "./string-map.ts";
import { clearless, clearlessIdentifier, identifier, known } from "./text.ts";

/**
 * The metadata of a link, of which it has one kind at the most: what callers send, what is stored, what is answered
 * (specification, Link pipeline records).
 */
const text = Type.String();
const integer = Type.Integer();
const instant = Type.String({ format: "instant", description: "ISO 8601, UTC" });
const ValidityPeriod = Type.Object({ from: Type.Optional(text), to: Type.Optional(text) });
const conditions = Type.Array(Type.String({ maxLength: 4096 }), { maxItems: 1000 });

/** Where it was designed by hand. */
const DesignerLinkBody = Type.Object({
  canvasId: identifier(256, "The canvas design, by its id or its full key"),
  designVersion: clearless(integer),
  creationTimestamp: clearless(instant),
  author: clearlessIdentifier(256, "Who designed it"),
});

/** Where an ECC model draws it. */
const EccLinkBody = Type.Object({
  eccModelId: identifier(256, "The ECC model"),
  parameters: clearless(StringMap),
  renderingHints: clearless(StringMap),
});

/** Where the rules choose. What they choose is ignored in a body; priority and validityPeriod are kept and returned. */
const StudioLinkBody = Type.Object({
  scenarioId: clearlessIdentifier(256, "Ignored: the rules choose it"),
  conditions: clearless(conditions),
  priority: clearless(integer),
  validityPeriod: clearless(
    Type.Object({ from: clearlessIdentifier(64, "From when"), to: clearlessIdentifier(64, "Until when") }),
  ),
  design_id: clearlessIdentifier(256, "Ignored: the rules choose it"),
});

/** The metadata that a body may give, one kind at the most. */
export const metadataBody = {
  designerlink: clearless(DesignerLinkBody),
  ecclink: clearless(EccLinkBody),
  studiolink: clearless(StudioLinkBody),
};
export type MetadataKind = keyof typeof metadataBody;
export const metadataKinds = Object.keys(metadataBody) as MetadataKind[];

export const DesignerLinkMetadata = Type.Object({
  canvasId: text,
  designVersion: Type.Optional(integer),
  creationTimestamp: Type.Optional(text),
  author: Type.Optional(text),
});
export type DesignerLinkMetadata = Static<typeof DesignerLinkMetadata>;

export const EccLinkMetadata = Type.Object({ eccModelId: text, parameters: Pairs, renderingHints: Pairs });
export type EccLinkMetadata = Static<typeof EccLinkMetadata>;

/** What a caller gave; the rest of a studio link's metadata is what the rules chose. */
export const StudioLinkMetadata = Type.Object({
  priority: Type.Optional(integer),
  validityPeriod: Type.Optional(ValidityPeriod),
});
export type StudioLinkMetadata = Static<typeof StudioLinkMetadata>;

/** The metadata of an answer. */
export const metadataAnswer = {
  designerlink: Type.Optional(
    Type.Object({
      canvasId: text,
      designVersion: known(integer),
      creationTimestamp: known(text),
      author: known(text),
    }),
  ),
  ecclink: Type.Optional(
    Type.Object({
      eccModelId: text,
      parameters: Type.Object({}, { additionalProperties: text }),
      renderingHints: Type.Object({}, { additionalProperties: text }),
    }),
  ),
  studiolink: Type.Optional(
    Type.Object({
      scenarioId: known(text),
      conditions: Type.Array(text),
      priority: known(integer),
      validityPeriod: known(ValidityPeriod),
      design_id: known(text),
    }),
  ),
};
