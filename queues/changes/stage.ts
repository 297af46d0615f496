import type { RecordKind } from "../../records/kind.ts";
import type { Topic } from "../../schemas/topics.ts";
import type { Derivation, Derive } from "./derive.ts";

/** A step of the pipeline that can be audited: which of its records are not what they should be? */
export interface Stage {
  name: string;
  /** The kind whose keys are walked. */
  over: RecordKind<unknown>;
  /** Of these keys, those whose output is behind. */
  findStale(keys: readonly string[]): Promise<string[]>;
  /** Under which topic a key that is behind is enqueued again. */
  topic: Topic;
}

/** The stage of a derivation whose records have the keys of the kind that is walked. */
export function stageOf<Facts, Body>(
  { findStale }: Derive,
  derivation: Derivation<Facts, Body>,
  over: RecordKind<unknown>,
  topic: Topic,
): Stage {
  return { name: derivation.kind.name, over, topic, findStale: (keys) => findStale(derivation, keys) };
}
