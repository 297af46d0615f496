const NUMBER = /^-?\d{1,12}(?:\.(?<decimals>\d{1,6}))?$/;

/**
 * A price as a person writes it, with the decimals that were sent, and with its currency if that is known; as it was sent if it is
 * not a number.
 */
export function priceText(price: string, currency: string | undefined, language: string): string {
  const found = NUMBER.exec(price);
  if (found === null) return price;
  const digits = found.groups?.decimals?.length ?? 0;
  const format = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  const style = currency ? ({ style: "currency", currency } as const) : {};
  return new Intl.NumberFormat(language, { ...style, ...format }).format(price as `${number}`);
}
