/** The texts of the care of labels, in English. */
export const care = {
  "care.title": "Care",
  "care.store": "Care of labels",
  "care.refreshes": { one: "{count} refresh in 31 days", other: "{count} refreshes in 31 days" },
  "care.perDay": "On average {perDay} per day",
  "care.none": "No refreshes have been counted yet.",
  "care.price": "Another price",
  "care.link": "Other items",
  "care.design": "Another design or value",
  "care.repeat": "The same picture again",
} as const;
