import { type DestinationStream, type Logger, pino } from "pino";
import { type Cause, traceIdOf } from "../schemas/cause.ts";
import { currentCauses } from "./causes.ts";

/** A batch's log line names at most this many of its requests, and counts the others. */
const MAX_NAMED = 5;

/**
 * The log of a process: JSON lines on standard output. A line that is logged for a call or a batch names its requests
 * (docs/operations/monitor.md#logs). Only the fields of an error that contain no input are logged. What is logged about a call
 * is in `api/middleware/log-requests.ts`.
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

/** Returns the name under which databases list the connections of this log's process. */
export function connectionNameOf(log: Pick<Logger, "bindings">): string {
  const { process: name } = log.bindings();
  return typeof name === "string" ? `shelfwire-${name}` : "shelfwire";
}

/**
 * Returns the loggable part of an error. Library errors have other fields that contain input, such as the whole document of a
 * write, or a connection's address with a password.
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
