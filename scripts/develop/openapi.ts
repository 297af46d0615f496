import { readFile, writeFile } from "node:fs/promises";
import { clientDocument } from "../../api/openapi/client-document.ts";
import { openApiDocument } from "../../api/openapi/document.ts";
import { createRoutes, type RoutesWorld } from "../../api/routes.ts";
import { postmanCollection } from "./openapi/postman-collection.ts";

const fileOf = (name: string) => new URL(`../../docs/${name}`, import.meta.url);

/** Makes the OpenAPI documents and the collection of requests from the operations, without running any of them; by their names in docs/. */
export async function writeOpenApi(): Promise<Record<string, string>> {
  const { version } = JSON.parse(await readFile(new URL("../../package.json", import.meta.url), "utf8"));
  const nothing = { linkSingle: {}, management: {} } as RoutesWorld;
  const whole = openApiDocument(createRoutes(nothing), version);
  const publicDocument = clientDocument(whole, "public");
  const documents = {
    "openapi.json": whole,
    "openapi-public.json": publicDocument,
    "openapi-management.json": clientDocument(whole, "management"),
    "postman-collection.json": postmanCollection(publicDocument),
  };
  return Object.fromEntries(
    Object.entries(documents).map(([name, document]) => [name, `${JSON.stringify(document, null, 2)}\n`]),
  );
}

export const storedOpenApi = (name: string): Promise<string> => readFile(fileOf(name), "utf8");

if (import.meta.main)
  for (const [name, text] of Object.entries(await writeOpenApi())) await writeFile(fileOf(name), text);
