import { LRUCache } from "lru-cache";
import { type BarcodeScheme, barcodeScheme, schemeOfTenant } from "../../domain/linking/barcodes/barcode-scheme.ts";
import { tenantOf } from "../../schemas/keys.ts";
import { tenants } from "../kinds/tenants.ts";
import type { Records } from "../records.ts";

/** Returns the barcode scheme of the tenant to which a key belongs. */
export type SchemeOf = (key: string) => Promise<BarcodeScheme>;

const CACHE_TTL_MS = 5_000;
const MAX_CACHED_TENANTS = 10_000;

/**
 * Finds tenants' barcode schemes. Tenants without one use `pattern`, whose check digit is a sum of ASCII codes. A change takes
 * effect within CACHE_TTL_MS. Throws immediately if the pattern is invalid.
 */
export function createBarcodeSchemes(records: Records, pattern: string, clock: () => number): SchemeOf {
  const fallback = barcodeScheme({ pattern, checkDigit: "ascii-sum" });
  const known = new LRUCache<string, { scheme: BarcodeScheme; readAt: number }>({ max: MAX_CACHED_TENANTS });
  return async (key) => {
    const tenant = tenantOf(key);
    const cached = known.get(tenant);
    if (cached && clock() - cached.readAt < CACHE_TTL_MS) return cached.scheme;
    const own = (await records.readFields(tenants, [tenant], ["barcodeScheme", "macBarcodes"])).get(tenant);
    const scheme = schemeOfTenant(own ?? {}, fallback);
    known.set(tenant, { scheme, readAt: clock() });
    return scheme;
  };
}
