import test from "ava";
import { bodyLimits } from "../../api/body/body-limits.ts";
import { tenantLimits } from "../../schemas/tenant-limits.ts";
import { bounds, storedBounds, writeBounds } from "../../scripts/develop/bounds.ts";

test("the table in docs/bounds.md matches the code (npm run bounds)", async (t) => {
  const stored = await storedBounds();
  t.is(stored, writeBounds(stored));
});

test("every limit of a tenant and of a body has a row that says what happens beyond it", (t) => {
  const rows = bounds();
  for (const [what, most, beyond] of rows)
    t.true(
      [what, most, beyond].every((cell) => cell !== ""),
      what,
    );
  const written = new Set(rows.map(([, most]) => most));
  for (const [name, most] of Object.entries(tenantLimits)) t.true(written.has(most.toLocaleString("en-US")), name);
  for (const [name, most] of Object.entries(bodyLimits.json)) {
    const isWritten = rows.some(([, text]) => {
      const [number = "", unit = ""] = text.replaceAll(",", "").split(" ");
      const size = unit === "MiB" ? 2 ** 20 : unit === "KiB" ? 2 ** 10 : 1;
      return Number(number) * size === most;
    });
    t.true(isWritten, name);
  }
});

test("changing a limit makes the table out of date", async (t) => {
  const original = tenantLimits.stores;
  t.teardown(() => {
    tenantLimits.stores = original;
  });
  const stored = await storedBounds();
  tenantLimits.stores += 1;
  t.not(stored, writeBounds(stored));
});
