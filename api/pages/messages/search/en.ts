/** Messages for the search across all pages, in English. */
export const search = {
  "search.open": "Search",
  "search.keys": "Ctrl K",
  "search.field": "Search items, labels, stores and pages",
  "search.pages": "Pages",
  "search.stores": "Stores",
  "search.items": "Items",
  "search.labels": "Labels",
  "search.reading": { one: "Reading … {count} entry so far", other: "Reading … {count} entries so far" },
  "search.none": "Nothing found.",
  "search.failed": "Not everything could be read. Try again in a moment.",
  "search.close": "Close",
} as const;
