import { isDeepStrictEqual } from "node:util";
import type { Db } from "mongodb";
import type { Stored } from "../../records/kind.ts";
import { eslImages } from "../../records/kinds/esl-image.ts";
import { items } from "../../records/kinds/item.ts";
import { itemPages } from "../../records/kinds/item-pages.ts";
import { labels } from "../../records/kinds/label.ts";
import { labelStates } from "../../records/kinds/label-state.ts";
import { links } from "../../records/kinds/link.ts";
import { type Positions, possibleLinks, readPositions } from "../../records/linking/links-of-labels.ts";
import { listRecords } from "../../records/list-records.ts";
import type { Records } from "../../records/records.ts";
import type { EslImage, Shown } from "../../schemas/image.ts";
import { itemKey, labelKey, tenantOf } from "../../schemas/keys.ts";
import type { BatteryState, PlState } from "../../schemas/label.ts";
import { type LabelState, plStateOf } from "../../schemas/label-state.ts";
import type { Link } from "../../schemas/link.ts";
import { linkAnswer, type ShownLink, shownOfLink } from "./label-answer.ts";
import { batteryOf, type LabelFacts, type OwnField, type OwnPart, type Wanted } from "./label-facts.ts";

/** States that labels are limited to; any where absent. */
export interface StateFilter {
  plState?: ReadonlySet<PlState> | undefined;
  batteryState?: ReadonlySet<BatteryState> | undefined;
}

/** Labels of a store in order of their barcodes. */
export interface OwnListing {
  modelNames?: readonly string[] | undefined;
  descending?: boolean | undefined;
  start?: number;
  limit?: number;
  batchSize?: number;
}

/** Reads labels of one store, and beside their own records only what an answer, a filter or an order asks for. */
export interface LabelReader {
  list(listing: OwnListing, own: readonly OwnField[]): AsyncIterable<OwnPart[]>;
  /** Those of these barcodes that there are, in this order. */
  read(barcodes: readonly string[], own: readonly OwnField[]): Promise<OwnPart[]>;
  /** What is known of labels, without those that the filter leaves out. */
  complete(labels: readonly OwnPart[], wanted: Wanted, filter?: StateFilter): Promise<LabelFacts[]>;
}

/**
 * Small, so that what a page leaves behind dies young: with 500 the process of the API grew by 240 MB before it
 * collected its garbage, with 200 by 80, with 100 by 50 (docs/decisions.md).
 */
export const LABELS_PER_BATCH = 100;

type LinkPart = Pick<Stored<Link>, "_id" | "rev" | "itemId" | "status">;
type ImagePart = Pick<EslImage, "shows" | "pages">;

/** A label before its links and pictures are looked at: what its plState is if they are up to date, and if not. */
interface Known {
  label: OwnPart;
  state: Partial<LabelState> | undefined;
  upToDate: PlState | undefined;
  stale: PlState | undefined;
}

