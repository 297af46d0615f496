import { readFile, writeFile } from "node:fs/promises";
import { openApiDocument } from "../../api/openapi/document.ts";
import { createRoutes, type RoutesWorld } from "../../api/routes.ts";

const file = new URL("../../docs/openapi.json", import.meta.url);

/** Makes the OpenAPI document from the operations, without running any of them. */
export async function writeOpenApi(): Promise<string> {
  const { version } = JSON.parse(await readFile(new URL("../../package.json", import.meta.url), "utf8"));
  const nothing = { linkSingle: {}, management: {} } as RoutesWorld;
  return `${JSON.stringify(openApiDocument(createRoutes(nothing), version), null, 2)}\n`;
}

export const storedOpenApi = (): Promise<string> => readFile(file, "utf8");

if (import.meta.main) await writeFile(file, await writeOpenApi());
