import { isDeepStrictEqual } from "node:util";
import { CanvasOrder } from "../../schemas/canvas.ts";
import type { Envelope } from "../../schemas/record.ts";
import type { Content, Subject, VersionMark } from "../../schemas/version.ts";

/** The fields of every record that has versions. */
export interface Live {
  version?: VersionMark;
  deleted?: true;
}

const contentFields: Readonly<Record<Subject, readonly string[]>> = {
  "communication-packs": ["name", "scenarios"],
  designs: ["name", "canvasId", "compatible_esltype_ids"],
  "canvas-designs": Object.keys(CanvasOrder.properties),
};

/** Returns the content of a record as a body of its PUT. Undefined if the record is deleted. */
export function contentOf(subject: Subject, record: Live): Content | undefined {
  if (record.deleted) return undefined;
  const fields = record as Record<string, unknown>;
  return Object.fromEntries(
    contentFields[subject].flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])),
  );
}

/** Whether a body would change nothing except who made the version. */
export function isSameBody(current: Live & Envelope, body: Live): boolean {
  const { version: _, _id, store, rev, writeId, changedAt, cause, ...present } = current;
  const { version: __, ...proposed } = body;
  return isDeepStrictEqual(withoutAbsent(present), withoutAbsent(proposed));
}

const withoutAbsent = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
