import type { Handlers } from "../../queues/topology.ts";
import { drawnFields, drawnTypeFields } from "../../records/kinds/tenants.ts";
import { tenantOf } from "../../schemas/keys.ts";
import { type Change, urgencyOf } from "../../schemas/topics.ts";
import type { RendererWorld } from "./world.ts";

/** Renderer: draws what each link shows. */
export function renderer(world: RendererWorld): Handlers<"renderer"> {
  const { linksOfItems, linksOfLabels, deriveImages, deriveEccImages, redraw } = world;
  const keysOf = (changes: readonly Change[]) => changes.map(({ key }) => key);
  const redrawTenants = async (changes: readonly Change[]) => {
    const byTenant = new Map(changes.map(({ key, rev }) => [tenantOf(key), `${key} is at rev ${rev}`]));
    for (const [tenant, reason] of byTenant) await redraw(tenant, reason);
  };
  return {
    "designerlink.v1": async (changes) => deriveImages(keysOf(changes), urgencyOf(changes)),
    "ecclink.v1": async (changes) => deriveEccImages(keysOf(changes), urgencyOf(changes)),
    "storeitemvalues.v1": async (changes) => {
      for await (const links of linksOfItems(keysOf(changes))) await deriveImages(links, urgencyOf(changes));
    },
    "storeesl.v1": async (changes) => {
      const links = await linksOfLabels(keysOf(changes));
      await deriveImages(links, urgencyOf(changes));
      // If the rules or a designer took over a link, its ended ECC link remains, with a picture that also has the label's size.
      await deriveEccImages(links, urgencyOf(changes));
    },
    "design.v1": redrawTenants,
    "canvasdesign.v1": redrawTenants,
    "assetfile.v1": redrawTenants,
    store: async (changes) => {
      for (const { key, rev } of changes.filter(changesSome(drawnFields))) await redraw(key, `${key} is at rev ${rev}`);
    },
    labeltype: async (changes) => redrawTenants(changes.filter(changesSome(drawnTypeFields))),
  };
}

const changesSome =
  (fields: readonly string[]) =>
  ({ changed }: Change): boolean =>
    fields.some((field) => changed.includes(field));
