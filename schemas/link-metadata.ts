import { type Static, Type } from "typebox";
import { Pairs, StringMap } from "./string-map.ts";
import { clearless, clearlessIdentifier, identifier, known } from "./text.ts";

/**
 * The metadata of a link, at most one kind for each link: in bodies, in records and in answers
 * (docs/integrators.md#links-as-records).
 */
const text = Type.String();
const integer = Type.Integer();
const instant = Type.String({ format: "instant", description: "ISO 8601, UTC" });
const ValidityPeriod = Type.Object({ from: Type.Optional(text), to: Type.Optional(text) });
const conditions = Type.Array(Type.String({ maxLength: 4096 }), { maxItems: 1000 });

/** Metadata of a designer link, whose design was chosen by hand. */
const DesignerLinkBody = Type.Object({
  canvasId: identifier(256, "The canvas design, by its id or its full key"),
  designVersion: clearless(integer),
  creationTimestamp: clearless(instant),
  author: clearlessIdentifier(256, "Who designed it"),
});

/** Metadata of an ECC link, which an ECC model draws. */
const EccLinkBody = Type.Object({
  eccModelId: identifier(256, "The ECC model"),
  parameters: clearless(StringMap),
  renderingHints: clearless(StringMap),
});

/** Metadata of a studio link, whose design the rules choose: in a body only priority and validityPeriod are stored. */
const StudioLinkBody = Type.Object({
  scenarioId: clearlessIdentifier(256, "Ignored: the rules choose it"),
  conditions: clearless(conditions),
  priority: clearless(integer),
  validityPeriod: clearless(
    Type.Object({ from: clearlessIdentifier(64, "From when"), to: clearlessIdentifier(64, "Until when") }),
  ),
  design_id: clearlessIdentifier(256, "Ignored: the rules choose it"),
});

/** The metadata in a body, at most one kind. */
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

/** The fields that a caller gave; the remaining metadata of a studio link is derived by the rules. */
export const StudioLinkMetadata = Type.Object({
  priority: Type.Optional(integer),
  validityPeriod: Type.Optional(ValidityPeriod),
});
export type StudioLinkMetadata = Static<typeof StudioLinkMetadata>;

/** The metadata in an answer. */
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
