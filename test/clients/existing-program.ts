import { hashPassword } from "../../api/access/login/passwords.ts";
import { apiUsers } from "../../records/kinds/tenants.ts";
import { apiUserKey } from "../../schemas/keys.ts";
import { numberOf, writeItems, writeLabels } from "../api/calls.ts";
import { eventually } from "../harness/eventually.ts";
import { glassOf, itemOutcomes, labelFor } from "../harness/glass.ts";
import type { Shelfwire } from "../harness/shelfwire.ts";
import { type RecordedAnswer, sendRecorded } from "./recorded.ts";

const PASSWORD = "correct horse: battery";
export const BASIC = Buffer.from(`till:${PASSWORD}`).toString("base64");

/** Returns an existing program: its user, its calls byte for byte, and their results. */
export const existingProgramOf = (shelfwire: Shelfwire) => ({
  async addUser(): Promise<void> {
    const user = { name: "till", tenant: "demo", stores: "*" as const, scope: "*" };
    const password = await hashPassword(PASSWORD);
    await shelfwire.system.commit.change(apiUsers, [apiUserKey("till")], () => ({ ...user, password }), "bulk");
  },

  send: (recording: string) => sendRecorded(shelfwire.origin, recording),

  /** The outcomes of the request that was accepted. */
  outcomesOf: async ({ status, text }: RecordedAnswer) =>
    itemOutcomes(shelfwire, await numberOf(new Response(text, { status }))),

  /** Creates an item and a label that shows it; returns the barcode once the picture is on the glass. */
  async hang(itemId: string): Promise<string> {
    const barcode = labelFor(itemId);
    await writeItems(shelfwire, [{ itemId, itemName: `The ${itemId}`, price: "9.99" }]);
    await writeLabels(shelfwire, [{ barcode, links: [{ itemId }] }]);
    await glassOf(shelfwire, barcode);
    return barcode;
  },

  /** Waits for the label server to receive a flash order for a label, and returns the order. */
  flashOf: (barcode: string) =>
    eventually(`a flash of ${barcode}`, async () => {
      const call = shelfwire.front?.calls.findLast(({ path }) => path === `/labels/${barcode}/flash`);
      return call && JSON.parse(String(call.body));
    }),
});
