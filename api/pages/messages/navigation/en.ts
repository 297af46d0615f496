/** Messages for the links in the frame of every page, in English. */
export const navigation = {
  "nav.skip": "Skip to content",
  "nav.label": "Pages",
  "nav.overview": "Overview",
  "nav.shelf": "Shelf",
  "nav.store": "Store",
  "nav.aisle": "Aisle",
  "nav.items": "Items",
  "nav.work": "Tasks",
  "nav.designer": "Designs",
  "nav.stores": "Stores",
  "nav.allStores": { one: "{count} store", other: "All {count} stores" },
} as const;
