/** Messages for label care, in English. */
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
  "care.replace": "Batteries to replace within 30 days",
  "care.replaceNone": "No battery needs replacing within 30 days.",
  "care.unknown": "How long the battery lasts is unknown: its voltage is not reported.",
  "care.lasts": { one: "Battery: about {count} day", other: "Battery: about {count} days" },
  "care.range": "between {earliest} and {latest} days",
  "care.forecasts": {
    one: "There is a forecast for the battery of {count} label.",
    other: "There is a forecast for the batteries of {count} labels.",
  },
  "care.full": "Full refreshes",
} as const;
