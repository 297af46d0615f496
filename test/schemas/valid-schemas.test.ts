import { readdirSync } from "node:fs";
import { Ajv } from "ajv";
import test from "ava";

const folder = new URL("../../schemas/", import.meta.url);
const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
const isSchema = (value: unknown): value is object =>
  typeof value === "object" &&
  value !== null &&
  ["type", "anyOf", "allOf", "$ref"].some((word) => Object.hasOwn(value, word));

test("every schema is one: what checks values by it does not look again", async (t) => {
  const ajv = new Ajv({ strict: false });
  let count = 0;
  for (const file of files) {
    const exported = (await import(new URL(file, folder).href)) as Record<string, unknown>;
    for (const [name, schema] of Object.entries(exported).filter(([, value]) => isSchema(value))) {
      count += 1;
      t.true(ajv.validateSchema(schema as object), `${file} ${name}: ${ajv.errorsText(ajv.errors)}`);
    }
  }
  t.true(count > 100);
  t.false(ajv.validateSchema({ type: "text" }));
});
