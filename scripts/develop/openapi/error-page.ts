import { readFile } from "node:fs/promises";
import { type ProblemName, problems } from "../../../api/http/problem-kinds.ts";
import type { Json } from "../../../api/openapi/components.ts";
import { markdownTable } from "../documents/markdown-table.ts";

/** The possible rejections of an operation: its method and path, its interface, and its problems in the document's order. */
interface Refusals {
  operation: string;
  interfaceName: string;
  names: readonly ProblemName[];
}

const interfaces = ["Interface of a store", "Management", "The operator's interface", "Beside them"] as const;

/**
 * Returns the errors page in Markdown: every kind of problem with its status, cause and remedy from its page in docs/problems,
 * and the problems of each operation in the document.
 */
export async function errorPage(whole: Json): Promise<string> {
  const operations = refusalsOf(whole);
  const parts = interfaces.map((interfaceName) => {
    const own = operations.filter((one) => one.interfaceName === interfaceName);
    const common = (own[0]?.names ?? []).filter((name) => own.every(({ names }) => names.includes(name)));
    const rows = own.map(({ operation, names }) => [
      `\`${operation}\``,
      namesOf(names.filter((name) => !common.includes(name))),
    ]);
    const shared = common.length > 0 ? [`Every operation can be rejected with ${namesOf(common)}.`] : [];
    return [`### ${interfaceName}`, ...shared, table(["operation", common.length > 0 ? "besides" : "errors"], rows)];
  });
  return `${[head, table(["type", "status", "when", "what to do"], await kinds()), "## By operation", ...parts.flat()].join("\n\n")}\n`;
}

const head = `# Errors

Made by \`npm run openapi\`. [For integrators](integrators/calls.md#problems) says how an error response looks. Each \`type\` leads to a page with
an example; the tables below name the types of each operation.

## By type`;

const kinds = (): Promise<string[][]> =>
  Promise.all(
    Object.entries(problems).map(async ([name, { status }]) => {
      const page = await readFile(new URL(`../../../docs/problems/${name}.md`, import.meta.url), "utf8");
      return [
        `[\`${name}\`](problems/${name}.md)`,
        String(status),
        firstSentence(page, "What it means"),
        firstSentence(page, "What to do"),
      ];
    }),
  );

function firstSentence(page: string, heading: string): string {
  const [, section = ""] = page.split(`\n## ${heading}\n`);
  const [, sentence = ""] = /^\s*(.*?\.)(?:\s|$)/s.exec(section) ?? [];
  if (sentence === "") throw new Error(`a problem page has no sentence under "${heading}"`);
  return sentence.replaceAll(/\s+/g, " ").replaceAll("|", "\\|");
}

function refusalsOf({ paths, components }: Json): Refusals[] {
  const { responses } = components as { responses: Record<string, Json> };
  return Object.entries(paths as Record<string, Record<string, Json>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { servers, responses: answers } = operation as { servers?: { url: string }[]; responses: Json };
      return {
        operation: `${method.toUpperCase()} ${path}`,
        interfaceName: interfaceOf(servers?.[0]?.url),
        names: Object.values(answers as Record<string, Json>).flatMap((answer) => {
          const key = typeof answer.$ref === "string" ? answer.$ref.split("/").at(-1) : undefined;
          return key === undefined ? [] : problemsOf(responses[key]);
        }),
      };
    }),
  );
}

function problemsOf(answer: Json = {}): ProblemName[] {
  const { content } = answer as { content?: Record<string, { examples?: Record<string, unknown> }> };
  return Object.keys(content?.["application/problem+json"]?.examples ?? {}) as ProblemName[];
}

function interfaceOf(server: string | undefined): (typeof interfaces)[number] {
  if (server === undefined) return "Interface of a store";
  if (server.endsWith("/api/management/v1")) return "Management";
  return server.endsWith("/api/platform/v1") ? "The operator's interface" : "Beside them";
}

/** Lists problems by status: "404 `not-found`; 409 ...". */
const namesOf = (names: readonly ProblemName[]): string =>
  [...Map.groupBy(names, (name) => problems[name].status)]
    .map(([status, alike]) => `${status} ${alike.map((name) => `\`${name}\``).join(", ")}`)
    .join("; ") || "nothing";

const table = (header: readonly string[], rows: readonly (readonly string[])[]): string =>
  markdownTable(header, rows).join("\n");
