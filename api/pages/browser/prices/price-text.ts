const NUMBER = /^-?\d{1,12}(?:\.(?<decimals>\d{1,6}))?$/;

/**
 * A price as a person writes it, with the decimals that were sent; as it was sent if it is not a number or has no
 * currency.
 */
export function priceText(price: string, currency: string | undefined, language: string): string {
  const found = NUMBER.exec(price);
  if (!currency || found === null) return price;
  const digits = found.groups?.decimals?.length ?? 0;
  const format = { style: "currency", currency, minimumFractionDigits: digits, maximumFractionDigits: digits } as const;
  return new Intl.NumberFormat(language, format).format(price as `${number}`);
}
