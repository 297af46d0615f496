import type { SeenTagNotes } from "../../../queues/linking/seen-tags.ts";
import type { System } from "../../../queues/system.ts";
import type { LabelServers } from "./label-servers.ts";

interface NoteTagsWorld extends Pick<System, "clock"> {
  publisher: Pick<System["publisher"], "isReady">;
  labelServers: Pick<LabelServers, "known">;
  notes: Pick<SeenTagNotes, "note">;
}

/** Minimum time between two writes of a list: tags check in every 40 seconds, and each check-in changes the list. */
const NOTE_INTERVAL_MS = 10_000;
/** After this time, an unchanged list is written again, since written lists expire. */
const REPEAT_MS = 3_600_000;

/** Records, for other processes, which tags access points list. Must be called repeatedly. */
export function createNoteSeenTags({ clock, publisher, labelServers, notes }: NoteTagsWorld): () => Promise<void> {
  const noted = new Map<string, { text: string; at: number }>();
  return async () => {
    if (!publisher.isReady()) return;
    const servers = labelServers.known();
    for (const [key, { seenTags }] of servers) {
      if (seenTags === undefined) continue;
      const last = noted.get(key);
      if (last && clock() - last.at < NOTE_INTERVAL_MS) continue;
      const tags = seenTags();
      const text = JSON.stringify(tags);
      if (last?.text === text && clock() - last.at < REPEAT_MS) continue;
      await notes.note(key, tags);
      noted.set(key, { text, at: clock() });
    }
    const keys = new Set(servers.map(([key]) => key));
    for (const key of noted.keys()) if (!keys.has(key)) noted.delete(key);
  };
}
