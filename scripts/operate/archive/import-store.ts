import { isDeepStrictEqual } from "node:util";
import type { System } from "../../../queues/system.ts";
import { openImageFiles } from "../../../records/files/image-files.ts";
import type { RecordKind } from "../../../records/kind.ts";
import { labelServers, stores } from "../../../records/kinds/tenants.ts";
import { skipRange } from "../../../records/requests/skip-numbers.ts";
import { labelServerKey, storeKey, tenantKey } from "../../../schemas/keys.ts";
import type { Stored } from "../../../schemas/record.ts";
import { Refusal } from "../admin/command.ts";
import type { ArchiveLine, Picture, RecordLine } from "./archive-lines.ts";
import { archivedKinds } from "./archived-kinds.ts";
import { beginAudits } from "./begin-audits.ts";
import { type Checked, readArchive } from "./check-archive.ts";

export interface ImportOptions {
  isDryRun: boolean;
  /** Called with the number of finished records. */
  progress(count: number): void;
}

/** The records that an import has written, or would write. */
export interface Imported {
  written: number;
  /** The number of existing records, which are not changed. */
  kept: number;
  /** Keys of the existing records that differ from the archive's. */
  different: string[];
}

const RECORDS_PER_WRITE = 500;
const PICTURES_PER_WRITE = 50;

/**
 * Writes a checked archive. An existing record is not changed, so an interrupted import can be repeated. Throws a Refusal if the
 * store exists, because the request numbers of the store and of the archive are independent and cannot decide which write is
 * later. Also throws one if a label server that the store names does not exist, because no archive contains the label server's
 * secret.
 */
export async function writeStore(
  system: System,
  file: string,
  { head, labelServers: named }: Pick<Checked, "head" | "labelServers">,
  options: ImportOptions,
): Promise<Imported> {
  const { db, records, now } = system;
  const store = storeKey(head.tenant, head.store);
  if ((await records.readRevs(stores, [store])).has(store))
    throw new Refusal(`The store "${head.store}" of tenant "${head.tenant}" already exists: nothing was imported.`);
  const keyOf = (id: string) => labelServerKey(tenantKey(head.tenant), id);
  const known = await records.readRevs(labelServers, named.map(keyOf));
  const absent = named.find((id) => !known.has(keyOf(id)));
  if (absent !== undefined)
    throw new Refusal(
      `The store uses the label server "${absent}", which tenant "${head.tenant}" does not have: create it first ` +
        `(npm run admin -- label-server put ${head.tenant} ${absent} FILE). Nothing was imported.`,
    );
  // The stamps of the imported records belong to numbers up to this one. Later writes must have larger numbers.
  if (!options.isDryRun && head.number > 0) await skipRange(db, { store, after: 0, through: head.number });
  const sum: Imported = { written: 0, kept: 0, different: [] };
  let done = 0;
  for await (const batch of batchesOf(readArchive(file))) {
    const [first] = batch;
    if (first === undefined) continue;
    if ("picture" in first) {
      if (!options.isDryRun)
        await openImageFiles(db, now).put(tenantKey(head.tenant), (batch as Picture[]).map(fileOf));
      continue;
    }
    const written = await writeRecords(system, batch as RecordLine[], options.isDryRun);
    sum.written += written.written;
    sum.kept += written.kept;
    sum.different.push(...written.different);
    done += batch.length;
    options.progress(done);
  }
  if (!options.isDryRun) await beginAudits(system, store, "imported");
  return sum;
}

/** Yields records of one kind, or pictures, in batches, from all lines except the first and the last. */
async function* batchesOf(lines: AsyncIterable<ArchiveLine>): AsyncGenerator<(RecordLine | Picture)[]> {
  let batch: (RecordLine | Picture)[] = [];
  for await (const line of lines) {
    if ("archive" in line || "end" in line) continue;
    const [first] = batch;
    const limit = "picture" in line ? PICTURES_PER_WRITE : RECORDS_PER_WRITE;
    if (first !== undefined && (batch.length >= limit || groupOf(first) !== groupOf(line))) {
      yield batch;
      batch = [];
    }
    batch.push(line);
  }
  yield batch;
}

const groupOf = (line: RecordLine | Picture): string => ("picture" in line ? "picture" : line.kind);

/**
 * Writes the records of a kind that do not exist yet. They are not published, because the following audits find every derived
 * record missing. So no subscriber receives a hundred thousand events about records that did not change.
 */
async function writeRecords(system: System, lines: readonly RecordLine[], isDryRun: boolean): Promise<Imported> {
  const { records, commit } = system;
  const archived = archivedKinds.find(({ kind }) => kind.name === lines[0]?.kind);
  if (archived === undefined) throw new Error(`an archive cannot contain records of the kind "${lines[0]?.kind}"`);
  const kind: RecordKind<unknown> = archived.kind;
  const present = await records.read(
    kind,
    lines.map(({ key }) => key),
  );
  const missing = lines.filter(({ key }) => !present.has(key));
  const different = archived.of === "store" ? [] : lines.filter((line) => differs(line, present.get(line.key)));
  const decisions = missing.map(({ key, body }) => ({ key, current: undefined, body, quiet: true }));
  if (!isDryRun) await commit.write(kind, decisions, "bulk");
  return {
    written: missing.length,
    kept: present.size,
    different: different.map(({ key }) => key),
  };
}

function differs({ body }: RecordLine, present: Stored<unknown> | undefined): boolean {
  if (present === undefined) return false;
  const { _id, store, rev, writeId, changedAt, inputs, ...there } = present;
  return !isDeepStrictEqual(there, body);
}

const fileOf = ({ picture, width, height, png }: Picture) => ({
  sha256: picture,
  width,
  height,
  png: Buffer.from(png, "base64"),
});
