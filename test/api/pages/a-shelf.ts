import { eventually } from "../../harness/eventually.ts";
import { labelFor } from "../../harness/glass.ts";
import type { Served } from "../../harness/served.ts";
import { writeItems, writeLabels } from "../calls.ts";
import { manage } from "../management/calls.ts";
import { EVIL } from "./shop-items.ts";

const names = ["apple", "pear", "plum", "cherry", EVIL];
export const barcodes = names.map((_, index) => labelFor(`label ${index}`));

/** A shelf with five labels, each with its own item. */
export function shelfOf(shelfwire: Served) {
  const causeOf = async (barcode: string) =>
    ((await (await shelfwire.call("GET", `/labels/${barcode}/explain`)).json()) as { cause: string }).cause;
  const isShown = (barcode: string) =>
    eventually(`${barcode} shows its item`, async () => (await causeOf(barcode)) === "UP_TO_DATE");
  return {
    causeOf,
    isShown,
    /** Writes items and labels, waits for their pictures, and subscribes; returns the subscription's id. */
    async fill(): Promise<string> {
      await writeItems(
        shelfwire,
        names.map((name, index) => ({
          itemId: `item-${index}`,
          itemName: name,
          price: `${index + 1}.49`,
          department: index < 2 ? "Fruit" : "Other",
        })),
      );
      await writeLabels(
        shelfwire,
        barcodes.map((barcode, index) => ({
          barcode,
          ...(index === 4 && { linkDepartment: "1" }),
          links: [{ itemId: `item-${index}` }],
        })),
      );
      await Promise.all(barcodes.map(isShown));
      const order = { topics: ["link.v2"], url: "https://shop.example/events" };
      const made = await manage(shelfwire, "POST", "/subscriptions", order);
      return ((await made.json()) as { subscriptionId: string }).subscriptionId;
    },
  };
}

/** The paths of all pages with a script, for a user with all permissions in the store and at head office. */
export const scriptedPages = (label: string, subscription: string): string[] => [
  "/",
  "/shelf?store=main",
  label,
  "/aisle",
  "/items",
  "/items/item-0",
  "/import",
  "/designer/rules",
  "/stores/main",
  "/new/store",
  "/new/subscription",
  `/subscriptions/${subscription}`,
];
