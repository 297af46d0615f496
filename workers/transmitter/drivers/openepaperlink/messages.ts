import { LOW_MILLIVOLTS } from "../../../../schemas/care.ts";
import { sensors } from "../../../../schemas/label-signals.ts";
import { comparableMac } from "../../../../schemas/mac.ts";

/** A tag as its access point lists it. */
export interface Tag {
  mac: string;
  /** Number of pictures that wait for the tag. */
  pending: number;
  /** Number of pictures that the tag has shown so far. */
  updateCount: number;
  hardwareType: number;
  firmware?: string;
  lastSeen: number;
  batteryMillivolts?: number;
  /** In °C. */
  temperature?: number;
}

/** The meaning of a message on an access point's websocket. */
export type Message =
  | { kind: "tags"; tags: Tag[] }
  | { kind: "complete"; mac: string }
  | { kind: "timeout"; mac: string }
  /** The last uploaded picture is the one that the tag already shows; the message does not name the tag. */
  | { kind: "unchanged" }
  | { kind: "rebooting" };

/** Values with which firmware reports that there is no measurement. */
const UNMEASURED = new Set([0, 1337]);

/** Returns the state of a tag's battery; undefined if the tag has not measured it. */
export const batteryOf = ({ batteryMillivolts }: Pick<Tag, "batteryMillivolts">): "OK" | "LOW" | undefined =>
  batteryMillivolts === undefined ? undefined : batteryMillivolts < LOW_MILLIVOLTS ? "LOW" : "OK";

/** Reads a message; undefined if it says nothing about pictures or tags. */
export function readMessage(text: string): Message | undefined {
  const message = parseObject(text);
  if (message === undefined) return undefined;
  if (Array.isArray(message.tags)) return { kind: "tags", tags: readTags(message.tags) };
  const line = message.logMsg ?? message.errMsg;
  return typeof line === "string" ? readLine(line) : undefined;
}

function readLine(line: string): Message | undefined {
  if (line.includes("REBOOTING")) return { kind: "rebooting" };
  if (line.includes("new image is the same as current image")) return { kind: "unchanged" };
  const [, mac = "", what = ""] =
    /\b([0-9A-F]{16}|[0-9A-F]{12})\s+(reports xfer complete|xfer timeout)/i.exec(line) ?? [];
  if (mac === "") return undefined;
  return { kind: what.endsWith("complete") ? "complete" : "timeout", mac: comparableMac(mac) };
}

/** Reads the tags in a list; entries without an address are left out. */
export const readTags = (entries: readonly unknown[]): Tag[] => entries.flatMap((entry) => readTag(entry) ?? []);

function readTag(entry: unknown): Tag | undefined {
  const { mac, ver, ...fields } = (entry ?? {}) as Record<string, unknown>;
  if (typeof mac !== "string") return undefined;
  const battery = numberOf(fields.batteryMv);
  return {
    mac: comparableMac(mac),
    pending: numberOf(fields.pending),
    updateCount: numberOf(fields.updatecount),
    hardwareType: numberOf(fields.hwType),
    lastSeen: numberOf(fields.lastseen),
    ...((typeof ver === "string" || typeof ver === "number") && { firmware: String(ver) }),
    ...(isTemperature(fields.temperature) && { temperature: fields.temperature }),
    ...(!UNMEASURED.has(battery) && { batteryMillivolts: battery }),
  };
}

/** Whether a value is a temperature that reports may contain. */
const isTemperature = (value: unknown): value is number =>
  typeof value === "number" && value >= sensors.temperature.minimum && value <= sensors.temperature.maximum;

const numberOf = (value: unknown): number => (typeof value === "number" ? value : 0);

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
