import { inTurns } from "../../../api/management/replacement/choose-sample.ts";
import { imageFileOf } from "../../../drawing/pixels/image-file.ts";
import { readPicture } from "../../../drawing/pixels/read-picture.ts";
import type { LabelExplanation } from "../../../schemas/explanation.ts";
import type { IntegrityReport } from "../../../schemas/integrity.ts";
import { labelKey, storeIds } from "../../../schemas/keys.ts";
import type { LabelSummary, PlState } from "../../../schemas/label.ts";
import { TENANT_ID } from "../../../scripts/demo/catalogue.ts";
import type { EmulatedLabel } from "../../../scripts/label-server/emulated-label.ts";
import { eventually } from "../eventually.ts";
import { callersOf, type Served, sessionOf } from "../served.ts";
import { contradictionsOf, type StatedLabel } from "./contradictions.ts";
import type { SentRequest } from "./last-requests.ts";
import { cardsOf, pageOf, type StatedCard } from "./read-pages.ts";
import type { Drawn, DrawOrder } from "./redraw.ts";
import { rowsApplied } from "./rows-applied.ts";
import { type StatedResult, type StatedStore, storeContradictionsOf } from "./store-contradictions.ts";

/** The parts of a stack that the comparison needs. */
export interface TruthWorld {
  origin: string;
  /** The glass: the emulated labels. */
  glass: { all(): Iterable<EmulatedLabel>; get(barcode: string): EmulatedLabel | undefined };
  redraw(orders: readonly DrawOrder[]): Promise<(Drawn | undefined)[]>;
  /** Returns the store's requests that were applied last, newest first. */
  lastRequests(store: string): Promise<SentRequest[]>;
}

/** Maximum number of labels compared per store. One label of each state is explained, since explanations cost most. */
const COMPARED = 8;
/** Maximum number of labels per store whose pages are read. */
const LABEL_PAGES = 2;
/** Maximum number of requests per store whose results are read. */
const RESULTS = 3;
/** The session's scope. Without design:read, no thread is started to evaluate the rules. */
const SCOPE = "labels:read items:read ops";
/** Labels are not counted in a store that has more than this many. */
const COUNTED = 100;
/** A time later than any logged one. */
const NOW = "2999-12-31 23:59:59";

/**
 * Waits until the API's statements about some labels of each of the demo's stores match their glass; throws an error that lists
 * the statements that the glass contradicts. The glass decides what is true, not a record.
 */
export async function assertStatementsMatchGlass(world: TruthWorld): Promise<void> {
  let session: string | undefined;
  await eventually("the reports about the glass are true", async () => {
    session ??= await openSession(world.origin);
    const found = await readContradictions(world, session);
    if (found.length > 0) throw new Error(found.slice(0, 10).join("; "));
    return true;
  });
}

const openSession = async (origin: string) =>
  sessionOf(origin, await (await callersOf(origin)).token({ scope: SCOPE }));

/** Returns the current statements of the API and the pages about the demo's stores that contradict the glass. */
export async function readContradictions(world: TruthWorld, session?: string): Promise<string[]> {
  const stores = new Set(Array.from(world.glass.all(), ({ store }) => store));
  const ofDemo = [...stores].filter((store) => storeIds(store).tenantId === TENANT_ID);
  if (ofDemo.length === 0) return [];
  const pages = await openPages(world.origin, session ?? (await openSession(world.origin)));
  return (await Promise.all(ofDemo.map((store) => contradictionsIn(world, store, pages)))).flat();
}

async function contradictionsIn(world: TruthWorld, store: string, pages: Pages): Promise<string[]> {
  const { storeId } = storeIds(store);
  const read = await readerOf(await callersOf(world.origin, storeId), storeId);
  const [listed, summary, report, results] = await Promise.all([
    read<ListedLabel[]>(`/labels?projection=M&limit=${COUNTED}`),
    read<LabelSummary>("/labels/summary"),
    read<IntegrityReport>(),
    readResults(world, store, read),
  ]);
  const compared = sampleOf(listed.filter(({ barcode }) => world.glass.get(barcode)?.store === store));
  const described = await readLabels(world, store, read, compared, report);
  const rowOf = rowsApplied(results);
  const labels = described.map((one) => ({ ...one, row: one.redrawn && rowOf(one.redrawn) }));
  const stated: StatedStore = {
    ...{ summary, report, labels, results: results.flatMap(({ sent, result }) => (result ? [{ sent, result }] : [])) },
    listed: summary.labels > COUNTED ? undefined : listed.map(({ plState }) => plState),
    card: pages.cards.get(storeId),
  };
  const ofPages = await readLabelPages(pages, read, storeId, labels);
  return [...ofPages.flatMap(contradictionsOf), ...storeContradictionsOf(stated)];
}

type ListedLabel = { barcode: string; plState: PlState };

/** Reads the pages of some explained labels, with their pictures; labels that do not show the right picture come first. */
async function readLabelPages(
  { read }: Pages,
  { picture }: Reader,
  storeId: string,
  labels: readonly StatedLabel[],
): Promise<StatedLabel[]> {
  const inOrder = labels
    .filter(({ explanation }) => explanation)
    .sort((one, other) => Number(one.plState === "OK") - Number(other.plState === "OK"));
  const looked = new Set(inOrder.slice(0, LABEL_PAGES));
  return Promise.all(
    labels.map(async (label) => {
      if (!looked.has(label)) return label;
      const page = pageOf(await read(`/labels/${label.barcode}?store=${storeId}`));
      const [shown, next] = await Promise.all([page.shown, page.next].map((address) => address && picture(address)));
      return { ...label, page: { ...page, shown, next } };
    }),
  );
}

