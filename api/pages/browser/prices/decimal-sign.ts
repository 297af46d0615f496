/** The sign before the decimals of a price. */
export type DecimalSign = "," | ".";

export const decimalSignOf = (language: string): DecimalSign =>
  new Intl.NumberFormat(language).format(1.5).includes(",") ? "," : ".";
