import { type DestinationStream, type Logger, pino } from "pino";
import { type Cause, traceIdOf } from "../schemas/cause.ts";
import { currentCauses } from "./causes.ts";

/** A line of a batch names at most this many of its requests, and the number of the others. */
const MAX_NAMED = 5;

/**
 * The log of a process: JSON lines on standard output. Each line that is written for a call or a batch names its requests
 * (docs/operations/monitor.md#logs).
 */
export const openLog = (process_: string, level: string, destination?: DestinationStream): Logger =>
  pino(
    {
      level,
      base: { process: process_, pid: process.pid },
      serializers: { error: describeError },
      mixin: () => namesOf(currentCauses()),
    },
    ...(destination ? [destination] : []),
  );

/** The name by which databases list the connections of the process that has this log. */
export function connectionNameOf(log: Pick<Logger, "bindings">): string {
  const { process: name } = log.bindings();
  return typeof name === "string" ? `shelfwire-${name}` : "shelfwire";
}

/**
 * The logged part of an error. Errors of libraries have further fields that contain the input: a whole document for a
 * write, an address with its password for a connection.
 */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, stack, code } = error as Error & { code?: unknown };
  return { type: name, message, stack, ...((typeof code === "string" || typeof code === "number") && { code }) };
}

/** The fields that name requests: one value if there is one, otherwise a list. */
export function namesOf(causes: readonly Cause[]): Record<string, unknown> {
  if (causes.length === 0) return {};
  const named = causes.slice(0, MAX_NAMED);
  const fields = {
    requestId: named.flatMap(({ request }) => request ?? []),
    xRequestId: named.flatMap(({ call }) => call ?? []),
    traceId: named.flatMap(({ trace }) => (trace ? [traceIdOf(trace)] : [])),
  };
  return {
    ...Object.fromEntries(
      Object.entries(fields).flatMap(([name, [first, ...others]]) =>
        first === undefined ? [] : [[name, others.length === 0 ? first : [first, ...others]]],
      ),
    ),
    ...(causes.length > MAX_NAMED && { moreRequests: causes.length - MAX_NAMED }),
  };
}
