/** Rounds a figure about the care of labels to hundredths, as it is shown. */
export const rounded = (value: number): number => Math.round(value * 100) / 100;
