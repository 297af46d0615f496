import { setTimeout } from "node:timers/promises";
import { inBatches } from "../../../schemas/in-batches.ts";
import { ItemPatch } from "../../../schemas/item.ts";
import { MAX_ROWS, type Outcome, type RequestStatus } from "../../../schemas/request.ts";
import { compileCheck } from "../../../schemas/validate.ts";
import type { Client } from "../../client.ts";
import { labelRowsFor } from "./label-rows.ts";

/** A row that failed, and the step in which it failed. */
export interface FailedRow {
  step: "item" | "link" | "picture";
  id: string;
  reason: string;
}

export interface Progress {
  stored(count: number): void;
  linked(count: number): void;
  acknowledged(count: number): void;
}

export interface ImportOptions {
  client: Client;
  rows: readonly ItemPatch[];
  /** Id of the price list to which the rows belong. */
  priceList?: string;
  /** Undefined if no labels are to be created. */
  labelType: string | undefined;
  progress: Progress;
}

export interface ImportSummary {
  stored: number;
  created: number;
  linked: number;
  acknowledged: number;
  failed: FailedRow[];
}

const checkItem = compileCheck(ItemPatch);
const POLL_INTERVAL_MS = 500;
const LABELS_PER_PAGE = 20_000;
/** Pictures are final once this many consecutive polls found the same state. */
const UNCHANGED_POLLS = 3;
const STUCK_AFTER_MS = 300_000;

/** Sends rows through the public interface and waits until the labels show their pictures. */
export async function runImport({
  client,
  rows,
  priceList,
  labelType,
  progress,
}: ImportOptions): Promise<ImportSummary> {
  const { valid, refused } = checkRows(rows);
  const itemRequests = await sendAll(valid, (batch) => client.patchItems(batch, priceList));
  const labelRows =
    labelType === undefined
      ? []
      : labelRowsFor(
          valid.map(({ itemId }) => itemId),
          labelType,
        );
  const labelRequests = await sendAll(labelRows, client.patchLabels);

  const items = await waitForAll(itemRequests, client.itemsResult, progress.stored);
  const links = await waitForAll(labelRequests, client.labelsResult, progress.linked);
  const failed = [...refused, ...failuresOf("item", items), ...failuresOf("link", links)];
  const linked = new Set(links.filter(isGood).flatMap(({ barcode }) => barcode ?? []));
  const pictures = await waitForPictures(client, linked, progress.acknowledged);
  return {
    stored: items.filter(isGood).length,
    created: items.filter(({ status }) => status === "SUCCESS_NEW_ITEM").length,
    linked: linked.size,
    acknowledged: pictures.acknowledged,
    failed: [...failed, ...pictures.failed],
  };
}

/** Separates invalid rows, because one of them would make the API reject the whole request. */
function checkRows(rows: readonly ItemPatch[]): { valid: ItemPatch[]; refused: FailedRow[] } {
  const refused: FailedRow[] = [];
  const valid = rows.filter((row, index) => {
    const faults = checkItem(row);
    const reason = faults.map(({ pointer, detail }) => `${pointer} ${detail}`).join("; ");
    if (faults.length > 0) refused.push({ step: "item", id: row.itemId || `row ${index + 1}`, reason });
    return faults.length === 0;
  });
  return { valid, refused };
}

async function sendAll<Row>(rows: readonly Row[], send: (rows: readonly Row[]) => Promise<number>): Promise<number[]> {
  const requests: number[] = [];
  for (const batch of inBatches(rows, MAX_ROWS)) requests.push(await send(batch));
  return requests;
}

async function waitForAll(
  requests: readonly number[],
  read: (requestId: number) => Promise<{ status: RequestStatus; outcomes: Outcome[] }>,
  report: (count: number) => void,
): Promise<Outcome[]> {
  const done: Outcome[] = [];
  for (const requestId of requests) {
    let result = await read(requestId);
    while (result.status === "PENDING" || result.status === "IN_PROGRESS") {
      report([...done, ...result.outcomes].filter(isGood).length);
      await setTimeout(POLL_INTERVAL_MS);
      result = await read(requestId);
    }
    done.push(...result.outcomes);
    report(done.filter(isGood).length);
  }
  return done;
}

/**
 * Waits until every label is OK or in ERROR and the state has not changed for some polls, or until nothing changes for too
 * long.
 */
async function waitForPictures(client: Client, barcodes: ReadonlySet<string>, report: (count: number) => void) {
  let unchangedPolls = 0;
  let lastState = "";
  let changedAt = performance.now();
  while (barcodes.size > 0) {
    const labels = (await listAllLabels(client)).filter(({ barcode }) => barcodes.has(barcode));
    const acknowledged = labels.filter(({ plState }) => plState === "OK").length;
    const faulty = labels.filter(({ plState }) => plState === "ERROR");
    report(acknowledged);
    const state = JSON.stringify(labels.map(({ plState, lastUpdate }) => [plState, lastUpdate]));
    if (state !== lastState) changedAt = performance.now();
    unchangedPolls = state === lastState && acknowledged + faulty.length === barcodes.size ? unchangedPolls + 1 : 0;
    lastState = state;
    const isStuck = performance.now() - changedAt > STUCK_AFTER_MS;
    if (unchangedPolls >= UNCHANGED_POLLS || isStuck) {
      const unfinished = labels.filter(({ plState }) => plState !== "OK");
      return {
        acknowledged,
        failed: unfinished.map(
          ({ barcode, plState }): FailedRow => ({ step: "picture", id: barcode, reason: plState }),
        ),
      };
    }
    await setTimeout(POLL_INTERVAL_MS);
  }
  return { acknowledged: 0, failed: [] };
}

async function listAllLabels(client: Client) {
  const labels: Awaited<ReturnType<Client["listLabels"]>> = [];
  for (let start = 0; ; start += LABELS_PER_PAGE) {
    const page = await client.listLabels(`projection=L&start=${start}&limit=${LABELS_PER_PAGE}`);
    labels.push(...page);
    if (page.length < LABELS_PER_PAGE) return labels;
  }
}

const isGood = ({ status }: Outcome): boolean => status === "SUCCESS" || status === "SUCCESS_NEW_ITEM";

const failuresOf = (step: "item" | "link", outcomes: readonly Outcome[]): FailedRow[] =>
  outcomes
    .filter((outcome) => !isGood(outcome))
    .map(({ itemId, barcode, status, errors }) => ({
      step,
      id: (step === "item" ? itemId : barcode) ?? "",
      reason: [status, ...errors].join(": "),
    }));
