import { readFile, writeFile } from "node:fs/promises";
import { clientDocument } from "../../api/openapi/client-document.ts";
import { openApiDocument } from "../../api/openapi/document.ts";
import { createRoutes, type RoutesWorld } from "../../api/routes.ts";

const fileOf = (name: string) => new URL(`../../docs/${name}`, import.meta.url);

/** Makes the OpenAPI documents from the operations, without running any of them; by their names in docs/. */
export async function writeOpenApi(): Promise<Record<string, string>> {
  const { version } = JSON.parse(await readFile(new URL("../../package.json", import.meta.url), "utf8"));
  const nothing = { linkSingle: {}, management: {} } as RoutesWorld;
  const whole = openApiDocument(createRoutes(nothing), version);
  const documents = {
    "openapi.json": whole,
    "openapi-public.json": clientDocument(whole, "public"),
    "openapi-management.json": clientDocument(whole, "management"),
  };
  return Object.fromEntries(
    Object.entries(documents).map(([name, document]) => [name, `${JSON.stringify(document, null, 2)}\n`]),
  );
}

export const storedOpenApi = (name: string): Promise<string> => readFile(fileOf(name), "utf8");

if (import.meta.main)
  for (const [name, text] of Object.entries(await writeOpenApi())) await writeFile(fileOf(name), text);
