import { gatewayKey, type LabelServerHealthNotes, type Trouble } from "../../../queues/publish/label-server-health.ts";
import type { System } from "../../../queues/system.ts";
import type { LastCalls } from "../drivers/label-server.ts";
import type { LabelServers } from "./label-servers.ts";

interface NoteHealthWorld extends Pick<System, "now" | "clock"> {
  metrics: Pick<System["metrics"], "set">;
  publisher: Pick<System["publisher"], "isReady">;
  labelServers: Pick<LabelServers, "known">;
  notes: LabelServerHealthNotes;
}

/**
 * Reports to other processes how label servers respond. `trouble` reports label servers that do not respond or that deny every
 * call, and gateways that are offline. `calls` reports each label server's last response and failure, if there is a newer one.
 * Both must be called repeatedly. Reports made while Redis is unavailable are lost, but nothing depends on them.
 */
export function createNoteHealth({ now, clock, metrics, publisher, labelServers, notes }: NoteHealthWorld) {
  const noted = new Map<string, LastCalls>();
  const dateOf = (at: number): Date => new Date(now().getTime() - clock() + at);
  return {
    async trouble(): Promise<void> {
      const all = labelServers.known().flatMap(([key, { failingSince, deniedSince, gateways }]) => [
        { trouble: "away" as const, key, since: failingSince() },
        { trouble: "denies" as const, key, since: deniedSince() },
        ...(gateways?.offlineSince() ?? []).map(([store, since]) => ({
          trouble: "offline" as const,
          key: gatewayKey(store, key),
          since,
        })),
      ]);
      const count = (trouble: Trouble) =>
        all.filter((one) => one.trouble === trouble && one.since !== undefined).length;
      metrics.set("shelfwire_label_servers", {}, labelServers.known().length);
      metrics.set("shelfwire_label_servers_away", {}, count("away"));
      metrics.set("shelfwire_label_servers_denying", {}, count("denies"));
      if (!publisher.isReady()) return;
      await Promise.all(
        all.map(({ trouble, key, since }) =>
          notes.noteTrouble(trouble, key, since === undefined ? undefined : dateOf(since)),
        ),
      );
    },
    async calls(): Promise<void> {
      if (!publisher.isReady()) return;
      await Promise.all(
        labelServers.known().map(async ([key, { lastCalls }]) => {
          const last = lastCalls();
          const calls = newerCalls(last, noted.get(key), dateOf);
          if (Object.keys(calls).length === 0) return;
          await notes.noteCalls(key, calls);
          noted.set(key, last);
        }),
      );
    },
  };
}

/** Returns only what has changed since the previous calls: for everything else, another transmitter's report may be newer. */
const newerCalls = (
  { answeredAt, failure }: LastCalls,
  before: LastCalls | undefined,
  dateOf: (at: number) => Date,
) => ({
  ...(answeredAt !== undefined && answeredAt !== before?.answeredAt && { answeredAt: dateOf(answeredAt) }),
  ...(failure && failure.at !== before?.failure?.at && { failure: { ...failure, at: dateOf(failure.at) } }),
});
