import { designFault } from "../../../domain/linking/design-fault.ts";
import { createComparison, scenarioNames } from "../../../domain/packs/compare-packs.ts";
import { createPackAt, type DatedPack, datedPack } from "../../../domain/packs/pack-at.ts";
import { loadFacts, type StudioFacts } from "../../../queues/derivations/load-facts.ts";
import { canvasDesigns, designs as designKind } from "../../../records/kinds/designs.ts";
import { designerLinks, links } from "../../../records/kinds/links.ts";
import { readAll } from "../../../records/records.ts";
import { createOwnerTurns } from "../../../runtime/thread/owner-turns.ts";
import type { CanvasDesign } from "../../../schemas/canvas.ts";
import type { CommunicationPack, Design } from "../../../schemas/design.ts";
import { inBatches } from "../../../schemas/in-batches.ts";
import { canvasDesignKey, designKey, idOf, labelOfLink, ownerOf, storeIds } from "../../../schemas/keys.ts";
import type { PublicationCounts } from "../../../schemas/publication.ts";
import type { Stored } from "../../../schemas/record.ts";
import { type CompareLinksWorld, compareLinks } from "../packs/compare-links.ts";
import { chooseSample } from "../replacement/choose-sample.ts";
import {
  type Drawn,
  drawAll,
  type FoundLink,
  type ReplacementsWorld,
  readCandidates,
} from "../replacement/count-worse.ts";
import { newNotices } from "../replacement/new-notices.ts";
import { proposedCanvas, withFiles } from "../replacement/replaced-facts.ts";

export interface CountPublicationWorld extends CompareLinksWorld {
  files: Omit<ReplacementsWorld, "decodeAsset" | "limits">;
}

/** The state that a publication would give a tenant: the active pack, and the bodies of its drafts, by key. */
export interface Proposed {
  /** Absent if no pack would be active. */
  pack?: DatedPack & Pick<CommunicationPack, "scenarios">;
  activePack: Stored<CommunicationPack> | undefined;
  designs: ReadonlyMap<string, Design>;
  canvases: ReadonlyMap<string, CanvasDesign>;
}

/**
 * Limits of a count: time to evaluate links, links examined, links whose text is read, links drawn twice, and time to
 * draw them.
 */
export const publicationLimits = { evaluatedMs: 10_000, scanned: 50_000, compared: 2_000, drawn: 240, drawnMs: 6_000 };
const LINKS_PER_BATCH = 24;
const MAX_EXAMPLES = 20;
const MAX_CHANGES = 100;
/** Maximum number of counts waiting in a process: per tenant and in total. */
const MAX_COUNTS_WAITING = { ofOwner: 4, inAll: 64 };

/** For each link whose design would change, the new design. */
type NextDesigns = ReadonlyMap<string, string | null>;
type Example = PublicationCounts["examples"][number];

/** Returns a function that counts what a publication would change and make worse; it stores nothing. */
export function createCountPublication(world: CountPublicationWorld) {
  const inTurn = createOwnerTurns(MAX_COUNTS_WAITING);
  const packAt = createPackAt();
  return (tenant: string, proposed: Proposed): Promise<PublicationCounts> =>
    inTurn(tenant, async () => {
      const all = await readDesigns(world, tenant, proposed);
      const evaluated = await evaluate(world, packAt, tenant, proposed, all);
      const shown = await findShown(world, tenant, proposed, all, evaluated.next);
      const drawn = await drawBoth(world, tenant, proposed, all, shown.found, evaluated.next);
      const { checked, labels: redesigned, changes } = evaluated.comparison;
      return {
        ...{ checked, redesigned },
        labels: new Set([...evaluated.next.keys(), ...shown.found.map(({ key }) => key)].map(labelKeyOf)).size,
        blank: evaluated.blank.size,
        changes: changes.slice(0, MAX_CHANGES),
        ...drawn.counts,
        isBounded: evaluated.isBounded || shown.isBounded || drawn.isBounded,
        examples: [...blankExamples(evaluated.blank), ...drawn.examples].slice(0, MAX_EXAMPLES),
      };
    });
}

const labelKeyOf = (link: string): string => labelOfLink(link).label;

/** Returns the tenant's designs as they would be after the publication. */
async function readDesigns({ records }: CountPublicationWorld, tenant: string, { designs }: Proposed) {
  const stored = await readAll(records, designKind, designKey(tenant, ""));
  return new Map<string, Design>([...stored.map((design) => [design._id, design] as const), ...designs]);
}

/** Evaluates links with the proposed pack and designs, if these differ from the current ones. */
async function evaluate(
  world: CountPublicationWorld,
  packAt: ReturnType<typeof createPackAt>,
  tenant: string,
  { pack, activePack, designs }: Proposed,
  all: ReadonlyMap<string, Design>,
) {
  const { records, files } = world;
  const comparison = createComparison(scenarioNames(pack), scenarioNames(activePack));
  const next = new Map<string, string | null>();
  const blank = new Set<string>();
  const isSame = designs.size === 0 && activePack !== undefined && pack?.id === datedPack(activePack).id;
  if (pack === undefined || isSame) return { comparison: comparison.result(), next, blank, isBounded: false };
  const began = files.clock();
  for await (const keys of records.scanKeys(links, `${tenant}/`)) {
    for (const batch of inBatches(keys, 1_000)) {
      for (const compared of await compareLinks(world, packAt, { pack, designs: all }, batch)) {
        const { key, label, next: to, present } = compared;
        comparison.add(compared);
        if (to === undefined || present === undefined || to.design_id === present.design_id) continue;
        next.set(key, to.design_id);
        if (to.design_id === null) blank.add(label);
      }
      if (files.clock() - began > publicationLimits.evaluatedMs)
        return { comparison: comparison.result(), next, blank, isBounded: true };
    }
  }
  return { comparison: comparison.result(), next, blank, isBounded: false };
}

