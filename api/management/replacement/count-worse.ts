import { createHash } from "node:crypto";
import type { AssetOrder, Decoding } from "../../../drawing/decoding/decoding.ts";
import { fixedImageNames, fontNamesOf } from "../../../drawing/thread/asset-names.ts";
import type { Drawing } from "../../../drawing/thread/draw-within-limits.ts";
import type { LoadedFile, NamedFontFile } from "../../../drawing/thread/drawing-order.ts";
import { linkOrdersOf } from "../../../queues/derivations/link-orders.ts";
import { loadFacts, type StudioFacts } from "../../../queues/derivations/load-facts.ts";
import { fileLoader } from "../../../queues/derivations/named-files.ts";
import type { ImageFiles } from "../../../records/files/image-files.ts";
import type { Uploads } from "../../../records/files/uploads.ts";
import { canvasDesigns, designs } from "../../../records/kinds/designs.ts";
import { items } from "../../../records/kinds/items.ts";
import { labels } from "../../../records/kinds/labels.ts";
import { designerLinks } from "../../../records/kinds/links.ts";
import { type Records, readAll } from "../../../records/records.ts";
import { createOwnerTurns } from "../../../runtime/thread/owner-turns.ts";
import type { CanvasDesign } from "../../../schemas/canvas.ts";
import { inBatches } from "../../../schemas/in-batches.ts";
import { idOf, imageFileKey, itemKey, labelOfLink, ownerOf, storeIds, uploadKey } from "../../../schemas/keys.ts";
import type { ReplacementCount } from "../../../schemas/trial.ts";
import { type Candidate, chooseSample, inTurns, spread } from "./choose-sample.ts";
import { newNotices } from "./new-notices.ts";
import { withCanvas, withFile } from "./replaced-facts.ts";

export interface ReplacementsWorld {
  records: Records;
  imageFiles: Pick<ImageFiles, "read">;
  uploads: Pick<Uploads, "read">;
  drawing: Drawing;
  decodeAsset: Decoding["decodeAsset"];
  clock(): number;
  limits?: typeof replacementLimits;
}

/** Counts what a replacement would make worse, on labels in their current state. */
export interface Replacements {
  ofCanvas(tenant: string, key: string, canvas: CanvasDesign): Promise<ReplacementCount>;
  ofImage(tenant: string, name: string, asset: AssetOrder): Promise<ReplacementCount>;
  ofFont(tenant: string, name: string, asset: AssetOrder): Promise<ReplacementCount>;
}

/**
 * Limits of a count: links examined, links whose text is read, links drawn twice, and the time after which drawing
 * stops.
 */
export const replacementLimits = { scanned: 50_000, compared: 2_000, drawn: 240, ms: 5_000 };
/** Maximum number of counts waiting in a process: per tenant and in total. */
export const MAX_COUNTS_WAITING = { ofOwner: 4, inAll: 64 };
const LINKS_PER_BATCH = 24;
const MAX_EXAMPLES = 5;

/** A replacement: which canvases show it, and how it is drawn. */
interface Replacement {
  isIn(canvas: CanvasDesign, key: string): boolean;
  /** Called only if a label shows the replacement: decoding a file may take seconds and hundreds of megabytes. */
  prepare(): Promise<Prepared> | Prepared;
}

/** How a replacement changes a link's facts, and its files. */
interface Prepared {
  files: readonly LoadedFile[];
  apply(facts: readonly StudioFacts[]): Promise<StudioFacts[]> | StudioFacts[];
}

/** Draws labels with both the existing and the new version. Tenants take turns, and nothing is stored. */
export function createReplacements(world: ReplacementsWorld): Replacements {
  const { records, drawing, decodeAsset } = world;
  const inTurn = createOwnerTurns(MAX_COUNTS_WAITING);
  const count = (tenant: string, replacement: Replacement) =>
    inTurn(tenant, () => countWorse(world, tenant, replacement));

  return {
    ofCanvas: (tenant, key, canvas) =>
      count(tenant, {
        isIn: (_, id) => id === key,
        prepare: () => ({ files: [], apply: (facts) => withCanvas(records, drawing, tenant, canvas, facts) }),
      }),
    ofImage: (tenant, name, asset) =>
      count(tenant, {
        isIn: (canvas) => fixedImageNames(canvas)?.includes(name) ?? true,
        async prepare() {
          const decoded = await decodeAsset(asset);
          const image = "image" in decoded ? decoded.image : undefined;
          const key = image && imageFileKey(tenant, image.sha256);
          const file = key === undefined ? { fault: faultOf(decoded) } : { file: key };
          return {
            files: key === undefined ? [] : [{ key, content: image?.png }],
            apply: (all) => all.map((facts) => ({ ...facts, images: withFile(facts.images, name, file) })),
          };
        },
      }),
    ofFont: (tenant, name, asset) =>
      count(tenant, {
        isIn: (canvas) => fontNamesOf(canvas).includes(name),
        async prepare() {
          const decoded = await decodeAsset(asset);
          const key = uploadKey(tenant, createHash("sha256").update(asset.file).digest("hex"));
          const file: NamedFontFile = "font" in decoded ? { file: key, ...decoded.font } : { fault: faultOf(decoded) };
          return {
            files: [{ key, content: asset.file }],
            apply: (all) =>
              all.map(({ fonts, ...facts }) => ({ ...facts, ...(fonts && { fonts: withFile(fonts, name, file) }) })),
          };
        },
      }),
  };
}

