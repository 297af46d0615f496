import { newKey } from "../new-key.ts";
import type { Act } from "./steps.ts";

/** A link of a label, to be moved to another label. */
export interface KeptLink {
  itemId: string;
  linkedItemId: string;
  displayPosition: number;
  facings: string | null;
}

/** A scanned change. Its id is the Idempotency-Key of its calls, so that none of them is executed twice. */
export interface Entry {
  id: string;
  /** When it was scanned, in milliseconds since 1970. */
  at: number;
  act: Act;
  state: "waiting" | "done" | "failed";
  /** Why it failed, as the end of a message's key. */
  reason?: string;
  /** The links of a replaced label, read once, and the request that moved them to the new label. */
  taken?: { links: KeptLink[]; places: Record<string, string> };
  requestId?: number;
}

/** The result of an entry: it is finished, or must be tried again. */
export type Outcome = { is: "done" } | { is: "failed"; reason: string } | { is: "again"; isLoggedOut?: boolean };

export interface OutboxWorld {
  storage: Pick<Storage, "length" | "key" | "getItem" | "setItem" | "removeItem">;
  /** The store and the user whose entries these are. */
  name: string;
  /** Executes an entry; `keep` stores its intermediate results, unless the entry was dismissed. */
  perform(entry: Entry, keep: (entry: Entry) => void): Promise<Outcome>;
  /** Called after every change to an entry, and with the reason if sending has stopped. */
  onChange(changed?: Entry, stop?: Outcome): void;
  now(): number;
}

/** Older entries are no longer sent, because keys are kept for a day, and a label may show another product by then. */
const MAX_AGE_MS = 12 * 3_600_000;
/** Maximum number of completed entries that are shown. */
const MAX_OVER = 5;

/** Stores changes in the browser until they are sent, one at a time, in the order in which they were scanned. */
export function openOutbox({ storage, name, perform, onChange, now }: OutboxWorld) {
  const prefix = `shelfwire-aisle/${name}/`;
  let isSending = false;

  const list = (): Entry[] =>
    Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? "")
      .filter((key) => key.startsWith(prefix))
      .flatMap((key) => JSON.parse(storage.getItem(key) ?? "[]") as Entry)
      .sort((one, other) => one.at - other.at);
  const keep = (entry: Entry) => storage.setItem(prefix + entry.id, JSON.stringify(entry));
  const keepIfThere = (entry: Entry) => {
    if (storage.getItem(prefix + entry.id) !== null) keep(entry);
  };
  const remove = (id: string) => storage.removeItem(prefix + id);
  const waiting = () => list().filter(({ state }) => state === "waiting");

  function close(entry: Entry): void {
    keep(entry);
    const over = list().filter(({ state }) => state === "done");
    for (const { id } of over.slice(0, Math.max(0, over.length - MAX_OVER))) remove(id);
    onChange(entry);
  }

  return {
    list,
    waiting,
    add(act: Act): void {
      // Never earlier than an existing entry, so that the order is correct even if the clock is set back.
      const at = Math.max(now(), ...list().map((entry) => entry.at + 1));
      const entry: Entry = { id: newKey(), at, act, state: "waiting" };
      keep(entry);
      onChange(entry);
    },
    dismiss(id: string): void {
      remove(id);
      onChange();
    },
    /** Sends waiting entries, until none is left or one must be tried again. */
    async send(): Promise<void> {
      if (isSending) return;
      isSending = true;
      try {
        for (let [next] = waiting(); next !== undefined; [next] = waiting()) {
          const isOld = now() - next.at > MAX_AGE_MS;
          const outcome: Outcome = isOld ? { is: "failed", reason: "old" } : await perform(next, keepIfThere);
          if (outcome.is === "again") return onChange(undefined, outcome);
          const { id, at, act } = next;
          close({ id, at, act, state: outcome.is, ...(outcome.is === "failed" && { reason: outcome.reason }) });
        }
        onChange();
      } finally {
        isSending = false;
      }
    },
  };
}
