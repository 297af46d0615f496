/** Returns a decimal without redundant leading zeros; one digit stays before the point. */
export function withoutLeadingZeros(decimal: string): string {
  let start = 0;
  while (decimal[start] === "0" && start + 1 < decimal.length && decimal[start + 1] !== ".") start += 1;
  return decimal.slice(start);
}

/** Returns a decimal, or its fraction, without trailing zeros; one digit stays after the point. */
export function withoutTrailingZeros(decimal: string): string {
  let end = decimal.length;
  while (end > 1 && decimal[end - 1] === "0" && decimal[end - 2] !== ".") end -= 1;
  return decimal.slice(0, end);
}
