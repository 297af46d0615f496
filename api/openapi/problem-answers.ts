import { Problem } from "../../schemas/problem.ts";
import { bodyLimits } from "../body/body-limits.ts";
import { type ProblemName, problems } from "../http/problem-kinds.ts";
import type { Components, Json } from "./components.ts";
import { problemHeaders } from "./headers.ts";

/** Example details; a problem that is not listed uses its title. */
const details: Partial<Record<ProblemName, string>> = {
  "invalid-request": "The body has 1 fault: /0/price must be a string or null, not true.",
  "malformed-body": "The body is not valid JSON: Unexpected end of JSON input",
  unauthenticated: "Send the header `Authorization: Bearer <token>`.",
  forbidden: 'The token lacks the scope "items:write".',
  "not-found": 'The item "4711" does not exist.',
  conflict: "The link was not created: the label has no position 3.",
  "precondition-failed": "The communication pack has changed since it was read.",
  "body-too-large": `The body is larger than the maximum of ${bodyLimits.json.maxBytes / 2 ** 20} MiB.`,
  "unsupported-media-type": 'Send application/json in UTF-8, not "text/plain".',
  "internal-error": "An internal fault occurred; it is logged under the id of the request.",
  unavailable: "The database cannot be reached. Nothing was changed; send the request again.",
};

/** The error responses of operations: one shared component for each status and set of causes. */
export function createProblemAnswers({ refer }: Components) {
  const known: Json = {};

  /** Creates one response per status, with an example of each of its causes. */
  function answersOf(names: readonly ProblemName[]): Json {
    const byStatus = Map.groupBy(new Set(names), (name) => problems[name].status);
    const statuses = [...byStatus].sort(([status], [other]) => status - other);
    return Object.fromEntries(
      statuses.map(([status, causes]) => {
        const key = causes.map(pascalCase).sort().join("Or");
        known[key] ??= answerOf(status, causes);
        return [status, { $ref: `#/components/responses/${key}` }];
      }),
    );
  }

  const answerOf = (status: number, causes: readonly ProblemName[]): Json => ({
    description: causes.map((name) => problems[name].title).join("; or: "),
    headers: problemHeaders(status),
    content: {
      "application/problem+json": {
        schema: {
          allOf: [
            refer(Problem),
            {
              type: "object",
              properties: {
                type: { enum: causes.map(typeOf), description: "Identifies the cause" },
                status: { const: status, description: "HTTP status of the response" },
              },
            },
          ],
        },
        examples: Object.fromEntries(
          causes.map((name) => [name, { summary: problems[name].title, value: exampleOf(name) }]),
        ),
      },
    },
  });

  return { answersOf, responses: (): Json => Object.fromEntries(Object.entries(known).sort(byName)) };
}

function exampleOf(name: ProblemName): Problem {
  const { status, title } = problems[name];
  return {
    type: typeOf(name),
    title,
    status,
    detail: details[name] ?? `${title}.`,
    instance: "/requests/0b9a4c8e-5d0c-4d8e-9f61-3f0a7c1b2d34",
    ...(name === "invalid-request" && {
      errors: [{ pointer: "/0/price", detail: "must be a string or null, not true" }],
    }),
  };
}

const typeOf = (name: ProblemName): string => `/problems/${name}`;
const pascalCase = (name: string): string =>
  name.replace(/(^|-)(\w)/g, (_, _dash, letter: string) => letter.toUpperCase());
const byName = ([name]: [string, unknown], [other]: [string, unknown]): number => (name < other ? -1 : 1);
