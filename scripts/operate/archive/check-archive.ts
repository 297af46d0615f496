import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { labelServersOf } from "../../../domain/linking/label-server-of.ts";
import { stores } from "../../../records/kinds/tenants.ts";
import type { Store } from "../../../schemas/store.ts";
import { Refusal } from "../admin/command.ts";
import { type ArchiveLine, type End, type Head, readLine } from "./archive-lines.ts";

/** Yields the lines of an archive's file, each checked. */
export async function* readArchive(file: string): AsyncGenerator<ArchiveLine> {
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });
  let head: Head | undefined;
  let place = 0;
  for await (const text of lines) {
    place += 1;
    const line = readLine(text, place, head);
    head ??= line as Head;
    yield line;
  }
}

/** The contents of an archive. `labelServers` are the ids of the label servers that its store and its departments name. */
export type Checked = { head: Head; labelServers: readonly string[] } & End["end"];

/** Checks a whole archive. Throws a Refusal if a line is wrong or the file is truncated. */
export async function checkArchive(file: string): Promise<Checked> {
  let head: Head | undefined;
  let end: End["end"] | undefined;
  const found = { records: 0, pictures: 0 };
  let labelServers: readonly string[] = [];
  for await (const line of readArchive(file)) {
    if (end !== undefined) throw new Refusal(`${file} is not an archive: it has lines after its end.`);
    if ("archive" in line) head = line;
    else if ("end" in line) ({ end } = line);
    else found["picture" in line ? "pictures" : "records"] += 1;
    if ("kind" in line && line.kind === stores.name)
      labelServers = labelServersOf(line.body as Store).filter((id) => id !== undefined);
  }
  if (head === undefined) throw new Refusal(`${file} is not an archive: it is empty.`);
  if (end?.records !== found.records || end.pictures !== found.pictures)
    throw new Refusal(
      `${file} is truncated: it contains ${found.records} of ${end?.records ?? "an unknown number"} records.`,
    );
  return { head, labelServers, ...found };
}
