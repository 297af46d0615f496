import type { Described } from "../brief/described.ts";

/** The part that differs from call to call of one operation. */
interface Sent {
  /** Values of the path's parameters. */
  parameters: Readonly<Record<string, unknown>>;
  body?: unknown;
}

/**
 * A call that a generated client makes in three ways: correctly, with a value that the operation rejects, and with an invalid
 * token.
 */
export interface OrderedCall extends Sent {
  operationId: string;
  tag: string;
  method: string;
  path: string;
  /** Absent if no value of the path or body can be rejected. */
  bad?: Sent;
}

/** Input of a program that uses a generated client. */
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
  responses: Readonly<Record<string, { content?: object }>>;
}

/** A call whose response is not JSON, and the login, which needs no token. */
const leftOut = ["getLabelImage", "login"];

/** Returns the calls that generated clients make, in an order in which the resource that each call needs exists. */
export function orderedCalls(document: Described, known: Readonly<Record<string, readonly string[]>>): OrderedCall[] {
  const calls = Object.entries(document.paths as unknown as Record<string, Record<string, Operation>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods).flatMap(([method, { operationId, tags, parameters = [], requestBody, responses }]) => {
        const content = requestBody?.content ?? {};
        if (leftOut.includes(operationId) || "multipart/form-data" in content || isEndless(responses)) return [];
        const inPath = parameters.filter((one) => one.in === "path");
        const body = content["application/json"]?.example;
        const sent: Sent = {
          parameters: Object.fromEntries(
            inPath.map(({ name, example }) => [name, valueFor(known[name]?.[0], example)]),
          ),
          ...(body !== undefined && { body }),
        };
        const bad = spoiled(sent);
        return { operationId, tag: tags[0] ?? "", method, path, ...sent, ...(bad && { bad }) };
      }),
  );
  return calls.toSorted((one, other) => Number(one.method === "delete") - Number(other.method === "delete"));
}

/** Whether a response continues until the caller disconnects. A client that reads it to its end would never return. */
const isEndless = (responses: Operation["responses"]): boolean =>
  Object.values(responses).some(({ content = {} }) => "text/event-stream" in content);

/** Returns a known value of a parameter, as a number if its example is a number. */
const valueFor = (known: string | undefined, example: unknown): unknown =>
  known === undefined ? example : typeof example === "number" ? Number(known) : known;

/** Longer than every id. */
const LONG_TEXT = "x".repeat(2000);
/** Larger than every position and page, and not the number of any request. */
const LARGE_NUMBER = 999_999_999;
const IDS = ["itemId", "itemIds", "barcode"];

/**
 * Returns the same call with one value that the operation itself rejects with 400 or 404, but that has the right type, so
 * that a typed client can send it. Undefined if there is none.
 */
function spoiled({ parameters, body }: Sent): Sent | undefined {
  const [first] = Object.entries(parameters);
  const [name, value] = first ?? [];
  if (name !== undefined)
    return { parameters: { ...parameters, [name]: typeof value === "number" ? LARGE_NUMBER : LONG_TEXT }, body };
  const text = JSON.stringify(body) ?? "";
  const changed = JSON.stringify(body, (key, part) =>
    !IDS.includes(key) ? part : Array.isArray(part) ? [LONG_TEXT] : LONG_TEXT,
  );
  return changed === undefined || changed === text ? undefined : { parameters, body: JSON.parse(changed) };
}

/**
 * The line that a program prints for a call: the status and, for an error, the type of its problem and the place of its first
 * fault, as the client has read them.
 */
const LINE = /^(\w+) (good|bad|denied) (\d{3}) ?(\S*) ?(\S*)$/;
interface Answer {
  status: number;
  type: string;
  place: string;
}
const NO_ANSWER: Answer = { status: 0, type: "", place: "" };
/** Minimum number of calls that succeed, and of calls that their operation rejects. With fewer, the run proves nothing. */
const MIN_CALLS = 20;

/** Returns what a program printed, by operation and kind of call. */
function answersIn(printed: string): (operationId: string, kind: string) => Answer {
  const answers = new Map(
    printed.split("\n").flatMap((line) => {
      const [, operationId, kind, status, type = "", place = ""] = LINE.exec(line) ?? [];
      return operationId === undefined
        ? []
        : [[`${operationId} ${kind}`, { status: Number(status), type, place }] as const];
    }),
  );
  return (operationId, kind) => answers.get(`${operationId} ${kind}`) ?? NO_ANSWER;
}

/** Returns the faults in a program's output. Empty if every call had the expected response. */
export function faultsOfProgram(calls: readonly OrderedCall[], printed: string): string[] {
  const answerOf = answersIn(printed);
  const faults = calls.flatMap(({ operationId, bad }) =>
    [
      { kind: "good", isRight: isGood, to: "that is good" },
      ...(bad ? [{ kind: "bad", isRight: isRefusal, to: "that the operation refuses" }] : []),
      { kind: "denied", isRight: isDenied, to: "without a good token" },
    ].flatMap(({ kind, isRight, to }) => {
      const answer = answerOf(operationId, kind);
      const { status, type, place } = answer;
      return isRight(answer) ? [] : [`${operationId}: ${status || "no response"} "${type}" ${place} to a call ${to}`];
    }),
  );
  const done = calls.filter(({ operationId }) => isDone(answerOf(operationId, "good"))).length;
  const refused = calls.filter(({ operationId }) => isRefusal(answerOf(operationId, "bad"))).length;
  return [
    ...faults,
    ...(done < MIN_CALLS ? [`only ${done} operations succeeded, not ${MIN_CALLS}`] : []),
    ...(refused < MIN_CALLS ? [`only ${refused} operations rejected a call by themselves, not ${MIN_CALLS}`] : []),
  ];
}

const isDone = ({ status }: Answer): boolean => status >= 200 && status < 300;
/** An earlier call may have deleted the resource of a call. */
const isGood = (answer: Answer): boolean => isDone(answer) || [404, 409].includes(answer.status);
const isDenied = ({ status, type }: Answer): boolean => status === 401 && type === "/problems/invalid-token";
/**
 * Whether the operation itself has rejected a call, and the client has read the response as a problem, including the place of
 * its fault.
 */
const isRefusal = ({ status, type, place }: Answer): boolean =>
  (status === 400 && type === "/problems/invalid-request" && place.startsWith("/")) ||
  (status === 404 && type === "/problems/not-found");
