import type { Page } from "playwright-core";

/** A name that would change the title of a page that does not escape it. */
export const EVIL = `<script>document.title="taken"</script>`;

/** Four items with all of their fields, and enough other items for more than a page. */
export const shopItems = [
  ...["Apple juice", "Pear", "Plum", EVIL].map((itemName, index) => ({
    itemId: `item-${index}`,
    itemName,
    price: `${index + 1}.49`,
    department: index < 2 ? "Fruit" : "Other",
    sics: [`385000000001${index}`],
    properties: { unit: "l", priceKind: "regular" },
  })),
  ...Array.from({ length: 60 }, (_, index) => ({
    itemId: `more-${index}`,
    itemName: `Article ${index}`,
    price: "9.99",
  })),
];

/** A price list: two new items, one of which has another item's code; a changed item; and rows with faults. */
export const priceList = [
  "SKU;Name;Preis;EAN;Note;Unit",
  'item-0;Apple juice;1,79;;"a;b";l',
  'new-1;"Crème fraîche";2,49;385777;;',
  "new-2;Eggs;0,99;3850000000013;;",
  ";Nameless;1,00;;;",
  "item-3;;;;;",
  "new-1;Again;1,00;;;",
];

/** Returns a list as a file for the browser, in a spreadsheet's encoding. */
export const list = (lines: readonly string[]) => ({
  name: "list.csv",
  mimeType: "text/csv",
  buffer: Buffer.from(lines.join("\r\n"), "latin1"),
});

/** A figure in the preview of an import. */
export const figure = (page: Page, name: string) => page.locator(`[data-figure=${name}] .figure`).textContent();
