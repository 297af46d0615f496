import type { Gathered, Source } from "../../queues/derive.ts";
import type { RecordKind, Stored } from "../../records/kind.ts";
import { canvasDesigns } from "../../records/kinds/canvas-design.ts";
import { designs } from "../../records/kinds/design.ts";
import { designerLinks } from "../../records/kinds/designer-link.ts";
import { items } from "../../records/kinds/item.ts";
import { labels } from "../../records/kinds/label.ts";
import { labelTypes } from "../../records/kinds/label-type.ts";
import { stores } from "../../records/kinds/store.ts";
import type { Records } from "../../records/records.ts";
import type { CanvasDesign } from "../../schemas/canvas.ts";
import type { Design, DesignerLink } from "../../schemas/design.ts";
import type { Shown } from "../../schemas/image.ts";
import { exists, type Item } from "../../schemas/item.ts";
import { itemKey, labelOfLink, labelTypeKey, ownerOf, tenantOf } from "../../schemas/keys.ts";
import type { Label } from "../../schemas/label.ts";
import type { LabelType, Store } from "../../schemas/tenant.ts";
import type { createDesigns, ReadyCanvas } from "./designs.ts";
import type { RenderingFacts } from "./render-link.ts";

/** All that a link's picture is drawn from, and what it will tell of itself. */
export interface Facts extends RenderingFacts {
  shows: Shown;
}

/** What the pictures of these links are drawn from, in one read a kind. */
export async function gatherFacts(
  records: Records,
  prepare: ReturnType<typeof createDesigns>,
  keys: readonly string[],
): Promise<Map<string, Gathered<Facts>>> {
  const links = [...(await records.read(designerLinks, keys)).values()];
  const [itemRecords, labelRecords, designRecords, storeRecords] = await Promise.all([
    records.read(items, links.map(itemOf)),
    records.read(labels, links.map(labelOf)),
    records.read(
      designs,
      links.flatMap(({ design_id }) => design_id ?? []),
    ),
    records.read(
      stores,
      links.map(({ _id }) => ownerOf(_id)),
    ),
  ]);
  const typeOf = (link: Stored<DesignerLink>) =>
    labelTypeKey(tenantOf(link._id), labelRecords.get(labelOf(link))?.type ?? 0);
  const canvasKeys = [...designRecords.values()].map(({ canvasId }) => canvasId);
  const [typeRecords, canvasRecords] = await Promise.all([
    records.read(labelTypes, links.map(typeOf)),
    records.read(canvasDesigns, canvasKeys),
  ]);
  const ready = new Map<string, ReadyCanvas>();
  for (const [key, canvas] of canvasRecords) ready.set(key, await prepare(canvas));

  return new Map(
    links.flatMap((link): [string, Gathered<Facts>][] => {
      const labelType = typeRecords.get(typeOf(link));
      const store = storeRecords.get(ownerOf(link._id));
      if (labelType === undefined || store === undefined) return [];
      const design = designRecords.get(link.design_id ?? "");
      const found = {
        item: itemRecords.get(itemOf(link)),
        label: labelRecords.get(labelOf(link)),
        labelType,
        store,
        design,
        canvas: canvasRecords.get(design?.canvasId ?? ""),
      };
      const facts = factsOf(link, found, ready.get(design?.canvasId ?? ""));
      return [[link._id, { facts, sources: sourcesOf(link, found) }]];
    }),
  );
}

/** The records that a link's picture is drawn from, as far as they are there. */
interface Found {
  item: Stored<Item> | undefined;
  label: Stored<Label> | undefined;
  labelType: Stored<LabelType>;
  store: Stored<Store>;
  design: Stored<Design> | undefined;
  canvas: Stored<CanvasDesign> | undefined;
}

const itemOf = (link: Stored<DesignerLink>): string => itemKey(ownerOf(link._id), link.itemId);
const labelOf = (link: Stored<DesignerLink>): string => labelOfLink(link._id).label;

function factsOf(link: Stored<DesignerLink>, { item, labelType, store }: Found, ready: ReadyCanvas | undefined): Facts {
  return {
    designerLink: link,
    displayPosition: labelOfLink(link._id).displayPosition,
    item: item && exists(item) ? item : undefined,
    labelType,
    store,
    canvas: ready?.canvas,
    images: ready?.images ?? new Map(),
    shows: { link: link._id, linkRev: link.linkRev, item: itemOf(link), itemRev: item?.rev ?? 0 },
  };
}

function sourcesOf(
  link: Stored<DesignerLink>,
  { item, label, labelType, store, design, canvas }: Found,
): readonly Source[] {
  const background = [
    source(designerLinks, link._id, link),
    source(labels, labelOf(link), label),
    source(labelTypes, labelType._id, labelType),
  ];
  // Nothing else is drawn for a link that is not active, and nobody tells of its item any more.
  if (link.status !== "ACTIVE") return background;
  return [
    ...background,
    source(items, itemOf(link), item),
    source(stores, store._id, store),
    ...(link.design_id === null ? [] : [source(designs, link.design_id, design)]),
    ...(design === undefined ? [] : [source(canvasDesigns, design.canvasId, canvas)]),
  ];
}

const source = <Body>(kind: RecordKind<Body>, key: string, record: Stored<unknown> | undefined): Source => ({
  kind,
  key,
  rev: record?.rev ?? 0,
});
