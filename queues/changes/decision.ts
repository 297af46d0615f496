import { isDeepStrictEqual } from "node:util";
import type { RecordKind } from "../../records/kind.ts";
import { nextRev } from "../../records/records.ts";
import { causeOfWrite } from "../../runtime/causes.ts";
import { type Cause, withoutActor } from "../../schemas/cause.ts";
import type { Input, Stored } from "../../schemas/record.ts";
import type { Change, Operation } from "../../schemas/topics.ts";
import type { Urgency } from "../../schemas/urgency.ts";

/** A decided write of one record. */
export interface Decision<Body, Next = never> {
  key: string;
  /** The record as it was read. */
  current: Stored<Body> | undefined;
  body: Body;
  inputs?: Input[];
  /** Written without publishing: no topic announces this change. */
  quiet?: boolean;
  /** A derived record has the cause of its newest input. For any other record, the cause is the work in progress. */
  cause?: Cause | undefined;
  /** Decides the next stage's record, which depends only on this one, given the rev that this write assigns. */
  next?: ((rev: number) => Decision<Next>) | undefined;
}

/** A decision that changes something, and the names of the fields that differ. */
export interface Changing<Body, Next = never> {
  decision: Decision<Body, Next>;
  changed: string[];
}

/** Returns the decisions that change something, with their causes. */
export const changingOf = <Body, Next>(
  kind: RecordKind<Body>,
  decisions: readonly Decision<Body, Next>[],
): Changing<Body, Next>[] =>
  decisions
    .map((decision) => ({ decision: withCause(kind, decision), changed: changedFields(decision) }))
    .filter(({ decision, changed }) => decision.current === undefined || changed.length > 0);

/** A record without a topic gets no cause, since its change triggers no derivation or transmission. */
function withCause<Body, Next>({ topic }: RecordKind<Body>, decision: Decision<Body, Next>): Decision<Body, Next> {
  if (topic === undefined || decision.inputs) return decision;
  const cause = causeOfWrite(decision.body as object);
  return { ...decision, cause: cause && withoutActor(cause) };
}

/** Returns the change that announces a decided write at this time. */
export function changeOf<Body, Next>(
  kind: RecordKind<Body>,
  { key, current, body, cause }: Decision<Body, Next>,
  changed: string[],
  urgency: Urgency,
  at: Date,
): Change {
  return {
    key,
    rev: nextRev(current, at),
    operation: operationOf(kind, current, body),
    changed,
    ...(current !== undefined && !kind.isAlive(current) && kind.isAlive(body) && { wasDeleted: true as const }),
    ...keysOfChange(kind, current, body),
    urgency,
    at: at.getTime(),
    ...(cause && { cause }),
  };
}

/** Maximum number of keys that a change names: few rows change more, and the limit bounds the size of a change. */
const MAX_KEYS = 20;

/** Returns the keys of the values that changed, if the record existed before and its kind can list them. */
function keysOfChange<Body>(
  kind: RecordKind<Body>,
  current: Stored<Body> | undefined,
  body: Body,
): Pick<Change, "itemKeys" | "formerRev"> {
  if (kind.changedKeys === undefined || current === undefined) return {};
  if (!kind.isAlive(current) || !kind.isAlive(body)) return {};
  const keys = kind.changedKeys(current, body);
  return keys.length > MAX_KEYS ? {} : { itemKeys: keys, formerRev: current.rev };
}

function operationOf<Body>(kind: RecordKind<Body>, current: Body | undefined, body: Body): Operation {
  if (!kind.isAlive(body)) return "DELETED";
  return current === undefined || !kind.isAlive(current) ? "CREATED" : "UPDATED";
}

const envelope = new Set(["_id", "store", "rev", "writeId", "changedAt", "cause"]);

/** Returns the names of the fields that differ; an undefined field counts as absent. */
function changedFields<Body, Next>({ current, body, inputs }: Decision<Body, Next>): string[] {
  const before: Record<string, unknown> = { ...current };
  const after: Record<string, unknown> = { ...body, ...(inputs && { inputs }) };
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => !envelope.has(name) && !isDeepStrictEqual(before[name], after[name]));
}
