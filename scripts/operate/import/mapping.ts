import { readFile } from "node:fs/promises";
import { type Static, Type } from "typebox";
import type { ItemPatch } from "../../../schemas/item.ts";
import { parseWith } from "../../../schemas/validate.ts";
import { CellError, decimalOf, FileForm } from "./file-form.ts";

const Column = Type.String({ minLength: 1 });

/** One string if a column is filled, and another if it is not. */
const Choice = Type.Object({ ifFilled: Column, use: Type.String(), otherwise: Type.String() });

/** A column, the first filled one of several columns, or a choice. */
const Source = Type.Union([Column, Type.Array(Column, { minItems: 1 }), Choice]);
type Source = Static<typeof Source>;

/** Which columns of a file become which fields of an item, and how the file is written. */
const Mapping = Type.Object({
  file: Type.Optional(FileForm),
  itemId: Source,
  itemName: Type.Optional(Source),
  price: Type.Optional(Source),
  itemGroup: Type.Optional(Source),
  department: Type.Optional(Source),
  presentation: Type.Optional(Source),
  validFrom: Type.Optional(Source),
  sics: Type.Optional(Type.Array(Source)),
  properties: Type.Optional(Type.Record(Type.String(), Source)),
});
export type Mapping = Static<typeof Mapping>;

export type Row = Readonly<Record<string, string>>;

export async function readMapping(file: URL | string): Promise<Mapping> {
  return parseWith(Mapping, String(file))(JSON.parse(await readFile(file, "utf8")));
}

/** Throws if the file lacks a column that the mapping names. */
export function assertColumns(mapping: Mapping, header: readonly string[]): void {
  const { file, sics = [], properties = {}, ...fields } = mapping;
  const mapped = [...Object.values(fields), ...sics, ...Object.values(properties)].flatMap(columnsOf);
  const missing = [...mapped, ...Object.keys(file?.numbers ?? {})].filter((name) => !header.includes(name));
  if (missing.length > 0)
    throw new Error(`the file has no column ${[...new Set(missing)].join(", ")}; its columns are ${header.join(", ")}`);
}

/**
 * Creates an item's row. Names, and prices whose format the mapping does not specify, are copied unchanged. Empty values are
 * left out. Throws a CellError that names the column if a number is not in its format.
 */
export function itemOf(cells: Row, { file, sics = [], properties = {}, ...fields }: Mapping): ItemPatch {
  const row = file?.numbers === undefined ? cells : withNumbers(cells, file.numbers);
  const filled = (entries: [string, Source | undefined][]) =>
    entries.flatMap(([name, source]) => {
      const value = source === undefined ? "" : textOf(row, source);
      return value === "" ? [] : [[name, value]];
    });
  const codes = sics.map((source) => textOf(row, source)).filter((code) => code !== "");
  const custom = filled(Object.entries(properties));
  return {
    itemId: textOf(row, fields.itemId),
    ...Object.fromEntries(filled(Object.entries(fields))),
    ...(codes.length > 0 && { sics: codes }),
    ...(custom.length > 0 && { properties: Object.fromEntries(custom) }),
  };
}

function withNumbers(cells: Row, numbers: NonNullable<FileForm["numbers"]>): Row {
  const written = Object.entries(numbers).map(([column, form]) => {
    try {
      return [column, decimalOf(cells[column] ?? "", form)];
    } catch (error) {
      throw new CellError(`${column}: ${(error as Error).message}`);
    }
  });
  return { ...cells, ...Object.fromEntries(written) };
}

function textOf(row: Row, source: Source): string {
  if (typeof source === "string") return row[source] ?? "";
  if (Array.isArray(source)) return source.map((column) => row[column] ?? "").find((value) => value !== "") ?? "";
  return row[source.ifFilled] ? source.use : source.otherwise;
}

function columnsOf(source: Source): string[] {
  if (typeof source === "string") return [source];
  return Array.isArray(source) ? source : [source.ifFilled];
}
