import { element } from "../call.ts";
import { isConfirmed } from "../confirm.ts";
import { decimalSignOf } from "./decimal-sign.ts";
import { priceText } from "./price-text.ts";
import { isLargeChange, readPrice, writtenPrice } from "./read-price.ts";

/** A page without the field has no dialog either. */
const question = document.querySelector<HTMLDialogElement>("#price-dialog");
const { language = "", currency, refused = "", large = "" } = question?.dataset ?? {};

/**
 * Returns the value of a price field in the interface's format; undefined if it is not a valid price. If the field was
 * not edited, returns the initial price, even an invalid one.
 */
export function priceIn({ value, dataset: { price: before = "" } }: HTMLInputElement): string | undefined {
  const written = value.trim();
  return written === writtenPrice(before, language) ? before : readPrice(written, decimalSignOf(language));
}

/** Shows a stored price in a field. */
export function showPrice(field: HTMLInputElement, price: string): void {
  field.dataset.price = price;
  field.value = writtenPrice(price, language);
}

/** Returns a price as it appears in a sentence. */
export const shownPrice = (price: string): string => priceText(price, currency, language);

/** Returns the message for a field whose text is not a price. */
export const noPrice = ({ value }: HTMLInputElement): string => refused.replace("{value}", () => value.trim());

/** Whether the user confirms a price; a large change is shown with both prices. */
export async function isMeant(from: string, to: string): Promise<boolean> {
  if (question === null || !isLargeChange(from, to)) return true;
  element("#price-question").textContent = large
    .replace("{from}", () => shownPrice(from))
    .replace("{to}", () => shownPrice(to));
  return isConfirmed(question);
}
