import { labelKey, storeKey } from "../../schemas/keys.ts";
import { STORE_ID, TENANT_ID } from "../../scripts/demo/catalogue.ts";
import { barcodeFor } from "../../scripts/operate/import/label-rows.ts";
import { eventually } from "./eventually.ts";
import type { Served } from "./served.ts";
import type { Shelfwire } from "./shelfwire.ts";

export const DEMO_STORE = storeKey(TENANT_ID, STORE_ID);

/** Returns the barcode of a test's label, of type 1328 unless another type is given. */
export const labelFor = (name: string, type = "1328"): string => barcodeFor(name, type);

export interface ShownLabel {
  barcode: string;
  plState: string;
  links: { itemId: string }[];
}

export const readLabel = async ({ call }: Pick<Served, "call">, barcode: string): Promise<ShownLabel> =>
  (await call("GET", `/labels/${barcode}`)).json() as Promise<ShownLabel>;

/** Waits until a label shows its newest picture. If it never does, the error says why. */
export async function untilOk(served: Pick<Served, "call">, barcode: string): Promise<void> {
  const isOk = async () => (await readLabel(served, barcode)).plState === "OK";
  await eventually(`${barcode} is OK`, isOk).catch(async (error: Error) => {
    const explanation = await served.call("GET", `/labels/${barcode}/explain`);
    throw new Error(`${error.message}; explain: ${await explanation.text()}`, { cause: error });
  });
}

/** Waits until a label shows its newest picture; returns the PNG on its glass. */
export async function glassOf(shelfwire: Shelfwire, barcode: string): Promise<Buffer> {
  await untilOk(shelfwire, barcode);
  const png = shelfwire.labelServer.labels.get(barcode)?.pages.get(0)?.png;
  if (png === undefined) throw new Error(`the glass of ${barcode} is blank: ${labelKey(DEMO_STORE, barcode)}`);
  return png;
}

/** Counts how often a picture was transmitted to a label, or to all labels. */
export const transmissions = ({ labelServer }: Shelfwire, barcode?: string): number =>
  barcode === undefined
    ? labelServer.labels.totals().received
    : (labelServer.labels.get(barcode)?.pages.get(0)?.received ?? 0);

/** Returns the result of a request on items once it is complete. */
export const itemOutcomes = ({ client }: Served, requestId: number) =>
  eventually(`items-result ${requestId}`, async () => {
    const { status, outcomes } = await client.itemsResult(requestId);
    return status === "COMPLETED" && outcomes;
  });

/** Returns the result of a request on labels once it is complete. */
export const labelOutcomes = ({ client }: Served, requestId: number) =>
  eventually(`labels-result ${requestId}`, async () => {
    const { status, outcomes } = await client.labelsResult(requestId);
    return status === "COMPLETED" && outcomes;
  });
