import { type Static, Type } from "typebox";
import { LinkStatus } from "./link.ts";
import { DesignerLinkMetadata, EccLinkMetadata } from "./link-metadata.ts";
import { identifier } from "./text.ts";
import { VersionMark } from "./version.ts";

/** design.v1: a design that scenarios choose. It refers to a canvas design and to the label types that can show it. */
export const Design = Type.Object({
  name: Type.String(),
  /** Key of the canvas design that is drawn. */
  canvasId: Type.String(),
  compatible_esltype_ids: Type.Array(Type.Integer()),
  /** Set on a tombstone, which is compatible with no label type. */
  deleted: Type.Optional(Type.Literal(true)),
  version: Type.Optional(VersionMark),
});
export type Design = Static<typeof Design>;

/** Body of PUT /designs/{designId}. */
export const DesignOrder = Type.Object(
  {
    name: identifier(256, "Display name for the retailer's staff"),
    canvasId: identifier(256, "The canvas design to draw, by id or full key"),
    compatible_esltype_ids: Type.Array(Type.Integer(), {
      maxItems: 1000,
      uniqueItems: true,
      description: "Label types that can show the design; their size must match the canvas",
    }),
  },
  { title: "DesignOrder" },
);
export type DesignOrder = Static<typeof DesignOrder>;

export const VALIDITY_PERIOD =
  "The scenario applies only within this period. Days and local times are in the time zone of the label's store; `from` is inclusive, `to` exclusive";

export const ValidityPeriod = Type.Object(
  {
    from: Type.Optional(Type.String({ description: "Start; unbounded if absent" })),
    to: Type.Optional(Type.String({ description: "End; unbounded if absent" })),
  },
  { description: VALIDITY_PERIOD },
);
/** When a scenario applies, half-open: `from` is inclusive, `to` exclusive. An absent end is unbounded. */
export type ValidityPeriod = Static<typeof ValidityPeriod>;

export const Scenario = Type.Cyclic(
  {
    Scenario: Type.Object({
      id: Type.String({ description: "Unique within the pack" }),
      name: Type.String({ description: "Display name for the retailer's staff" }),
      cel_expression: Type.Optional(
        Type.String({ maxLength: 4096, description: "Condition (CEL); always true if absent or blank" }),
      ),
      design_ids: Type.Array(Type.String(), { description: "Full keys of designs in order of preference" }),
      priority: Type.Optional(Type.Integer({ description: "Stored and returned; not used by the rules" })),
      validityPeriod: Type.Optional(ValidityPeriod),
      children: Type.Array(Type.Ref("Scenario"), { description: "Evaluated before their parent" }),
    }),
  },
  "Scenario",
);
export type Scenario = Static<typeof Scenario>;

/** communicationpack.v1: the tree of scenarios that chooses the designs of a tenant's links. */
export const CommunicationPack = Type.Object({
  name: Type.String(),
  scenarios: Type.Array(Scenario),
  /**
   * Start and end times of its scenarios' validity periods, without duplicates. Absent if there are none, and in packs stored
   * by releases that ignored periods, where periods have no effect.
   */
  periodEnds: Type.Optional(Type.Array(Type.String())),
  /**
   * What its expressions read from `item`: `price` for a value, `has(price)` for whether the value exists. Absent if an
   * expression reads keys that are known only during evaluation, and in packs of earlier releases until the release command
   * adds the field. If it is absent, every change to an item may matter.
   */
  itemKeys: Type.Optional(Type.Array(Type.String())),
  /** Number of its activations. An activation changes only this field, so that a change is published. */
  activations: Type.Optional(Type.Integer()),
  version: Type.Optional(VersionMark),
});
export type CommunicationPack = Static<typeof CommunicationPack>;

/** studiolink.v1: the design that the rules chose for a link. */
export const StudioLink = Type.Object({
  /** Full key of the design; null if no compatible one was found. */
  design_id: Type.Unsafe<string | null>({ type: ["string", "null"] }),
  /** Why no design could be chosen; absent if one was chosen, or if none fits. */
  fault: Type.Optional(Type.String()),
  /** The scenario that matched; absent if none did, and if a forced design, a campaign or a store-level link decided. */
  scenarioId: Type.Optional(Type.String()),
  /** The expressions from the root to the matching scenario. */
  conditions: Type.Array(Type.String()),
  priority: Type.Optional(Type.Integer()),
  validityPeriod: Type.Optional(ValidityPeriod),
});
export type StudioLink = Static<typeof StudioLink>;

/** The fields that every projection copies from its link, so that a change to any of them reaches the renderer. */
export const LinkProjection = Type.Object({
  /** Rev of the link that it was derived from. */
  linkRev: Type.Integer(),
  status: LinkStatus,
  itemId: Type.String(),
  facings: Type.Optional(Type.String()),
  location: Type.Optional(Type.String()),
});
export type LinkProjection = Static<typeof LinkProjection>;

/**
 * designerlink.v1: what the renderer draws for a link. For a designer link, it is copied from the link with its
 * metadata; for a studio link, it is derived from the studiolink.
 */
export const DesignerLink = Type.Object({
  ...LinkProjection.properties,
  derivedFrom: Type.Optional(Type.Literal("studiolink.v1")),
  /** Set while the link exists and is a designer link, so that becoming or ceasing to be a designer link changes this field. */
  isDesigners: Type.Optional(Type.Literal(true)),
  design_id: Type.Unsafe<string | null>({ type: ["string", "null"] }),
  /** Studio links only: why the rules could not choose a design. */
  fault: Type.Optional(Type.String()),
  /** Studio links without a design only: no pack was active, or no scenario applied. */
  unmatched: Type.Optional(Type.Enum(["no pack", "no scenario"])),
  /** Studio links only: the largest rev of the records on which the choice depends. */
  choiceRev: Type.Optional(Type.Integer()),
  /** Studio links only: the rule that chose the design, by ids. Absent from records of earlier releases. */
  chosenBy: Type.Optional(Type.Object({ pack: Type.String(), packRev: Type.Integer(), scenario: Type.String() })),
  /** ECC links without a forced design only: the model that draws the link instead of the studio renderer. */
  eccModelId: Type.Optional(Type.String()),
  ...Type.Partial(DesignerLinkMetadata).properties,
});
export type DesignerLink = Static<typeof DesignerLink>;

/** ecclink.v1: what the ECC renderer draws for an ECC link. */
export const EccLink = Type.Object({ ...LinkProjection.properties, ...EccLinkMetadata.properties });
export type EccLink = Static<typeof EccLink>;
