import { isDeepStrictEqual } from "node:util";
import type { Db } from "mongodb";
import { forecastOf } from "../../domain/labels/care/battery-due.ts";
import { type BatteryForecast, isDueWithin } from "../../domain/labels/care/battery-forecast.ts";
import { plStateOf } from "../../domain/labels/pl-state.ts";
import { itemPages, items } from "../../records/kinds/items.ts";
import { labelStates, labels } from "../../records/kinds/labels.ts";
import { links } from "../../records/kinds/links.ts";
import { eslImages } from "../../records/kinds/pictures.ts";
import { type Positions, possibleLinks, readPositions } from "../../records/linking/links-of-labels.ts";
import { readTypesByNumber } from "../../records/linking/types-by-number.ts";
import { listRecords } from "../../records/list-records.ts";
import type { Records } from "../../records/records.ts";
import { areSamePages, type EslImage, type Shown } from "../../schemas/image.ts";
import { itemKey, labelKey, tenantOf } from "../../schemas/keys.ts";
import type { PlState } from "../../schemas/label.ts";
import type { LabelState } from "../../schemas/label-state.ts";
import type { Link } from "../../schemas/link.ts";
import { itemWithPages } from "../../schemas/page-image.ts";
import type { Stored } from "../../schemas/record.ts";
import type { CareOfTypes } from "./care/read-care.ts";
import { linkAnswer, type ShownLink, shownOfLink } from "./label-answer.ts";
import {
  batteryOf,
  type LabelFacts,
  type OwnField,
  type OwnListing,
  type OwnPart,
  oneOfEach,
  type StateFilter,
  type Wanted,
} from "./label-fields.ts";

/** Reads labels of one store. In addition to their own records, it reads only the requested facts. */
export interface LabelReader {
  list(listing: OwnListing, own: readonly OwnField[]): AsyncIterable<OwnPart[]>;
  /** Returns the existing labels among these barcodes, in this order. */
  read(barcodes: readonly string[], own: readonly OwnField[]): Promise<OwnPart[]>;
  /** Returns the wanted facts of labels; labels that the filter excludes are left out. */
  complete(labels: readonly OwnPart[], wanted: Wanted, filter?: StateFilter): Promise<LabelFacts[]>;
}

/**
 * Small, so that a batch's garbage is collected young: during a long list, the API's memory grew by 240 MB with batches
 * of 500 labels, by 80 MB with 200, and by 50 MB with 100 (docs/decisions/labels/lists.md).
 */
export const LABELS_PER_BATCH = 100;

type LinkPart = Pick<Stored<Link>, "_id" | "rev" | "itemId" | "status">;
type ImagePart = Pick<EslImage, "shows" | "pages">;

/** A label before its links and pictures are read, with its plState for both cases: picture up to date, and picture stale. */
interface Candidate {
  label: OwnPart;
  state: Partial<LabelState> | undefined;
  upToDate: PlState | undefined;
  stale: PlState | undefined;
  forecast?: BatteryForecast | undefined;
}

/** Opens a reader for one call. `now` is read once, so that OFFLINE is decided for every label at the same time. */
export function createLabelReader(db: Db, records: Records, now: () => Date, offlineAfterMs: number) {
  return (store: string): LabelReader => {
    const readAt = now();
    let positions: Promise<Positions> | undefined;
    const readTenantPositions = (): Promise<Positions> => {
      positions ??= readPositions(records, [tenantOf(store)]);
      return positions;
    };

    let careOfTypes: Promise<CareOfTypes> | undefined;
    const readTypes = (): Promise<CareOfTypes> => {
      careOfTypes ??= readTypesByNumber(records, tenantOf(store));
      return careOfTypes;
    };

    return {
      list: ({ own: filter = {}, after, ...listing }, own) =>
        listRecords(db, labels, {
          prefix: labelKey(store, ""),
          fields: own,
          batchSize: LABELS_PER_BATCH,
          ...listing,
          after: after === undefined ? undefined : labelKey(store, after),
          filter: oneOfEach(filter),
        }),

      async read(barcodes, own) {
        const keys = barcodes.map((barcode) => labelKey(store, barcode));
        const found = await records.readFields(labels, keys, own);
        return keys.flatMap((key) => found.get(key) ?? []);
      },

      async complete(batch, wanted, filter = {}) {
        const states = await readStates(records, batch, wanted);
        const types = wanted.forecast ? await readTypes() : undefined;
        const candidates = batch
          .map((label) => {
            const state = states.get(label._id);
            const type = types && (types.get(label.type ?? 0) ?? {});
            const forecast = type && forecastOf(state ?? {}, type, readAt);
            return { ...candidateOf(label, state, wanted, readAt, offlineAfterMs), forecast };
          })
          .filter((candidate) => mayPass(candidate, filter));
        // If both cases result in the same plState, as for an OFFLINE label, links and pictures need not be read.
        const undecided = candidates.filter(({ upToDate, stale }) => upToDate !== stale);
        const linked = wanted.links ? candidates : undecided;
        const [shown, images] = await Promise.all([
          readTenantPositions().then((known) => readActiveLinks(records, known, linked, wanted)),
          records.readFields(
            eslImages,
            undecided.map(({ label }) => label._id),
            ["shows", "pages"],
          ),
        ]);
        const staleKeys = await findStale(records, store, undecided, images, shown);
        return candidates
          .map(({ label, state, upToDate, stale, forecast }) => ({
            label,
            state,
            forecast,
            plState: staleKeys.has(label._id) ? stale : upToDate,
            links: wanted.links
              ? (shown.get(label._id) ?? []).map((link) => linkAnswer(link as LinkPart & ShownLink))
              : [],
          }))
          .filter(({ plState }) => filter.plState === undefined || (plState && filter.plState.has(plState)));
      },
    };
  };
}

