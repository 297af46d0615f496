import { readJson, readList } from "../read-all.ts";
import { folded } from "../search/fold.ts";

/** A label, as the shelf shows it. */
export interface ShelfLabel {
  barcode: string;
  state: string;
  battery: string;
  model: string;
  place: string;
  item: string | undefined;
  /** Changes with each change to the label, so that its picture is fetched again. */
  version: number;
  /** The words that a search compares, without case and accents. */
  words: string;
  /** The department of the item on the label. */
  department: string;
  /** The label's link department, whose transceivers reach it. */
  area: string;
}

interface LabelAnswer {
  barcode: string;
  modelName: string | null;
  plLocation: string | null;
  linkDepartment: string | null;
  plState: string;
  batteryState: string;
  links: { itemId: string }[];
}

export interface ShelfItem {
  itemId: string;
  itemName: string | null;
  price: string | null;
  department: string | null;
  sics: string[];
}

/** The first page is shown first; parsing the others takes less than a frame. */
const FIRST_LABELS = 120;
const LABELS_PER_CALL = 1_000;

/** Reads the labels of a store, in pages by barcode. */
export async function* readLabels(base: string): AsyncGenerator<ShelfLabel[]> {
  for (let start = 0, limit = FIRST_LABELS; ; start += limit, limit = LABELS_PER_CALL) {
    const found = await readJson<LabelAnswer[]>(`${base}/labels?start=${start}&limit=${limit}`);
    yield found.map(labelOf);
    if (found.length < limit) return;
  }
}

/** Reads the items of a store, whose names a search includes. */
export const readItems = (base: string): AsyncGenerator<ShelfItem[]> => readList(`${base}/items?projection=M`);

const BARCODES_PER_CALL = 200;

/** Reads some labels again. */
export async function* readSome(base: string, barcodes: readonly string[]): AsyncGenerator<ShelfLabel[]> {
  for (let start = 0; start < barcodes.length; start += BARCODES_PER_CALL) {
    const some = barcodes.slice(start, start + BARCODES_PER_CALL);
    const filter = some.map((barcode) => `filter[barcode]=${encodeURIComponent(barcode)}`).join("&");
    const found = await readJson<LabelAnswer[]>(`${base}/labels?limit=${some.length}&${filter}`);
    yield found.map(labelOf);
  }
}

/** Reads an item again; undefined if it no longer exists. */
export const readItem = (base: string, itemId: string): Promise<ShelfItem | undefined> =>
  readJson<{ value: ShelfItem }>(`${base}/items/${encodeURIComponent(itemId)}?projection=M`).then(
    ({ value }) => value,
    () => undefined,
  );

const labelOf = ({
  barcode,
  modelName,
  plLocation,
  linkDepartment,
  plState,
  batteryState,
  links,
}: LabelAnswer): ShelfLabel => ({
  barcode,
  state: plState,
  battery: batteryState,
  model: modelName ?? "",
  place: plLocation ?? "",
  area: linkDepartment ?? "",
  item: links[0]?.itemId,
  version: 0,
  words: folded(`${barcode} ${plLocation ?? ""} ${links.map(({ itemId }) => itemId).join(" ")}`),
  department: "",
});
