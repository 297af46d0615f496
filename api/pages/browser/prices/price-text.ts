const NUMBER = /^-?\d{1,12}(?:\.(?<decimals>\d{1,6}))?$/;

/**
 * Returns a price as people write it, with the decimals that were sent, and with its currency if known. Text that is
 * not a number is returned as sent.
 */
export function priceText(price: string, currency: string | undefined, language: string): string {
  const found = NUMBER.exec(price);
  if (found === null) return price;
  const digits = found.groups?.decimals?.length ?? 0;
  const format = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  const style = currency ? ({ style: "currency", currency } as const) : {};
  return new Intl.NumberFormat(language, { ...style, ...format }).format(price as `${number}`);
}
