import test from "ava";
import { compileBodyCheck } from "../../../api/body/check-body.ts";
import { parseJson } from "../../../api/body/parse-json.ts";
import { limits } from "../../../api/http/limits.ts";
import { ProblemError } from "../../../api/http/problem-error.ts";
import { canvasFaults } from "../../../api/management/designs/canvas-designs.ts";
import { createRoutes } from "../../../api/routes.ts";
import type { CanvasDesign } from "../../../schemas/canvas.ts";
import type { PackOrder } from "../../../schemas/pack.ts";
import { workCounts } from "../../../schemas/work-counts.ts";
import { checkPack } from "../../../workers/evaluator/packs/check-pack.ts";
import { hostileBodies } from "./hostile-bodies.ts";

const none: unknown = new Proxy({}, { get: () => none });
const routes = new Map(createRoutes(none as never).map((route) => [route.operationId, route]));

/** What an operation does with a body before it reads or writes a record. */
async function receive(operation: string, bytes: Buffer): Promise<void> {
  const value = await parseJson(bytes, limits.body);
  const schema = routes.get(operation)?.body;
  if (schema === undefined) throw new Error(`there is no operation ${operation} with a body`);
  const checked = await compileBodyCheck(schema)(value);
  if (checked.faults.length > 0) return;
  if (operation === "putPack") checkPack(checked.value as PackOrder, "t/demo", () => true);
  if (operation === "putCanvasDesign") canvasFaults(checked.value as CanvasDesign);
}

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
