import type { TSchema } from "typebox";
import type { Fault } from "../../schemas/problem.ts";
import { type Check, compileCheck, compileListCheck, type ListCheck, MAX_FAULTS } from "../../schemas/validate.ts";
import { type FormsContext, hasWrapper, type Tolerated, tolerate } from "../tolerance/strict-form.ts";
import { createPause, mapWithPauses } from "./pause.ts";
import { knownFields } from "./without-unknown-fields.ts";

/** The result of checking a body: its faults, and its value, which is meaningful only if there are no faults. */
export interface CheckedBody {
  faults: readonly Fault[];
  value: unknown;
}

/** The settings for accepting a body in forms other than the strict one. */
export interface Forms extends FormsContext {
  /** Parses the body again with its numbers as written; undefined if all are in their standard form. */
  readWritten(): Promise<unknown>;
}

/**
 * Compiles a function that checks an operation's body. The rows of a list are checked and stripped of fields that their schema
 * does not define, with pauses in which other calls can run. With `forms`, a value with faults is converted to its strict form
 * and checked again, as is every value of a schema with a wrapper; any other strict value costs nothing extra.
 */
export function compileBodyCheck(schema: TSchema): (body: unknown, forms?: Forms) => Promise<CheckedBody> {
  const list = compileListCheck(schema);
  if (list !== undefined) {
    const { items } = schema as unknown as { items: TSchema };
    return async (body, forms) => {
      const isAlone = forms !== undefined && typeof body === "object" && body !== null && !Array.isArray(body);
      const { faults, value } = await checkRows(list, items, isAlone ? [body] : body, forms);
      return { faults: isAlone ? faults.map(ofTheOnlyRow) : faults, value };
    };
  }
  const check = compileCheck(schema);
  return async (body, forms) => {
    const strict = forms && hasWrapper(schema) ? undefined : check(body);
    if (forms === undefined || strict?.length === 0) return { faults: strict ?? [], value: body };
    const tolerated = tolerate(schema, body, forms);
    const written = tolerated.hasNumbers ? await forms.readWritten() : undefined;
    const { value, faults } = written === undefined ? tolerated : tolerate(schema, written, forms);
    return { faults: explained(check(value), faults), value };
  };
}

/** The fault of a single row that was not sent as a list. */
const ofTheOnlyRow = (fault: Fault): Fault => ({ ...fault, pointer: fault.pointer.replace(/^\/0(?=\/|$)/, "") });

/** The faults, each replaced by the reason why its value could not be converted, if any; then all other reasons. */
function explained(faults: readonly Fault[], reasons: readonly Fault[]): Fault[] {
  if (reasons.length === 0) return [...faults];
  const reasonAt = new Map(reasons.map((reason) => [reason.pointer, reason]));
  const told = new Set(faults.map(({ pointer }) => pointer));
  return [
    ...faults.map((fault) => reasonAt.get(fault.pointer) ?? fault),
    ...reasons.filter(({ pointer }) => !told.has(pointer)),
  ];
}

async function checkRows(list: ListCheck, row: TSchema, body: unknown, forms: Forms | undefined): Promise<CheckedBody> {
  const ofList = list.checkList(body);
  if (ofList.length > 0) return { faults: ofList, value: body };
  const rows = [...(body as readonly unknown[])];
  const faults: Fault[] = [];
  const pause = createPause();
  const check = compileCheck(row);
  let checked = 0;
  const tolerateRow = createTolerateRow(row);
  for (const [index, element] of rows.entries()) {
    const before = faults.length;
    let goesOn = list.checkElement(element, index, faults);
    checked = index + 1;
    if (faults.length > before && forms !== undefined) {
      const tolerated = await tolerateRow(element, index, forms);
      if (tolerated.isChanged || tolerated.faults.length > 0)
        faults.splice(before, faults.length, ...explainedRow(check, tolerated, index));
      rows[index] = tolerated.value;
      goesOn = faults.length <= MAX_FAULTS;
    }
    if (!goesOn) break;
    const paused = pause();
    if (paused) await paused;
  }
  if (faults.length > 0) return { faults: list.answerOf(faults, uncheckedText(checked, rows.length)), value: body };
  return { faults, value: await mapWithPauses(rows, (element) => knownFields(row, element)) };
}

const uncheckedText = (checked: number, rows: number): string | undefined =>
  checked === rows ? undefined : `the last ${rows - checked} of ${rows} rows were not checked`;

const explainedRow = (check: Check, { value, faults: reasons }: Tolerated, index: number): Fault[] =>
  explained(check(value), reasons).map((fault) => ({ ...fault, pointer: `/${index}${fault.pointer}` }));

/**
 * Converts tolerated forms in the rows of a body. At the first row with a number in place of a string, the body is read again
 * with its numbers as written.
 */
function createTolerateRow(row: TSchema) {
  let written: readonly unknown[] | undefined;
  return async (element: unknown, index: number, forms: Forms): Promise<Tolerated> => {
    const tolerated = tolerate(row, element, forms);
    if (!tolerated.hasNumbers) return tolerated;
    written ??= [(await forms.readWritten()) ?? []].flat();
    return index in written ? tolerate(row, written[index], forms) : tolerated;
  };
}
