import test from "ava";
import { limits } from "../../../api/http/limits.ts";
import { ProblemError } from "../../../api/http/problem-error.ts";
import { workCounts } from "../../../schemas/work-counts.ts";
import { hostileBodies, receive } from "./hostile-bodies.ts";

test("there are at least sixty hostile bodies, each of at most 32 MiB", (t) => {
  t.true(hostileBodies.length >= 60, `${hostileBodies.length}`);
});

for (const { name, operation, make } of hostileBodies) {
  test.serial(`${operation} with ${name} is bounded work`, async (t) => {
    const bytes = Buffer.from(make() as string);
    t.true(bytes.length <= limits.body.maxBytes);
    const before = workCounts();
    await receive(operation, bytes).catch((error: unknown) => {
      if (!(error instanceof ProblemError)) throw error;
    });
    const after = workCounts();
    t.true(after.scannedBytes - before.scannedBytes <= limits.body.maxBytes);
    t.true(after.parsedValues - before.parsedValues <= limits.body.maxValues);
    t.true(after.checks - before.checks <= 100_000, `${after.checks - before.checks} checks`);
    t.true(after.faults - before.faults <= 2 * 101, `${after.faults - before.faults} faults`);
    t.true(after.compilations - before.compilations <= 4_000, `${after.compilations - before.compilations} compiled`);
  });
}