/** Reads the last requests on items of a store, and the results of the requests that patched items. */
async function readResults({ lastRequests }: TruthWorld, store: string, read: Reader) {
  const sent = await lastRequests(store);
  const patches = sent.filter(({ operation }) => operation === "patch-items").slice(0, RESULTS);
  const results = await Promise.all(
    patches.map(({ requestId }) => read<StatedResult["result"]>(`/items-result/${requestId}`)),
  );
  return sent.map((one) => {
    const result = results[patches.indexOf(one)];
    // The response for an expired result is a problem.
    return { sent: one, result: result?.itemResults && result };
  });
}

type Described = Omit<StatedLabel, "row">;

async function readLabels(
  { glass, redraw }: TruthWorld,
  store: string,
  read: Reader,
  labels: readonly ListedLabel[],
  { behind = [] }: IntegrityReport,
): Promise<Described[]> {
  if (labels.length === 0) return [];
  const barcodes = labels.map(({ barcode }) => barcode);
  const { shown = [] } = await read<IntegrityReport>(undefined, { at: NOW, barcode: barcodes.join(",") });
  const logged = new Map(shown.flatMap((row) => (row.page === 0 ? [[row.barcode, row] as const] : [])));
  const redrawn = await redraw(barcodes.map((barcode) => ({ label: labelKey(store, barcode) })));
  const drawn = new Map(barcodes.map((barcode, index) => [barcode, redrawn[index]]));
  const otherwise = [...logged.values()].flatMap(({ barcode, items: [item, ...others], uploaded, fault }) =>
    item?.price && others.length === 0 && !uploaded && fault === null && drawn.get(barcode)?.price !== item.price
      ? [{ barcode, order: { label: labelKey(store, barcode), price: item.price } }]
      : [],
  );
  const drawnOtherwise = otherwise.length > 0 ? await redraw(otherwise.map(({ order }) => order)) : [];
  const asLogged = new Map(otherwise.map(({ barcode }, index) => [barcode, drawnOtherwise[index]]));
  const explained = new Set(
    Map.groupBy(labels, ({ plState }) => plState)
      .values()
      .map(([first]) => first),
  );
  return Promise.all(
    labels.map(async (label): Promise<Described> => {
      const { barcode, plState } = label;
      const page = glass.get(barcode)?.pages.get(0);
      return {
        ...{
          barcode,
          plState,
          redrawn: drawn.get(barcode),
          logged: logged.get(barcode),
          asLogged: asLogged.get(barcode),
        },
        glass: page && (page.text ?? hashOf(page.png)),
        newest: page?.text === undefined ? await read.picture(`${read.labels}/${barcode}/image`) : undefined,
        behind: behind.find((row) => row.barcode === barcode),
        explanation: explained.has(label) ? await read<LabelExplanation>(`/labels/${barcode}/explain`) : undefined,
        page: undefined,
      };
    }),
  );
}

/** Returns the first labels of each state in turn. */
const sampleOf = (labels: readonly ListedLabel[]): ListedLabel[] =>
  inTurns([...Map.groupBy(labels, ({ plState }) => plState).values()], COMPARED);

const hashOf = (png: Uint8Array): string => imageFileOf(readPicture(png)).sha256;

interface Reader {
  /** Reads a path of the store, or its integrity report. */
  <Body>(path?: string, query?: Record<string, string>): Promise<Body>;
  /** The path of the store's labels. */
  labels: string;
  /** Reads the hash of the picture at a path; undefined if there is no picture. */
  picture(path: string): Promise<string | undefined>;
}

async function readerOf({ origin, base, token }: Served, storeId: string): Promise<Reader> {
  const authorization = `Bearer ${await token({ scope: SCOPE })}`;
  const report = `${origin}/t/${TENANT_ID}/api/management/v1/stores/${storeId}/integrity`;
  const get = async (address: string) => {
    const answer = await fetch(address, { headers: { authorization } });
    if (!answer.ok && answer.status !== 404) throw new Error(`${address}: ${answer.status} ${await answer.text()}`);
    return answer;
  };
  const read = async <Body>(path?: string, query: Record<string, string> = {}): Promise<Body> =>
    (await get(path ? `${base}${path}` : `${report}?${new URLSearchParams(query)}`)).json() as Promise<Body>;
  const picture = async (path: string) => {
    const answer = await get(`${origin}${path}`);
    return answer.ok ? hashOf(await answer.bytes()) : undefined;
  };
  return Object.assign(read, { labels: `${base.slice(origin.length)}/labels`, picture });
}

/** Reads pages in a session, and the overview's statements about each store. */
interface Pages {
  read(path: string): Promise<string>;
  cards: ReadonlyMap<string, StatedCard>;
}

async function openPages(origin: string, session: string): Promise<Pages> {
  const read = async (path: string) => {
    const answer = await fetch(`${origin}${path}`, {
      headers: { cookie: session, accept: "text/html", "accept-language": "en" },
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
    return text;
  };
  return { read, cards: cardsOf(await read("/?checks=1")) };
}
