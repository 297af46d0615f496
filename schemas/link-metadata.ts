import { type Static, Type } from "typebox";
import { Pairs, StringMap } from "./string-map.ts";
import { clearless, clearlessIdentifier, identifier, known } from "./text.ts";

/**
 * The metadata of a link: at most one kind per link, in bodies, records and responses
 * (docs/integrators/links.md#links-as-records).
 */
const text = (description: string) => Type.String({ description });
const pairs = (description: string) => Type.Object({}, { additionalProperties: Type.String(), description });
const described = (description: string) => Type.Unsafe<Static<typeof StringMap>>({ ...StringMap, description });
const designVersion = Type.Integer({ description: "Version number that the author assigned" });
const priority = Type.Integer({
  description: "Stored and returned; not used by the rules, because scenarios have their own",
});
const parameters = "Texts for the model, by name";
const renderingHints = "Hints for the model's renderer, by name";
const CANVAS = "The canvas design, by id or full key";
const AUTHOR = "Author of the design";
const instant = Type.String({ format: "instant", description: "ISO 8601, UTC" });
const ValidityPeriod = Type.Object(
  {
    from: Type.Optional(text("Start; unbounded if absent")),
    to: Type.Optional(text("End; unbounded if absent")),
  },
  { description: "Stored and returned; not used by the rules" },
);
const conditions = Type.Array(Type.String({ maxLength: 4096 }), {
  maxItems: 1000,
  description: "Ignored: chosen by the rules",
});

/** Metadata of a designer link, whose design was chosen by hand. */
const DesignerLinkBody = Type.Object({
  canvasId: identifier(256, CANVAS),
  designVersion: clearless(designVersion),
  creationTimestamp: clearless(instant),
  author: clearlessIdentifier(256, AUTHOR),
});

/** Metadata of an ECC link, which an ECC model draws. */
export const EccLinkBody = Type.Object({
  eccModelId: identifier(256, "The ECC model"),
  parameters: clearless(described(parameters)),
  renderingHints: clearless(described(renderingHints)),
});

/** Metadata of a studio link, whose design is chosen by the rules. From a body, only priority and validityPeriod are stored. */
const StudioLinkBody = Type.Object({
  scenarioId: clearlessIdentifier(256, "Ignored: chosen by the rules"),
  conditions: clearless(conditions),
  priority: clearless(priority),
  validityPeriod: clearless(
    Type.Object(
      {
        from: clearlessIdentifier(64, "Start; unbounded if absent"),
        to: clearlessIdentifier(64, "End; unbounded if absent"),
      },
      { description: "Stored and returned; not used by the rules" },
    ),
  ),
  design_id: clearlessIdentifier(256, "Ignored: chosen by the rules"),
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
  canvasId: text(CANVAS),
  designVersion: Type.Optional(designVersion),
  creationTimestamp: Type.Optional(text("ISO 8601, UTC")),
  author: Type.Optional(text(AUTHOR)),
});
export type DesignerLinkMetadata = Static<typeof DesignerLinkMetadata>;

export const EccLinkMetadata = Type.Object({
  eccModelId: text("The ECC model"),
  parameters: Pairs,
  renderingHints: Pairs,
});
export type EccLinkMetadata = Static<typeof EccLinkMetadata>;

/** The fields that a caller sent; the remaining metadata of a studio link is derived by the rules. */
export const StudioLinkMetadata = Type.Object({
  priority: Type.Optional(priority),
  validityPeriod: Type.Optional(ValidityPeriod),
});
export type StudioLinkMetadata = Static<typeof StudioLinkMetadata>;

/** The metadata in a response. */
export const metadataAnswer = {
  designerlink: Type.Optional(
    Type.Object({
      canvasId: text("Full key of the canvas design"),
      designVersion: known(designVersion),
      creationTimestamp: known(text("ISO 8601, UTC; null if it was not sent")),
      author: known(text(AUTHOR)),
    }),
  ),
  ecclink: Type.Optional(
    Type.Object({
      eccModelId: text("The ECC model"),
      parameters: pairs(parameters),
      renderingHints: pairs(renderingHints),
    }),
  ),
  studiolink: Type.Optional(
    Type.Object({
      scenarioId: known(text("The scenario that chose the design; null while none applies")),
      conditions: Type.Array(Type.String(), {
        description: "The expressions of the scenario and its ancestors, from the root",
      }),
      priority: known(priority),
      validityPeriod: known(ValidityPeriod),
      design_id: known(text("Full key of the chosen design; null while none is chosen")),
    }),
  ),
};
