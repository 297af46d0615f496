import { idOf, ownerOf, storeIds, storeOf, tenantIdOf, tenantOf } from "../../schemas/keys.ts";
import type { Change } from "../../schemas/topics.ts";

/** The fields of a job that the dashboard reads: BullMQ's name, data and creation time in epoch milliseconds. */
export interface BoardJob {
  name: string;
  data: JobData;
  timestamp: number;
}

/** A job's data in any queue: a chunk, an order for a label, or changes. */
interface JobData {
  store?: string;
  number?: number;
  index?: number;
  size?: number;
  barcode?: string;
  changes?: readonly Change[];
}

const MAX_KEYS = 20;
const AGE_UNITS = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
] as const;

/** Describes a job in one line: name, owner, request, size and age. */
export function describeJob({ name, data, timestamp }: BoardJob, now: Date): string {
  const { index, number, size, barcode, changes } = data;
  const owners = [...new Set(changes?.map(({ key }) => ownerOf(key)) ?? [data.store].filter(isText))];
  const parts = [
    name,
    owners.length > 1 ? `${tenantIdOf(tenantOf(owners[0] ?? ""))}, ${owners.length} stores` : owners.map(nameOf)[0],
    index !== undefined && `request ${number}${index > 0 ? `, part ${index + 1}` : ""}`,
    changes !== undefined && requestText(changes),
    index !== undefined && counted(size ?? 0, "row"),
    barcode !== undefined && `label ${barcode}`,
    changes !== undefined && counted(changes.length, "record"),
    `${ageText(now.getTime() - timestamp)} ago`,
  ];
  return parts.filter(isText).join(" · ");
}

/** A job's data as the dashboard shows it: ids in place of keys, and only the first few of many changes. */
export function describeData(data: JobData): object {
  const { store, changes, index, number, size, ...rest } = data;
  const owner = store === undefined ? {} : ownerIds(store);
  if (changes !== undefined) {
    const owners = [...new Set(changes.map(({ key }) => ownerOf(key)))];
    return {
      tenant: tenantIdOf(tenantOf(changes[0]?.key ?? "")),
      stores: owners.filter((key) => key.includes("/s/")).map((key) => storeIds(key).storeId),
      records: changes.length,
      changes: changes.slice(0, MAX_KEYS).map(({ key, operation, changed, cause }) => ({
        record: idOf(key),
        operation,
        changed,
        ...(cause?.request !== undefined && { request: cause.request }),
        ...(cause?.call !== undefined && { xRequestId: cause.call }),
      })),
      ...(changes.length > MAX_KEYS && { notShown: changes.length - MAX_KEYS }),
    };
  }
  if (index === undefined) return { ...owner, ...(number !== undefined && { number }), ...rest };
  return { ...owner, request: number, part: index + 1, rows: size, ...rest };
}

/** A time span in its largest unit, such as `3 min`. */
export function ageText(milliseconds: number): string {
  const [unit, length] = AGE_UNITS.find(([, each]) => milliseconds >= each) ?? ["s", 1_000];
  return `${Math.max(0, Math.floor(milliseconds / length))} ${unit}`;
}

/**
 * The request that caused the changes, or the number of requests; each store has its own numbers. Empty if no request was
 * journaled.
 */
function requestText(changes: readonly Change[]): string {
  const asked = changes.filter(({ cause }) => cause?.request !== undefined);
  const [first] = asked;
  if (first === undefined) return "";
  const { size } = new Set(asked.map(({ key, cause }) => `${ownerOf(key)} ${cause?.request}`));
  return size > 1 ? `${size} requests` : `request ${first.cause?.request}`;
}

const nameOf = (owner: string): string => Object.values(ownerIds(owner)).join("/");

function ownerIds(owner: string): { tenant: string; store?: string } {
  const tenant = tenantIdOf(tenantOf(owner));
  return owner.includes("/s/") ? { tenant, store: storeIds(storeOf(owner)).storeId } : { tenant };
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;
const isText = (text: unknown): text is string => typeof text === "string" && text !== "";
