import type { RecordKind } from "../../records/kind.ts";
import type { Topic } from "../../schemas/topics.ts";
import type { Derivation, Derive } from "./derive.ts";

/** A step of the pipeline that an audit checks: which of its derived records are stale? */
export interface Stage {
  name: string;
  /** The kind whose keys are walked. */
  over: RecordKind<unknown>;
  /** Of these keys, those whose derived record is stale. */
  findStale(keys: readonly string[]): Promise<string[]>;
  /** The topic under which a stale key is enqueued again. */
  topic: Topic;
  /** Its key of a link; absent where its keys have nothing to do with links. */
  keyOfLink?(link: string): string;
}

/** Of a stage whose keys are those of links. */
export const ofLink = (link: string): string => link;

/** The stage of a derivation whose records have the same keys as the records of the walked kind, of links where it is given. */
export function stageOf<Facts, Body>(
  { findStale }: Derive,
  derivation: Derivation<Facts, Body>,
  over: RecordKind<unknown>,
  topic: Topic,
  keyOfLink?: Stage["keyOfLink"],
): Stage {
  const name = derivation.kind.name;
  return { name, over, topic, findStale: (keys) => findStale(derivation, keys), ...(keyOfLink && { keyOfLink }) };
}
