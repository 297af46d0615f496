import type { Document } from "mongodb";
import type { MessageWatcher } from "../../../scripts/develop/proxy/database-proxy.ts";
import { commandOf } from "../../../scripts/develop/proxy/wire-protocol.ts";

/** One command to MongoDB, with its response. */
export interface WatchedCommand {
  /** The command's name and collection, such as `find storeesl.v1`. */
  name: string;
  kind: "read" | "write" | "other";
  /** Number of keys that a read selects by; 1 if it selects by anything else. */
  lookUps: number;
  /** Documents that a write inserts, changes or deletes. */
  writes: number;
  bytes: number;
  isMajority: boolean;
  /** Positions of the command and of its response among all messages; they give the order without a clock. */
  sentAt: number;
  answeredAt: number;
}

const READS = new Set(["find", "aggregate", "count", "distinct", "getMore"]);
const WRITES = new Set(["insert", "update", "delete", "findAndModify"]);

/** Reads every command that passes a proxy. */
export function createMongoWatcher() {
  const waiting = new Map<number, WatchedCommand>();
  let commands: WatchedCommand[] = [];
  let place = 0;
  const watcher: MessageWatcher = {
    sent(message) {
      place += 1;
      const command = readCommand(message, place);
      if (command === undefined || command.kind === "other") return;
      commands.push(command);
      waiting.set(message.readInt32LE(4), command);
    },
    answered(message) {
      place += 1;
      const command = waiting.get(message.readInt32LE(8));
      if (command) command.answeredAt = place;
      waiting.delete(message.readInt32LE(8));
    },
  };
  return {
    watcher,
    /** Whether every command has its response. */
    isQuiet: () => waiting.size === 0,
    /** Returns the commands since the last call. */
    take(): WatchedCommand[] {
      const taken = commands;
      commands = [];
      return taken;
    },
  };
}

function readCommand(message: Buffer, sentAt: number): WatchedCommand | undefined {
  const command = commandOf(message);
  if (command === undefined) return undefined;
  const { name, collection, body, documents } = command;
  const kind = READS.has(name) ? "read" : WRITES.has(name) ? "write" : "other";
  return {
    name: `${name} ${collection}`,
    kind,
    lookUps: kind === "read" ? lookUpsOf(body) : 0,
    writes: kind === "write" ? documents + countEmbedded(body) || 1 : 0,
    bytes: message.length,
    // If the driver sends no write concern, the server's default applies, which is `majority`.
    isMajority: kind === "write" && (body.writeConcern?.w ?? "majority") === "majority",
    sentAt,
    answeredAt: Number.POSITIVE_INFINITY,
  };
}

/** Includes the collections that a pipeline reads in addition to its own. */
function lookUpsOf({ filter, query, pipeline = [] }: Document): number {
  const [first] = pipeline;
  const others = (pipeline as Document[]).flatMap(({ $lookup }) => ($lookup ? [lookUpsOf($lookup)] : []));
  const own = (filter ?? query ?? first?.$match)?._id?.$in?.length ?? 1;
  return others.reduce((sum, count) => sum + count, own);
}

const countEmbedded = ({ documents = [], updates = [], deletes = [] }: Document): number =>
  documents.length + updates.length + deletes.length;

/**
 * Returns the number of round trips in series: the length of the longest chain of commands in which each started after the
 * response to the one before it.
 */
export function inSeries(commands: readonly WatchedCommand[]): number {
  let free = 0;
  let count = 0;
  for (const { sentAt, answeredAt } of commands.toSorted((a, b) => a.answeredAt - b.answeredAt)) {
    if (sentAt <= free) continue;
    free = answeredAt;
    count += 1;
  }
  return count;
}
