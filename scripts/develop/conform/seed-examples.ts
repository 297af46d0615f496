import { setTimeout } from "node:timers/promises";
import type { ItemPatch } from "../../../schemas/item.ts";
import { linkIdOf } from "../../../schemas/keys.ts";
import type { LabelPatch } from "../../../schemas/label.ts";
import type { Client } from "../../client.ts";

interface Body<Row> {
  requestBody: { content: { "application/json": { example: Row[] } } };
}

/** The parts of a served document that are read here. */
interface Described {
  paths: { "/items": { patch: Body<ItemPatch> }; "/labels": { patch: Body<LabelPatch> } };
}

const POLL_INTERVAL_MS = 50;

/**
 * Sends the document's own examples of items and labels, so that the resources that its other examples name exist. Returns
 * values of path parameters that exist afterwards.
 */
export async function seedExamples(origin: string, client: Client): Promise<Record<string, string[]>> {
  const { paths } = (await (await fetch(`${origin}/api/openapi.json`)).json()) as Described;
  const rowsOf = <Row>({ requestBody }: Body<Row>) => requestBody.content["application/json"].example;
  const items = rowsOf(paths["/items"].patch);
  const labels = rowsOf(paths["/labels"].patch);
  const numbers = [await client.patchItems(items), await client.patchLabels(labels)];
  await waitFor(client, Math.max(...numbers));
  const barcodes = labels.map(({ barcode }) => barcode);
  return {
    requestId: numbers.map(String),
    itemId: items.map(({ itemId }) => itemId),
    sic: items.flatMap(({ sics }) => sics ?? []),
    barcode: barcodes,
    linkId: barcodes.map((barcode) => linkIdOf(barcode, 0)),
  };
}

async function waitFor(client: Client, request: number): Promise<void> {
  for (;;) {
    const { status, outcomes } = await client.labelsResult(request);
    const bad = outcomes.find((outcome) => outcome.status !== "SUCCESS");
    if (status === "COMPLETED" && bad === undefined) return;
    if (status === "COMPLETED") throw new Error(`the document's example of a label is ${JSON.stringify(bad)}`);
    await setTimeout(POLL_INTERVAL_MS);
  }
}
