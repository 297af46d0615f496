/** The check digit of the rule "ascii-sum": the sum of the ASCII codes of all other characters, modulo 10. */
export const asciiCheckDigit = (body: string): string =>
  String(Buffer.from(body, "ascii").reduce((sum, code) => sum + code, 0) % 10);

/**
 * The check digit of a GTIN: weights alternate between 3 and 1 from the right (GS1 General Specifications, section 7.9).
 * Returns "NaN", which equals no digit, if a character is not a digit.
 */
export function gs1CheckDigit(body: string): string {
  const digits = Array.from(body, (character) => (/\d/.test(character) ? Number(character) : Number.NaN)).reverse();
  const sum = digits.reduce((total, digit, index) => total + digit * (index % 2 === 0 ? 3 : 1), 0);
  return String((10 - (sum % 10)) % 10);
}
