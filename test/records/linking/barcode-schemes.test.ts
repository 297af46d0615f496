import test from "ava";
import { tenants } from "../../../records/kinds/tenants.ts";
import { createBarcodeSchemes } from "../../../records/linking/barcode-schemes.ts";
import type { Records } from "../../../records/records.ts";
import type { BarcodeSchemeOrder } from "../../../schemas/tenant.ts";

/** Tenants with their own schemes, as read from records, and the number of reads. */
function scene(own: Record<string, BarcodeSchemeOrder>) {
  const reads: unknown[] = [];
  const clock = { now: 0 };
  const records = {
    async readFields(kind: { name: string }, keys: readonly string[], fields: readonly string[]) {
      reads.push([kind.name, keys, fields]);
      const known = keys.filter((key) => key === "t/none" || key in own);
      return new Map(known.map((key) => [key, fields.includes("barcodeScheme") ? { barcodeScheme: own[key] } : {}]));
    },
  } as unknown as Records;
  return { reads, clock, own, schemeOf: createBarcodeSchemes(records, "^A(?<type>[0-9]{4})[0-9]$", () => clock.now) };
}

const of = (pattern: string): BarcodeSchemeOrder => ({ pattern, checkDigit: "none" });

test("a tenant's own scheme reads its barcodes, and the installation's scheme reads other tenants' barcodes", async (t) => {
  const { schemeOf, reads } = scene({ "t/own": of("^B(?<type>[0-9]{2})$") });
  const own = await schemeOf("t/own/s/main/labels/B13");
  t.deepEqual([own("B13"), own("A13289")], [13, undefined]);
  for (const tenant of ["t/none", "t/unknown"]) {
    const read = await schemeOf(tenant);
    const checkDigits = Array.from({ length: 10 }, (_, digit) => read(`A1328${digit}`)).filter((type) => type === 1328);
    t.is(checkDigits.length, 1, "its check digit is a checksum");
    t.is(read("B13"), undefined);
  }
  t.deepEqual(reads[0], [tenants.name, ["t/own"], ["barcodeScheme", "macBarcodes"]]);
});

test("a scheme is cached for five seconds, separately for each tenant", async (t) => {
  const { schemeOf, reads, clock, own } = scene({ "t/own": of("^B(?<type>[0-9]{2})$") });
  const first = await schemeOf("t/own");
  clock.now = 4_000;
  own["t/own"] = of("^C(?<type>[0-9]{2})$");
  await schemeOf("t/none");
  clock.now = 4_999;
  t.is(await schemeOf("t/own/s/main"), first);
  t.is(reads.length, 2);
  clock.now = 5_000;
  t.is((await schemeOf("t/own"))("C13"), 13);
  t.is(reads.length, 3);
  clock.now = 8_999;
  await schemeOf("t/own");
  await schemeOf("t/none");
  t.is(reads.length, 3);
});

test("a pattern without a type is refused before any label is read", (t) => {
  t.throws(() => createBarcodeSchemes({} as Records, "^A$", () => 0), { message: /no group "type"/ });
});
