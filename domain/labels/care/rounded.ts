/** A figure of the care of labels, as it is shown: rounded to hundredths. */
export const rounded = (value: number): number => Math.round(value * 100) / 100;
