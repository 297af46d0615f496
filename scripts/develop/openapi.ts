import { readFile, writeFile } from "node:fs/promises";
import { asyncApiDocument } from "../../api/openapi/derived/asyncapi-document.ts";
import { clientDocument } from "../../api/openapi/derived/client-document.ts";
import { labelServerDocument } from "../../api/openapi/derived/label-server-document.ts";
import { openApiDocument } from "../../api/openapi/document.ts";
import { createRoutes, type RoutesWorld } from "../../api/routes.ts";
import { readCommandLine } from "./command-line.ts";
import { errorPage } from "./openapi/error-page.ts";
import { postmanCollection } from "./openapi/postman-collection.ts";

const fileOf = (name: string) => new URL(`../../docs/${name}`, import.meta.url);

/**
 * Creates the descriptions of the operations without running any operation. Returns them by their file names in docs/: the
 * OpenAPI document, the label servers' OpenAPI document, the topics, a collection of requests, and the errors page.
 */
export async function writeOpenApi(): Promise<Record<string, string>> {
  const { version } = JSON.parse(await readFile(new URL("../../package.json", import.meta.url), "utf8"));
  const nothing = { linkSingle: {}, management: {} } as RoutesWorld;
  const whole = openApiDocument(createRoutes(nothing), version);
  const documents = {
    "openapi.json": whole,
    "postman-collection.json": postmanCollection(clientDocument(whole, "public")),
    "label-server-openapi.json": labelServerDocument(whole, version),
    "asyncapi.json": asyncApiDocument(whole),
  };
  const texts = Object.entries(documents).map(([name, document]) => [name, `${JSON.stringify(document, null, 2)}\n`]);
  return { ...Object.fromEntries(texts), "errors.md": await errorPage(whole) };
}

export const storedOpenApi = (name: string): Promise<string> => readFile(fileOf(name), "utf8");

if (import.meta.main) {
  readCommandLine("npm run openapi --", {
    arguments: [],
    means: "write the OpenAPI and AsyncAPI documents, the collection of requests and the page of errors in docs/",
    options: {},
  });
  for (const [name, text] of Object.entries(await writeOpenApi())) await writeFile(fileOf(name), text);
}
