import { type Static, Type } from "typebox";
import { LinkStatus } from "./link.ts";
import { DesignerLinkMetadata, EccLinkMetadata } from "./link-metadata.ts";

/** design.v1: what a rule chooses. It names a canvas design and the label types that can show it. */
export const Design = Type.Object({
  name: Type.String(),
  /** Key of the canvas design that is drawn. */
  canvasId: Type.String(),
  compatible_esltype_ids: Type.Array(Type.Integer()),
});
export type Design = Static<typeof Design>;

const Scenario = Type.Cyclic(
  {
    Scenario: Type.Object({
      id: Type.String(),
      name: Type.String(),
      /** Absent or blank is true. */
      cel_expression: Type.Optional(Type.String({ maxLength: 4096 })),
      /** Full keys, in order of preference. */
      design_ids: Type.Array(Type.String()),
      priority: Type.Optional(Type.Integer()),
      validityPeriod: Type.Optional(
        Type.Object({ from: Type.Optional(Type.String()), to: Type.Optional(Type.String()) }),
      ),
      children: Type.Array(Type.Ref("Scenario")),
    }),
  },
  "Scenario",
);
export type Scenario = Static<typeof Scenario>;

/** communicationpack.v1: the tree of scenarios by which a tenant's links choose their designs. */
export const CommunicationPack = Type.Object({ name: Type.String(), scenarios: Type.Array(Scenario) });
export type CommunicationPack = Static<typeof CommunicationPack>;

/** studiolink.v1: the design that the rules chose for a link. */
export const StudioLink = Type.Object({
  /** Full key of the design; null where no compatible one was found. */
  design_id: Type.Unsafe<string | null>({ type: ["string", "null"] }),
  /** The scenario that matched; absent for a forced design and where none did. */
  scenarioId: Type.Optional(Type.String()),
  /** The expressions from the root to the match. */
  conditions: Type.Array(Type.String()),
  priority: Type.Optional(Type.Integer()),
  validityPeriod: Type.Optional(Type.Object({ from: Type.Optional(Type.String()), to: Type.Optional(Type.String()) })),
});
export type StudioLink = Static<typeof StudioLink>;

/** What every projection of a link carries of it, so that whatever changes of the link reaches who draws it. */
export const LinkProjection = Type.Object({
  /** Rev of the link it was made from. */
  linkRev: Type.Integer(),
  status: LinkStatus,
  itemId: Type.String(),
  facings: Type.Optional(Type.String()),
  location: Type.Optional(Type.String()),
});
export type LinkProjection = Static<typeof LinkProjection>;

/**
 * designerlink.v1: what the renderer draws for a link. Of a designer link it is the link's own, with its metadata; of
 * a studio link it is derived from the studiolink.
 */
export const DesignerLink = Type.Object({
  ...LinkProjection.properties,
  derivedFrom: Type.Optional(Type.Literal("studiolink.v1")),
  design_id: Type.Unsafe<string | null>({ type: ["string", "null"] }),
  /** Of an ECC link without a forced design: the model that draws it, so that the studio renderer does not. */
  eccModelId: Type.Optional(Type.String()),
  ...Type.Partial(DesignerLinkMetadata).properties,
});
export type DesignerLink = Static<typeof DesignerLink>;

/** ecclink.v1: what the ECC renderer draws for an ECC link. */
export const EccLink = Type.Object({ ...LinkProjection.properties, ...EccLinkMetadata.properties });
export type EccLink = Static<typeof EccLink>;
