import { designKey, tenantKey } from "../../../schemas/keys.ts";
import type { LinkRecord } from "../../../schemas/link-record.ts";
import type { Outcome } from "../../../schemas/request.ts";
import { TENANT_ID } from "../../../scripts/demo/catalogue.ts";
import { eventually } from "../../harness/eventually.ts";
import { labelOutcomes } from "../../harness/glass.ts";
import { openShelfwire, type Shelfwire } from "../../harness/shelfwire.ts";
import { addModel, bodyOf, writeItems, writeLinks } from "../calls.ts";

/** Returns the full key of a design of the demo tenant. */
export const design = (id: string): string => designKey(tenantKey(TENANT_ID), id);
/** Designs of the demo tenant, one for labels of type 1328 and one for larger labels. */
export const FITS = "regular-296x128";
export const TOO_LARGE = "regular-800x480";

/**
 * Opens a Shelfwire with the workers that make and evaluate links, the items apple and pear, and a model with three positions.
 */
export async function openForLinks(): Promise<Shelfwire> {
  const shelfwire = await openShelfwire({ workers: ["item", "link", "evaluator"] });
  await addModel(shelfwire, { name: "Three", labelTypes: [1328], linkPositions: 3 });
  await writeItems(shelfwire, [
    { itemId: "apple", price: "1.99", sics: ["4001"] },
    { itemId: "pear", price: "2.99" },
  ]);
  return shelfwire;
}

/** Calls that read and write link records; each write returns its row's outcome. */
export function linkCalls(shelfwire: () => Shelfwire) {
  const read = async (linkId: string) => bodyOf<LinkRecord>(await shelfwire().call("GET", `/links/${linkId}`));
  return {
    read,
    async post(body: object): Promise<{ linkId: string; outcome: Outcome | undefined }> {
      const answer = await shelfwire().call("POST", "/links", body);
      if (answer.status !== 202) throw new Error(await answer.text());
      const { requestId, linkId } = (await answer.json()) as { requestId: number; linkId: string };
      return { linkId, outcome: (await labelOutcomes(shelfwire(), requestId))[0] };
    },
    patch: async (linkId: string, body: object) =>
      (await writeLinks(shelfwire(), "PATCH", `/links/${linkId}`, body))[0],
    remove: async (linkId: string) => (await writeLinks(shelfwire(), "DELETE", `/links/${linkId}`))[0],
    list: async (path: string) => bodyOf<LinkRecord[]>(await shelfwire().call("GET", path)),
    /** Waits until a link has its design; for a studio link, the rules choose it. */
    evaluated: (linkId: string) =>
      eventually(`${linkId} is evaluated`, async () => {
        const link = await read(linkId);
        return link.designId !== null && link.studiolink?.design_id !== null && link;
      }),
  };
}
