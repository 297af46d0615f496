import { gs1CheckDigit } from "../../domain/linking/barcodes/check-digits.ts";
import { notice } from "../../schemas/drawing-notice.ts";
import { shortened } from "../text/shortened.ts";
import { ValueError } from "./value-error.ts";

/** GS1's own resolver, which forwards to the brand's page. */
const RESOLVER = "https://id.gs1.org";

/** GTIN-8, GTIN-12, GTIN-13 and GTIN-14 (GS1 General Specifications, section 3.3). */
const GTIN = /^(?:\d{8}|\d{12,14})$/;
const DIGITS = 14;

/** A resolver's address: https, a host, and optionally a path. */
const ADDRESS = /^https:\/\/[a-z\d](?:[a-z\d.-]*[a-z\d])?(?::\d{1,5})?(?:\/[\w.~-]+)*\/?$/i;

/**
 * Returns the GS1 Digital Link of a product (GS1 Digital Link Standard: URI Syntax, section 4), by GS1's resolver or another
 * one. Throws ValueError if the GTIN or the resolver's address is invalid.
 */
export function digitalLinkOf(text: string, resolver: string = RESOLVER): string {
  const gtin = text.trim();
  if (!GTIN.test(gtin)) throw new ValueError(notice("NOT_A_GTIN", { text: shortened(text) }));
  const [expected, digit] = [gs1CheckDigit(gtin.slice(0, -1)), gtin.at(-1) ?? ""];
  if (digit !== expected) throw new ValueError(notice("GTIN_CHECK_DIGIT", { text: gtin, expected, digit }));
  if (!ADDRESS.test(resolver)) throw new ValueError(notice("NOT_A_RESOLVER", { text: shortened(resolver) }));
  return `${resolver.replace(/\/$/, "")}/01/${gtin.padStart(DIGITS, "0")}`;
}
