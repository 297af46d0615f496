import { fullDesignKey } from "../../schemas/keys.ts";
import type { LinkDesign } from "../../schemas/link.ts";
import type { EccLinkMetadata, MetadataKind, StudioLinkMetadata } from "../../schemas/link-metadata.ts";
import { metadataKinds } from "../../schemas/link-metadata.ts";
import type { LinkCreation, LinkPatch, LinkPatchRow } from "../../schemas/link-record.ts";
import type { Fault } from "../../schemas/problem.ts";
import { pairsOf } from "../../schemas/string-map.ts";

type LinkBody = Pick<LinkCreation, "designId" | "forced_design_id" | MetadataKind>;

/** Returns the faults of a link's body that its schema cannot express: two kinds of metadata, and designs of other tenants. */
export function faultsOfLink(tenant: string, body: LinkBody): Fault[] {
  const [first, ...others] = metadataKinds.filter((kind) => body[kind]);
  const kinds = others.map((kind) => ({
    pointer: `/${kind}`,
    detail: `is a second kind of metadata, but the link already has ${first}`,
  }));
  const designs = (["designId", "forced_design_id"] as const).flatMap((name) =>
    // In an ECC link's response, `designId` is the link's model, and a body that was read may be sent back with it.
    name === "designId" && body.ecclink ? [] : faultOfDesign(tenant, `/${name}`, body[name]),
  );
  return [...kinds, ...designs];
}

/** Returns the fault of a design key that belongs to a different tenant; none for an id or an absent design. */
export const faultOfDesign = (tenant: string, pointer: string, id: string | null | undefined): Fault[] =>
  id && fullDesignKey(tenant, id) === undefined
    ? [{ pointer, detail: `refers to a design of another tenant: "${id}"` }]
    : [];

/** The design part of a link that POST /links creates. Its origin follows from the metadata or, if absent, from `designId`. */
export function designOfCreation(tenant: string, body: LinkBody): LinkDesign {
  const forced = keyOf(tenant, body.forced_design_id);
  const designId = keyOf(tenant, body.designId);
  const own =
    ownDesign(tenant, body) ?? (designId ? { origin: "designer" as const, designId } : { origin: "studio" as const });
  return { ...own, ...(forced && { forced_design_id: forced }) };
}

/**
 * The row of PATCH /links/{linkId}. Empty and null ids change nothing, but a null `forced_design_id` clears the forced
 * design, and empty or null facings clear the stored ones.
 */
export function rowOfLinkPatch(tenant: string, linkId: string, body: LinkPatch): LinkPatchRow {
  const { itemId, linkedItemId, facings, status, forced_design_id } = body;
  const design = ownDesign(tenant, body);
  const designId = design ? undefined : keyOf(tenant, body.designId);
  return {
    linkId,
    ...(itemId && { itemId }),
    ...(linkedItemId && { linkedItemId }),
    ...(facings !== undefined && { facings: facings || null }),
    ...(status && { status }),
    ...(forced_design_id !== undefined && { forced_design_id: keyOf(tenant, forced_design_id) ?? null }),
    ...(design && { design }),
    ...(designId && { designId }),
  };
}

/** Origin and metadata of a body, without null fields; undefined if it has no metadata. */
function ownDesign(tenant: string, body: LinkBody): Omit<LinkDesign, "forced_design_id"> | undefined {
  const { designerlink, ecclink, studiolink } = body;
  if (designerlink) {
    const designId = keyOf(tenant, body.designId);
    const { canvasId, ...others } = designerlink;
    return { origin: "designer", designerlink: { canvasId, ...present(others) }, ...(designId && { designId }) };
  }
  if (ecclink) {
    const { eccModelId, parameters, renderingHints } = ecclink;
    const metadata: EccLinkMetadata = {
      eccModelId,
      parameters: pairsOf(parameters ?? {}),
      renderingHints: pairsOf(renderingHints ?? {}),
    };
    return { origin: "ecc", designId: eccModelId, ecclink: metadata };
  }
  if (studiolink) {
    const { priority, validityPeriod } = studiolink;
    const metadata: StudioLinkMetadata = present({
      priority,
      validityPeriod: validityPeriod && present(validityPeriod),
    });
    return { origin: "studio", studiolink: metadata };
  }
  return undefined;
}

/** The fields that are not null. */
function present<Fields extends object>(fields: Fields): { [Name in keyof Fields]?: NonNullable<Fields[Name]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)) as {
    [Name in keyof Fields]?: NonNullable<Fields[Name]>;
  };
}

const keyOf = (tenant: string, id: string | null | undefined): string | undefined =>
  id ? fullDesignKey(tenant, id) : undefined;
