import { readFileSync } from "node:fs";

interface Document {
  paths: Record<string, Record<string, { responses: Record<string, { $ref?: string }> }>>;
  components: { responses: Record<string, { content?: Record<string, { examples?: object }> }> };
}

let known: ((method: string, path: string) => ReadonlyMap<number, readonly string[]> | undefined) | undefined;

/**
 * Throws if the OpenAPI document does not define this response of a store's interface for the operation. A response to HEAD has
 * no problem to read.
 */
export async function assertDocumented(method: string, path: string, answer: Response): Promise<void> {
  if (method === "HEAD") return;
  const [address = ""] = path.split("?");
  const { type = "" } = answer.status < 400 ? {} : ((await answer.clone().json()) as { type?: string });
  const fault = undocumented(method, address, answer.status, type);
  if (fault !== undefined) throw new Error(fault);
}

/**
 * Returns the undocumented part of an API response: its status, or its problem's type. Returns undefined if the
 * response is as documented, or if no operation has this method and path.
 */
export function undocumented(method: string, path: string, status: number, type: string): string | undefined {
  known ??= readOperations();
  const answers = known(method.toLowerCase(), path);
  if (answers === undefined) return undefined;
  const types = answers.get(status);
  const isNamed = types !== undefined && (status < 400 || types.includes(type.replace("/problems/", "")));
  return isNamed ? undefined : `${method} ${path}: the document has no ${status} ${type}`;
}

function readOperations() {
  const file = new URL("../../docs/openapi.json", import.meta.url);
  const { paths, components }: Document = JSON.parse(readFileSync(file, "utf8"));
  const operations = Object.entries(paths).map(([path, methods]) => ({
    // A fixed path wins over one with a parameter, as on the server.
    parameters: path.split("{").length,
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
    methods,
  }));
  operations.sort((one, other) => one.parameters - other.parameters);
  return (method: string, path: string) => {
    const operation = operations.find(({ pattern, methods }) => pattern.test(path) && method in methods);
    const responses = operation?.methods[method]?.responses;
    if (responses === undefined) return undefined;
    return new Map(
      Object.entries(responses).map(([status, { $ref = "" }]) => {
        const { content } = components.responses[$ref.split("/").at(-1) ?? ""] ?? {};
        return [Number(status), Object.keys(content?.["application/problem+json"]?.examples ?? {})];
      }),
    );
  };
}