async function countWorse(
  world: ReplacementsWorld,
  tenant: string,
  replacement: Replacement,
): Promise<ReplacementCount> {
  const { records, drawing, clock, limits = replacementLimits } = world;
  const { found, isBounded } = await linksThatShow(records, tenant, replacement, limits.scanned);
  const chosen = chooseSample(await readCandidates(records, found, limits.compared), limits.drawn);
  if (found.length === 0) return { labels: 0, drawn: 0, worse: 0, isBounded, examples: [] };
  const { files, apply } = await replacement.prepare();
  const began = clock();
  const [drawn, worse] = [new Set<string>(), new Map<string, string[]>()];
  let isLate = false;
  for (const batch of inBatches(chosen, LINKS_PER_BATCH)) {
    isLate = clock() - began > limits.ms;
    if (isLate) break;
    const loaded = [...(await loadFacts(records.readTogether, batch, drawing))].map(([key, { facts }]) => ({
      key,
      facts,
    }));
    const present = loaded.map(({ facts: { shows: _, ...facts } }) => facts);
    const before = await drawAll(world, present, []);
    const after = await drawAll(world, await apply(present), files);
    for (const [index, { key }] of loaded.entries()) {
      const { label } = labelOfLink(key);
      drawn.add(label);
      const told = newNotices(before[index] as Drawn, after[index] as Drawn);
      if (told.length > 0) worse.set(label, [...(worse.get(label) ?? []), ...told]);
    }
  }
  return {
    labels: new Set(found.map(({ key }) => labelOfLink(key).label)).size,
    drawn: drawn.size,
    worse: worse.size,
    isBounded: isBounded || isLate || chosen.length < found.length,
    examples: [...worse].slice(0, MAX_EXAMPLES).map(([label, told]) => {
      return { storeId: storeIds(ownerOf(label)).storeId, barcode: idOf(label), told };
    }),
  };
}

export type Drawn = Awaited<ReturnType<Drawing["draw"]>>[number];

/** Draws the links described by these facts; `sent` holds files that are not stored. */
export function drawAll(
  { drawing, ...files }: Pick<ReplacementsWorld, "drawing" | "imageFiles" | "uploads">,
  facts: readonly StudioFacts[],
  sent: readonly LoadedFile[],
): Promise<Drawn[]> {
  const { orders, design } = linkOrdersOf(facts);
  return drawing.draw(orders, { design, ...fileLoader(files, sent) });
}

/** Finds links whose designs draw what is being replaced, among the tenant's first links. */
async function linksThatShow(
  records: Records,
  tenant: string,
  { isIn }: Replacement,
  most: number,
): Promise<{ found: FoundLink[]; isBounded: boolean }> {
  const canvases = await readAll(records, canvasDesigns, `${tenant}/canvasdesigns/`);
  const shown = new Set(
    canvases.flatMap((canvas) => (!canvas.deleted && isIn(canvas, canvas._id) ? [canvas._id] : [])),
  );
  const all = shown.size > 0 ? await readAll(records, designs, `${tenant}/designs/`) : [];
  const users = new Set(all.flatMap(({ _id, canvasId }) => (shown.has(canvasId) ? [_id] : [])));
  const found: FoundLink[] = [];
  if (users.size === 0) return { found, isBounded: false };
  let scanned = 0;
  for await (const batch of records.scanFields(designerLinks, `${tenant}/`, ["design_id", "status", "itemId"])) {
    for (const { _id, design_id, status, itemId } of batch)
      if (status === "ACTIVE" && users.has(design_id ?? ""))
        found.push({ key: _id, designId: design_id ?? "", itemId });
    scanned += batch.length;
    if (scanned >= most) return { found, isBounded: true };
  }
  return { found, isBounded: false };
}

/** A link, with the design under which it is sampled. */
export interface FoundLink {
  key: string;
  designId: string;
  itemId: string;
}

/**
 * Reads links of all designs in turn, spread over each design's stores, with the values that show which are hardest to
 * draw.
 */
export async function readCandidates(
  records: Records,
  found: readonly FoundLink[],
  most: number,
): Promise<Candidate[]> {
  const groups = [...Map.groupBy(found, ({ designId }) => designId).values()];
  const compared = inTurns(
    groups.map((group) => spread(group, Math.ceil(most / groups.length))),
    most,
  ).map((link) => ({ ...link, label: labelOfLink(link.key).label }));
  const itemOf = ({ label, itemId }: { label: string; itemId: string }) => itemKey(ownerOf(label), itemId);
  const [ofLabels, ofItems] = await Promise.all([
    records.readFields(labels, [...new Set(compared.map(({ label }) => label))], ["type"]),
    records.readFields(items, [...new Set(compared.map(itemOf))], ["itemName", "price"]),
  ]);
  return compared.map((link) => {
    const { itemName = "", price = "" } = ofItems.get(itemOf(link)) ?? {};
    const letters = itemName.length + price.length;
    return { key: link.key, designId: link.designId, type: ofLabels.get(link.label)?.type, letters };
  });
}

const faultOf = (decoded: object): string =>
  `it cannot be decoded: ${"failed" in decoded ? decoded.failed : "it is of a different kind"}`;
