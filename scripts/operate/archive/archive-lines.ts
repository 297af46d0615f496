import { BSON } from "mongodb";
import { type Static, Type } from "typebox";
import { ownerOf, storeKey, tenantKey, tenantOf } from "../../../schemas/keys.ts";
import { plainId } from "../../../schemas/text.ts";
import { type Check, compileCheck } from "../../../schemas/validate.ts";
import { Refusal } from "../admin/command.ts";
import { type ArchivedKind, archivedKinds } from "./archived-kinds.ts";

const ARCHIVE = "shelfwire store";
const VERSION = 1;
const count = Type.Integer({ minimum: 0 });
const Sha256 = Type.String({ pattern: "^[0-9a-f]{64}$" });

/** The first line: the archive's store, and the number of the store's last request. */
const Head = Type.Object({
  archive: Type.Literal(ARCHIVE),
  version: Type.Literal(VERSION),
  tenant: plainId("Id of the tenant"),
  store: plainId("Id of the store"),
  number: count,
  exportedAt: Type.String(),
});
export type Head = Static<typeof Head>;

/** A picture that records in the archive refer to. */
const Picture = Type.Object({ picture: Sha256, width: count, height: count, png: Type.String() });
export type Picture = Static<typeof Picture>;

/** The last line. A file without it is truncated. */
const End = Type.Object({ end: Type.Object({ records: count, pictures: count }) });
export type End = Static<typeof End>;

/** A record without its envelope. */
export interface RecordLine {
  kind: string;
  key: string;
  body: Readonly<Record<string, unknown>>;
}

export type ArchiveLine = Head | Picture | RecordLine | End;

const RecordLine = Type.Object({ kind: Type.String(), key: Type.String(), body: Type.Object({}) });
const checks = {
  head: compileCheck(Head),
  picture: compileCheck(Picture),
  record: compileCheck(RecordLine),
  end: compileCheck(End),
};
const bodies = new Map<string, Check>();

export const headOf = (of: Omit<Head, "archive" | "version">): Head => ({ archive: ARCHIVE, version: VERSION, ...of });

/** Returns a line as text. Dates are written as `{"$date": ...}`. */
export const writeLine = (line: ArchiveLine): string => `${BSON.EJSON.stringify(line, { relaxed: true })}\n`;

/** Reads a line. Throws a Refusal if it does not belong to an archive of this version. `head` is the archive's first line. */
export function readLine(text: string, place: number, head: Head | undefined): ArchiveLine {
  const refuse = (why: string): never => {
    throw new Refusal(`line ${place} of the archive: ${why}`);
  };
  const assert = <Line extends ArchiveLine>(check: Check, line: unknown): Line => {
    const [fault] = check(line);
    return fault ? refuse(`${fault.pointer} ${fault.detail}`) : (line as Line);
  };
  const line = parse(text, refuse);
  if (head === undefined) return assert<Head>(checks.head, line);
  if ("end" in line) return assert<End>(checks.end, line);
  if ("picture" in line) return assert<Picture>(checks.picture, line);
  const record = assert<RecordLine>(checks.record, line);
  const archived = archivedKinds.find(({ kind }) => kind.name === record.kind);
  if (archived === undefined) return refuse(`the kind "${record.kind}" does not exist`);
  if (!isOwn(archived, record.key, head))
    return refuse(`"${record.key}" is not a ${record.kind} of store ${head.store} of ${head.tenant}`);
  const check = bodies.get(record.kind) ?? compileCheck(archived.kind.schema);
  bodies.set(record.kind, check);
  return assert<RecordLine>((one) => check((one as RecordLine).body), record);
}

function parse(text: string, refuse: (why: string) => never): object {
  try {
    const line: unknown = BSON.EJSON.parse(text, { relaxed: true });
    return typeof line === "object" && line !== null ? line : refuse("it is not an object");
  } catch (error) {
    return refuse((error as Error).message);
  }
}

/** Whether a key belongs to the archive's store or tenant. An archive must not write anywhere else. */
function isOwn({ of }: ArchivedKind, key: string, { tenant, store }: Head): boolean {
  if (!key.startsWith("t/")) return false;
  if (of === "store") return ownerOf(key) === storeKey(tenant, store);
  return tenantOf(key) === tenantKey(tenant) && ownerOf(key) === tenantKey(tenant);
}