/** Returns the links that would be drawn from a draft, or with a different design. */
async function findShown(
  { records }: CountPublicationWorld,
  tenant: string,
  { designs, canvases }: Proposed,
  all: ReadonlyMap<string, Design>,
  next: NextDesigns,
): Promise<{ found: FoundLink[]; isBounded: boolean }> {
  const isDrafted = (id: string) => designs.has(id) || canvases.has(all.get(id)?.canvasId ?? "");
  const found: FoundLink[] = [];
  let scanned = 0;
  for await (const batch of records.scanFields(designerLinks, `${tenant}/`, ["design_id", "status", "itemId"])) {
    for (const { _id, design_id, status, itemId } of batch) {
      const designId = next.get(_id) ?? (next.has(_id) ? null : design_id);
      if (status === "ACTIVE" && designId !== null && (next.has(_id) || isDrafted(designId)))
        found.push({ key: _id, designId, itemId });
    }
    scanned += batch.length;
    if (scanned >= publicationLimits.scanned) return { found, isBounded: true };
  }
  return { found, isBounded: false };
}

/** Draws a sample of links as they are now and as they would be after the publication. */
async function drawBoth(
  { records, files }: CountPublicationWorld,
  tenant: string,
  proposed: Proposed,
  all: ReadonlyMap<string, Design>,
  found: readonly FoundLink[],
  next: NextDesigns,
) {
  const began = files.clock();
  const candidates = await readCandidates(records, found, publicationLimits.compared);
  const chosen = chooseSample(candidates, publicationLimits.drawn);
  const counts = { drawn: 0, faulty: 0, worse: 0, cut: 0 };
  const examples: Example[] = [];
  let isLate = false;
  for (const batch of inBatches(chosen, LINKS_PER_BATCH)) {
    isLate = files.clock() - began > publicationLimits.drawnMs;
    if (isLate) break;
    const loaded = [...(await loadFacts(records.readTogether, batch, files.drawing))];
    const present = loaded.map(
      ([
        ,
        {
          facts: { shows: _, ...facts },
        },
      ]): StudioFacts => facts,
    );
    const keys = loaded.map(([key]) => key);
    const changed = await proposedFacts({ records, files }, tenant, proposed, all, next, keys, present);
    const [before, after] = [await drawAll(files, present, []), await drawAll(files, changed, [])];
    for (const [index, key] of keys.entries()) {
      const verdict = judge(before[index] as Drawn, after[index] as Drawn);
      counts.drawn += 1;
      for (const name of ["faulty", "worse", "cut"] as const) counts[name] += verdict[name] ? 1 : 0;
      if (verdict.worse) examples.push(exampleOf(labelKeyOf(key), verdict.told));
    }
  }
  return { counts, examples, isBounded: isLate || chosen.length < found.length };
}

/** Returns the facts of links as they would be after the publication, with the files that their canvases name. */
async function proposedFacts(
  { records, files }: Pick<CountPublicationWorld, "records" | "files">,
  tenant: string,
  { canvases }: Proposed,
  all: ReadonlyMap<string, Design>,
  next: NextDesigns,
  keys: readonly string[],
  present: readonly StudioFacts[],
): Promise<StudioFacts[]> {
  const designIds = keys.map((key, index) => next.get(key) ?? present[index]?.designerLink.design_id ?? "");
  const canvasIds = designIds.flatMap((id) => all.get(id)?.canvasId ?? []);
  const stored = await records.read(canvasDesigns, canvasIds);
  const proposedOf = new Map(
    canvasIds.flatMap((id): [string, Stored<CanvasDesign>][] => {
      const [drafted, current] = [canvases.get(id), stored.get(id)];
      if (drafted) return [[id, proposedCanvas(current ?? unstored(tenant, id), drafted)]];
      return current && !current.deleted ? [[id, current]] : [];
    }),
  );
  const changed = present.map(({ designFault: _, ...facts }, index): StudioFacts => {
    const id = designIds[index] ?? "";
    const fault = designFault(id, facts.labelType.type, all);
    const { unmatched, ...designerLink } = facts.designerLink;
    return {
      ...facts,
      designerLink: { ...designerLink, design_id: id === "" ? null : id },
      ...(fault && { designFault: fault }),
      canvas: fault ? undefined : proposedOf.get(all.get(id)?.canvasId ?? ""),
    };
  });
  return withFiles(records, files.drawing, tenant, changed);
}

const unstored = (tenant: string, id: string) => ({
  _id: canvasDesignKey(tenant, idOf(id)),
  ...{ store: tenant, rev: 0, writeId: "", changedAt: new Date(0) },
});

function judge(before: Drawn, after: Drawn) {
  const told = newNotices(before, after);
  const cutOf = ({ errors, warnings }: Drawn) =>
    [...errors, ...warnings].filter(({ code }) => code === "TEXT_CUT").length;
  return {
    told,
    faulty: after.fault !== undefined && before.fault === undefined,
    worse: told.length > 0,
    cut: cutOf(after) > cutOf(before),
  };
}

const exampleOf = (label: string, told: string[]): Example => ({
  storeId: storeIds(ownerOf(label)).storeId,
  barcode: idOf(label),
  told,
});

const blankExamples = (labels: ReadonlySet<string>): Example[] =>
  [...labels]
    .slice(0, MAX_EXAMPLES / 2)
    .map((label) => exampleOf(label, ["no design fits the label, or no scenario applies"]));
