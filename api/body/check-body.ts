import type { TSchema } from "typebox";
import type { Fault } from "../../schemas/problem.ts";
import { compileCheck, compileListCheck, type ListCheck } from "../../schemas/validate.ts";
import { knownFields } from "../http/known-fields.ts";
import { createPause, mapInTurns } from "./in-turns.ts";

/** A body that was checked: its faults, and its value, which counts only where there are none. */
export interface CheckedBody {
  faults: readonly Fault[];
  value: unknown;
}

/**
 * Compiles the check of an operation's body. The rows of a list are checked with other calls in between, and without the
 * fields that their schema does not name, which would otherwise be copied once more in one go.
 */
export function compileBodyCheck(schema: TSchema): (body: unknown) => Promise<CheckedBody> {
  const list = compileListCheck(schema);
  if (list !== undefined) {
    const { items } = schema as unknown as { items: TSchema };
    return (body) => checkRows(list, items, body);
  }
  const check = compileCheck(schema);
  return async (body) => ({ faults: check(body), value: body });
}

async function checkRows(
  { checkList, checkElement, answerOf }: ListCheck,
  row: TSchema,
  body: unknown,
): Promise<CheckedBody> {
  const ofList = checkList(body);
  if (ofList.length > 0) return { faults: ofList, value: body };
  const rows = body as readonly unknown[];
  const faults: Fault[] = [];
  const pause = createPause();
  for (const [index, element] of rows.entries()) {
    if (!checkElement(element, index, faults)) break;
    const paused = pause();
    if (paused) await paused;
  }
  if (faults.length > 0) return { faults: answerOf(faults), value: body };
  return { faults, value: await mapInTurns(rows, (element) => knownFields(row, element)) };
}
