import { readdirSync } from "node:fs";
import { Ajv } from "ajv";
import test from "ava";

const folder = new URL("../../schemas/", import.meta.url);
const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
const isSchema = (value: unknown): value is object =>
  typeof value === "object" &&
  value !== null &&
  ["type", "anyOf", "allOf", "$ref"].some((word) => Object.hasOwn(value, word));

test("every schema is valid, since validation does not check it again", async (t) => {
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

/** Returns the parts of a schema that have a pattern, each with its path and its error message. */
function patternsIn(schema: unknown, path: string): { path: string; errorMessage: unknown }[] {
  if (typeof schema !== "object" || schema === null) return [];
  const inner = Object.entries(schema).flatMap(([name, value]) => patternsIn(value, `${path}/${name}`));
  const { pattern, errorMessage } = schema as { pattern?: unknown; errorMessage?: unknown };
  return typeof pattern === "string" ? [{ path, errorMessage }, ...inner] : inner;
}

/** Settings whose error message is in `right`, and fields that only label servers send. */
const WORDED_ELSEWHERE =
  /^settings(?:\/databases)?\.ts .*\/(?:REDIS_URL|MONGODB_URL|MONGODB_DATABASE)\/|^label-report\.ts /;

test("every pattern has an error message in words, so that no error quotes a pattern", async (t) => {
  for (const file of files) {
    const exported = (await import(new URL(file, folder).href)) as Record<string, unknown>;
    for (const [name, value] of Object.entries(exported))
      for (const { path, errorMessage } of patternsIn(value, `${file} ${name}`))
        if (!WORDED_ELSEWHERE.test(path)) t.is(typeof errorMessage, "string", path);
  }
});
