/** Messages for changing a price on a label or an item, in English. */
export const price = {
  "price.label": "New price",
  "price.send": "Change price",
  "price.refused": "“{value}” is not a price. Enter one number, such as {example}.",
  "price.large": "Change the price from {from} to {to}?",
  "price.kept": "The price stays the same.",
  "price.sent": "Sent. The label is getting its new picture.",
  "price.arrived": "The new price is on the label.",
  "price.overtaken": "Someone else changed the price to {price}.",
  "price.later":
    "A campaign is running for this item. The new price is saved and will be shown after the campaign; until then, the label shows {price}.",
  "price.hidden": "The price is saved, but the label shows an uploaded picture instead.",
  "price.faulty": "The price is saved, but the label does not show it: the picture could not be drawn.",
  "price.waiting": "The label is taking longer than usual. The price is saved and will arrive.",
} as const;
