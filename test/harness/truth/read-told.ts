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
import { callersOf, type Served } from "../served.ts";
import { contradictionsOf, type ToldLabel } from "./contradictions.ts";
import type { Drawn, DrawOrder } from "./draw-anew.ts";

/** What the comparison needs of a stack. */
export interface TruthWorld {
  origin: string;
  /** The glass: the emulated labels. */
  glass: { all(): Iterable<EmulatedLabel>; get(barcode: string): EmulatedLabel | undefined };
  drawAnew(orders: readonly DrawOrder[]): Promise<(Drawn | undefined)[]>;
}

/** Labels of a store that are compared. One of each state is explained, which costs most. */
const COMPARED = 8;
/** A store of more labels than this is not counted. */
const COUNTED = 100;
/** A time that is later than whatever was logged. */
const NOW = "2999-12-31 23:59:59";

/**
 * Compares some labels of each of the demo's stores with what the interface says of them, once nothing is on its way; throws
 * with what it says and the glass denies. The glass decides, not a record.
 */
export async function assertGlassIsTold(world: TruthWorld): Promise<void> {
  await eventually("what is told of the glass is so", async () => {
    const found = await readContradictions(world);
    if (found.length > 0) throw new Error(found.slice(0, 10).join("; "));
    return true;
  });
}

/** What the interface says at this moment of the demo's stores, and the glass denies. */
export async function readContradictions(world: TruthWorld): Promise<string[]> {
  const stores = new Set(Array.from(world.glass.all(), ({ store }) => store));
  const ofDemo = [...stores].filter((store) => storeIds(store).tenantId === TENANT_ID);
  return (await Promise.all(ofDemo.map((store) => contradictionsIn(world, store)))).flat();
}

async function contradictionsIn(world: TruthWorld, store: string): Promise<string[]> {
  const { storeId } = storeIds(store);
  const read = await readerOf(await callersOf(world.origin, storeId), storeId);
  const [listed, summary, report] = await Promise.all([
    read<ListedLabel[]>(`/labels?projection=M&limit=${COUNTED}`),
    read<LabelSummary>("/labels/summary"),
    read<IntegrityReport>(),
  ]);
  const told = await readLabels(world, store, read, listed, report);
  return [...told.flatMap(contradictionsOf), ...countContradictions(listed, summary, report)];
}

type ListedLabel = { barcode: string; plState: PlState };

/** The counts of a store, which all count the same labels. */
function countContradictions(
  listed: readonly ListedLabel[],
  { labels, plState }: LabelSummary,
  { labels: compared, upToDate, behind = [] }: IntegrityReport,
): string[] {
  const counted = Map.groupBy(listed, (label) => label.plState);
  return [
    labels !== compared && `the summary counts ${labels} labels, integrity ${compared}`,
    upToDate !== compared - behind.length &&
      `integrity counts ${upToDate} of ${compared} labels as right, and lists ${behind.length} that are not`,
    ...(labels > COUNTED ? [] : Object.entries(plState)).map(([state, count]) => {
      const found = counted.get(state as PlState)?.length ?? 0;
      return count !== found && `the summary counts ${count} labels as ${state}, and the list has ${found}`;
    }),
  ].flatMap((text) => text || []);
}

async function readLabels(
  { glass, drawAnew }: TruthWorld,
  store: string,
  read: Reader,
  listed: readonly ListedLabel[],
  { behind = [] }: IntegrityReport,
): Promise<ToldLabel[]> {
  const labels = sampleOf(listed.filter(({ barcode }) => glass.get(barcode)?.store === store));
  if (labels.length === 0) return [];
  const barcodes = labels.map(({ barcode }) => barcode);
  const { shown = [] } = await read<IntegrityReport>(undefined, { at: NOW, barcode: barcodes.join(",") });
  const logged = new Map(shown.flatMap((row) => (row.page === 0 ? [[row.barcode, row] as const] : [])));
  const anew = await drawAnew(barcodes.map((barcode) => ({ label: labelKey(store, barcode) })));
  const drawn = new Map(barcodes.map((barcode, index) => [barcode, anew[index]]));
  const otherwise = [...logged.values()].flatMap(({ barcode, items: [item, ...others], uploaded, fault }) =>
    item?.price && others.length === 0 && !uploaded && fault === null && drawn.get(barcode)?.price !== item.price
      ? [{ barcode, order: { label: labelKey(store, barcode), price: item.price } }]
      : [],
  );
  const drawnOtherwise = otherwise.length > 0 ? await drawAnew(otherwise.map(({ order }) => order)) : [];
  const asLogged = new Map(otherwise.map(({ barcode }, index) => [barcode, drawnOtherwise[index]]));
  const explained = new Set(
    Map.groupBy(labels, ({ plState }) => plState)
      .values()
      .map(([first]) => first),
  );
  return Promise.all(
    labels.map(async (label): Promise<ToldLabel> => {
      const { barcode, plState } = label;
      const page = glass.get(barcode)?.pages.get(0);
      return {
        ...{ barcode, plState, anew: drawn.get(barcode), logged: logged.get(barcode), asLogged: asLogged.get(barcode) },
        glass: page && (page.text ?? hashOf(page.png)),
        newest: page?.text === undefined ? await read.picture(barcode) : undefined,
        behind: behind.find((row) => row.barcode === barcode),
        explanation: explained.has(label) ? await read<LabelExplanation>(`/labels/${barcode}/explain`) : undefined,
      };
    }),
  );
}

/** The first labels of each state in turn. */
const sampleOf = (labels: readonly ListedLabel[]): ListedLabel[] =>
  inTurns([...Map.groupBy(labels, ({ plState }) => plState).values()], COMPARED);

const hashOf = (png: Uint8Array): string => imageFileOf(readPicture(png)).sha256;

interface Reader {
  /** The answer of a path of the store, or its integrity report. */
  <Body>(path?: string, query?: Record<string, string>): Promise<Body>;
  /** The hash of a label's newest picture; undefined where there is none. */
  picture(barcode: string): Promise<string | undefined>;
}

async function readerOf({ origin, base, token }: Served, storeId: string): Promise<Reader> {
  // Without design:read no thread is started that evaluates the rules.
  const authorization = `Bearer ${await token({ scope: "labels:read items:read ops" })}`;
  const report = `${origin}/t/${TENANT_ID}/api/management/v1/stores/${storeId}/integrity`;
  const get = async (address: string) => {
    const answer = await fetch(address, { headers: { authorization } });
    if (!answer.ok && answer.status !== 404) throw new Error(`${address}: ${answer.status} ${await answer.text()}`);
    return answer;
  };
  const read = async <Body>(path?: string, query: Record<string, string> = {}): Promise<Body> =>
    (await get(path ? `${base}${path}` : `${report}?${new URLSearchParams(query)}`)).json() as Promise<Body>;
  const picture = async (barcode: string) => {
    const answer = await get(`${base}/labels/${barcode}/image`);
    return answer.ok ? hashOf(await answer.bytes()) : undefined;
  };
  return Object.assign(read, { picture });
}