async function readStates(
  records: Records,
  batch: readonly OwnPart[],
  { state }: Wanted,
): Promise<ReadonlyMap<string, Partial<LabelState>>> {
  if (state.length === 0) return new Map();
  return records.readFields(
    labelStates,
    batch.map(({ _id }) => _id),
    state,
  );
}

/** The ACTIVE links of labels, by display position. */
async function readActiveLinks(
  records: Records,
  positionsOfModels: Positions,
  candidates: readonly Candidate[],
  wanted: Wanted,
): Promise<Map<string, LinkPart[]>> {
  const byLabel = candidates.map(({ label }) => ({
    label: label._id,
    keys: possibleLinks(label, positionsOfModels),
  }));
  const found: ReadonlyMap<string, LinkPart> = await records.readFields(
    links,
    byLabel.flatMap(({ keys }) => keys),
    wanted.links ? shownOfLink : ["itemId", "status"],
  );
  return new Map(
    byLabel.map(({ label, keys }) => [
      label,
      keys.flatMap((key) => found.get(key) ?? []).filter(({ status }) => status === "ACTIVE"),
    ]),
  );
}

/**
 * Returns the keys of the labels whose picture was made from older revs of their links, items or page images, or has not
 * been taken over by the transmitter.
 */
async function findStale(
  records: Records,
  store: string,
  undecided: readonly Candidate[],
  images: ReadonlyMap<string, ImagePart>,
  shown: ReadonlyMap<string, LinkPart[]>,
): Promise<Set<string>> {
  const linksOf = ({ label }: Candidate): readonly LinkPart[] => shown.get(label._id) ?? [];
  const itemKeysOf = (links: readonly LinkPart[]) => links.map(({ itemId }) => itemKey(store, itemId));
  const pagesKeyOf = (links: readonly LinkPart[]) => itemWithPages(itemKeysOf(links));
  const [itemRevs, pagesRevs] = await Promise.all([
    records.readRevs(
      items,
      undecided.flatMap((candidate) => itemKeysOf(linksOf(candidate))),
    ),
    records.readRevs(
      itemPages,
      undecided.flatMap((candidate) => pagesKeyOf(linksOf(candidate)) ?? []),
    ),
  ]);
  const isMade = (candidate: Candidate): boolean => {
    const image = images.get(candidate.label._id);
    if (!areSamePages(image?.pages ?? [], candidate.state?.wanted ?? [])) return false;
    const links = linksOf(candidate);
    const present = links.map((link) => {
      const item = itemKey(store, link.itemId);
      return shownOf(link, item, itemRevs.get(item) ?? 0, pagesRevs.get(pagesKeyOf(links) ?? ""));
    });
    return isDeepStrictEqual((image?.shows ?? []).map(revsOf), present);
  };
  return new Set(undecided.filter((candidate) => !isMade(candidate)).map(({ label }) => label._id));
}

function candidateOf(
  label: OwnPart,
  state: Partial<LabelState> | undefined,
  { plState }: Wanted,
  readAt: Date,
  offlineAfterMs: number,
): Candidate {
  // `wanted.plState` implies that plStateFields were read, so the cast holds.
  const stateIf = (isStale: boolean) =>
    plState ? plStateOf(state as LabelState | undefined, isStale, readAt, offlineAfterMs) : undefined;
  return { label, state, upToDate: stateIf(false), stale: stateIf(true) };
}

/** Whether a label can pass the filter while either of its two plStates is possible. */
function mayPass(
  { state, upToDate, stale, forecast }: Candidate,
  { plState, batteryState, replaceWithin }: StateFilter,
): boolean {
  if (replaceWithin !== undefined && !isDueWithin(forecast, replaceWithin)) return false;
  const isEither = [upToDate, stale].some((possible) => possible !== undefined && plState?.has(possible));
  return (plState === undefined || isEither) && (batteryState?.has(batteryOf(state)) ?? true);
}

/** The revs that show whether a picture was made from the current records. */
const revsOf = ({ link, linkRev, item, itemRev, pagesRev }: Shown): Shown => ({
  ...{ link, linkRev, item, itemRev },
  ...(pagesRev !== undefined && { pagesRev }),
});

/** The `shows` entry of a picture that was made from the current revs of this link, its item and its page images. */
const shownOf = (link: LinkPart, item: string, itemRev: number, pagesRev: number | undefined): Shown => ({
  link: link._id,
  linkRev: link.rev,
  item,
  itemRev,
  ...(pagesRev !== undefined && { pagesRev }),
});
