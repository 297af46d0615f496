import { readFile } from "node:fs/promises";
import { Validator } from "@seriousme/openapi-schema-validator";
import test from "ava";

test("the document for label servers is valid OpenAPI 3.1, and has both directions", async (t) => {
  const stored = await readFile(new URL("../../../../docs/label-server-openapi.json", import.meta.url), "utf8");
  const document = JSON.parse(stored);
  const { valid, errors } = await new Validator().validate(JSON.parse(stored));
  t.true(valid, JSON.stringify(errors, null, 2));
  t.deepEqual(Object.keys(document.paths), [
    "/labels/{barcode}/pages/{page}",
    "/labels/{barcode}/switches/{switch}/pages/{page}",
    "/labels/{barcode}/segments",
    "/labels/{barcode}/flash",
    "/labels/{barcode}/display-page",
    "/labels/{barcode}/fingerprint",
    "/switches/{switch}",
    "/label-server/v1/reports",
  ]);
});
