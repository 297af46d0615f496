import type { Described } from "../brief/described.ts";

/** A call that a generated client makes, once with a token and once with one that is not good. */
export interface OrderedCall {
  operationId: string;
  tag: string;
  method: string;
  path: string;
  /** Values of the path's parameters. */
  parameters: Readonly<Record<string, unknown>>;
  body?: unknown;
}

/** What a program that uses a generated client is told. */
export interface Order {
  /** The store's address, without `/api/public/core/v1`. */
  base: string;
  token: string;
  calls: readonly OrderedCall[];
}

interface Operation {
  operationId: string;
  tags: readonly string[];
  parameters?: readonly { name: string; in: string; example?: unknown }[];
  requestBody?: { content: Readonly<Record<string, { example?: unknown }>> };
}

/** Answers without JSON, and the login, which takes no token. */
const leftOut = ["getLabelImage", "login"];

/** Calls of the operations of a document for generators, in an order in which each finds what it is about. */
export function orderedCalls(document: Described, known: Readonly<Record<string, readonly string[]>>): OrderedCall[] {
  const calls = Object.entries(document.paths as unknown as Record<string, Record<string, Operation>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods).flatMap(([method, { operationId, tags, parameters = [], requestBody }]) => {
        const content = requestBody?.content ?? {};
        if (leftOut.includes(operationId) || "multipart/form-data" in content) return [];
        const inPath = parameters.filter((one) => one.in === "path");
        const body = content["application/json"]?.example;
        return {
          operationId,
          tag: tags[0] ?? "",
          method,
          path,
          parameters: Object.fromEntries(
            inPath.map(({ name, example }) => [name, valueFor(known[name]?.[0], example)]),
          ),
          ...(body !== undefined && { body }),
        };
      }),
  );
  return calls.toSorted((one, other) => Number(one.method === "delete") - Number(other.method === "delete"));
}

/** A known value of a parameter, as a number where its example is one. */
const valueFor = (known: string | undefined, example: unknown): unknown =>
  known === undefined ? example : typeof example === "number" ? Number(known) : known;

/** The line that a program prints for a call: the status, and for an error the type of its problem as the client has read it. */
const LINE = /^(\w+) (good|bad) (\d{3}) ?(\S*)$/;
/** Fewer calls that succeed show nothing. */
const MIN_GOOD = 20;

/** What is wrong with what a program printed; empty where every call was answered as it should be. */
export function faultsOfProgram(calls: readonly OrderedCall[], printed: string): string[] {
  const answers = new Map(
    printed.split("\n").flatMap((line) => {
      const [, operationId, kind, status, type = ""] = LINE.exec(line) ?? [];
      return operationId === undefined ? [] : [[`${operationId} ${kind}`, { status: Number(status), type }] as const];
    }),
  );
  const faults = calls.flatMap(({ operationId }) => {
    const good = answers.get(`${operationId} good`);
    const bad = answers.get(`${operationId} bad`);
    return [
      ...(good === undefined || good.status === 400 || good.status === 401 || good.status >= 500
        ? [`${operationId}: ${good?.status ?? "no answer"} to a good call`]
        : []),
      ...(bad?.status !== 401 || bad.type !== "/problems/invalid-token"
        ? [`${operationId}: ${bad?.status ?? "no answer"} "${bad?.type ?? ""}" to a call without a good token`]
        : []),
    ];
  });
  const done = calls.filter(({ operationId }) => (answers.get(`${operationId} good`)?.status ?? 500) < 300).length;
  return done < MIN_GOOD ? [...faults, `only ${done} operations succeeded, not ${MIN_GOOD}`] : faults;
}