/** Opens a reader for one call: it tells the state of every label at one time. */
export function createLabelReader(db: Db, records: Records, now: () => Date, offlineAfterMs: number) {
  return (store: string): LabelReader => {
    const at = now();
    let positions: Promise<Positions> | undefined;
    const placesOf = (): Promise<Positions> => {
      positions ??= readPositions(records, [tenantOf(store)]);
      return positions;
    };

    /** The ACTIVE links of labels, by display position. */
    async function readLinks(known: readonly Known[], wanted: Wanted): Promise<Map<string, LinkPart[]>> {
      const places = await placesOf();
      const byLabel = known.map(({ label }) => ({ label: label._id, keys: possibleLinks(label, places) }));
      const keys = byLabel.flatMap(({ keys }) => keys);
      const found: ReadonlyMap<string, LinkPart> = await records.readFields(
        links,
        keys,
        wanted.links ? shownOfLink : ["itemId", "status"],
      );
      return new Map(
        byLabel.map(({ label, keys }) => [
          label,
          keys.flatMap((key) => found.get(key) ?? []).filter(({ status }) => status === "ACTIVE"),
        ]),
      );
    }

    /** Those whose picture is not made yet from what their links and items have become. */
    async function findStale(
      open: readonly Known[],
      images: ReadonlyMap<string, ImagePart>,
      shown: ReadonlyMap<string, LinkPart[]>,
    ): Promise<Set<string>> {
      const places = await placesOf();
      const present = open.map(({ label, state }) => ({
        key: label._id,
        state,
        links: shown.get(label._id) ?? [],
        // Labels that show several items show no page images.
        isAlone: possibleLinks(label, places).length === 1,
      }));
      const itemKeys = present.flatMap(({ links }) => links.map(({ itemId }) => itemKey(store, itemId)));
      const alone = present.filter(({ isAlone }) => isAlone).flatMap(({ links }) => links);
      const [itemRevs, pagesRevs] = await Promise.all([
        records.readRevs(items, itemKeys),
        records.readRevs(
          itemPages,
          alone.map(({ itemId }) => itemKey(store, itemId)),
        ),
      ]);
      const isMade = ({ key, state, links, isAlone }: (typeof present)[number]) =>
        isDeepStrictEqual(images.get(key)?.pages ?? [], state?.wanted ?? []) &&
        isDeepStrictEqual(
          images.get(key)?.shows ?? [],
          links.map((link) => {
            const item = itemKey(store, link.itemId);
            return shownOf(link, item, itemRevs.get(item) ?? 0, isAlone ? pagesRevs.get(item) : undefined);
          }),
        );
      return new Set(present.filter((one) => !isMade(one)).map(({ key }) => key));
    }

    return {
      list: ({ modelNames, ...listing }, own) =>
        listRecords(db, labels, {
          prefix: labelKey(store, ""),
          fields: own,
          batchSize: LABELS_PER_BATCH,
          ...listing,
          ...(modelNames && { filter: { modelName: { $in: modelNames } } }),
        }),

      async read(barcodes, own) {
        const keys = barcodes.map((barcode) => labelKey(store, barcode));
        const found = await records.readFields(labels, keys, own);
        return keys.flatMap((key) => found.get(key) ?? []);
      },

      async complete(page, wanted, filter = {}) {
        const keys = page.map(({ _id }) => _id);
        const states: ReadonlyMap<string, Partial<LabelState>> = wanted.state.length === 0
          ? new Map()
          : await records.readFields(labelStates, keys, wanted.state);
        const known = page
          .map((label) => knownOf(label, states.get(label._id), wanted, at, offlineAfterMs))
          .filter((one) => mayPass(one, filter));
        // Where the state alone tells the plState, as of a label that is away, nothing else is read for it.
        const open = known.filter(({ upToDate, stale }) => upToDate !== stale);
        const linked = wanted.links ? known : open;
        const [shown, images] = await Promise.all([
          readLinks(linked, wanted),
          records.readFields(
            eslImages,
            open.map(({ label }) => label._id),
            ["shows", "pages"],
          ),
        ]);
        const late = await findStale(open, images, shown);
        return known
          .map(({ label, state, upToDate, stale }) => ({
            label,
            state,
            plState: late.has(label._id) ? stale : upToDate,
            links: wanted.links
              ? (shown.get(label._id) ?? []).map((link) => linkAnswer(link as LinkPart & ShownLink))
              : [],
          }))
          .filter(({ plState }) => filter.plState === undefined || (plState && filter.plState.has(plState)));
      },
    };
  };
}

function knownOf(
  label: OwnPart,
  state: Partial<LabelState> | undefined,
  { plState }: Wanted,
  at: Date,
  offlineAfterMs: number,
): Known {
  // Whoever asks for the plState has its fields read.
  const stateIf = (isStale: boolean) =>
    plState ? plStateOf(state as LabelState | undefined, isStale, at, offlineAfterMs) : undefined;
  return { label, state, upToDate: stateIf(false), stale: stateIf(true) };
}

/** Whether the filter may leave a label in: it does not say yet which of the two its plState is. */
function mayPass({ state, upToDate, stale }: Known, { plState, batteryState }: StateFilter): boolean {
  const isEither = [upToDate, stale].some((one) => one !== undefined && plState?.has(one));
  return (plState === undefined || isEither) && (batteryState?.has(batteryOf(state)) ?? true);
}

/** What a picture of this link tells of itself, if it is made from the link and the item as they are now. */
const shownOf = (link: LinkPart, item: string, itemRev: number, pagesRev: number | undefined): Shown => ({
  link: link._id,
  linkRev: link.rev,
  item,
  itemRev,
  ...(pagesRev !== undefined && { pagesRev }),
});
