import type { Db } from "mongodb";
import { labelStates } from "../../../records/kinds/labels.ts";
import { EVERY_KEY } from "../../../schemas/keys.ts";
import type { LabelState } from "../../../schemas/label-state.ts";
import type { Stored } from "../../../schemas/record.ts";
import type { LabelServers } from "../servers/label-servers.ts";
import type { Transmit } from "./begin.ts";
import type { Lanes } from "./lanes.ts";

interface Dependencies {
  db: Db;
  labelServers: Pick<LabelServers, "ofStores">;
  lanes: Pick<Lanes, "to" | "of">;
  transmit: Transmit;
  now(): Date;
}

export const DUE_PER_READ = 500;

/** Begins due transmissions, batch after batch, while there is room for them. Calls at the same time share one pass. */
export function createSendDue({ db, labelServers, lanes, transmit, now }: Dependencies) {
  let polling: Promise<void> | undefined;
  /** The store after which the next read looks: none of them waits until another's backlog is done. */
  let last = "";

  /**
   * Labels of the next stores with a due transmission for which there is room, longest due first; undefined if there is
   * no room. The index skips the stores of other label servers: what is due there is not read, however much it is.
   */
  async function findDue(): Promise<Pick<Stored<LabelState>, "_id" | "store">[] | undefined> {
    const ofStores = labelServers.ofStores((server) => lanes.to(server).room("bulk") > 0);
    if (ofStores === undefined) return undefined;
    const store = { $gt: last, ...ofStores.store };
    return db
      .collection<Stored<LabelState>>(labelStates.name)
      .find({ _id: EVERY_KEY, store, sendDue: { $lte: now() } }, { projection: { _id: 1, store: 1 } })
      .sort({ store: 1, sendDue: 1 })
      .limit(DUE_PER_READ)
      .toArray();
  }

  /** Begins what is due in one store after another, up to the last one; returns how much that was, undefined without room. */
  async function sendToEnd(): Promise<number | undefined> {
    for (let begun = 0; ; ) {
      const due = await findDue();
      if (due === undefined) return undefined;
      const fresh = due.map(({ _id }) => _id).filter((key) => !lanes.of(key).has(key));
      await transmit(fresh, "bulk");
      begun += fresh.length;
      last = due.length < DUE_PER_READ ? "" : (due.at(-1)?.store ?? "");
      if (last === "") return begun;
    }
  }

  /** The stores behind the last one, then those from the first one on, again while there may be more of one store. */
  async function poll(): Promise<void> {
    for (;;) {
      const isFromFirst = last === "";
      const begun = await sendToEnd();
      if (begun === undefined || (isFromFirst && begun < DUE_PER_READ)) return;
    }
  }

  function sendDue(): Promise<void> {
    polling ??= poll().finally(() => {
      polling = undefined;
    });
    return polling;
  }

  /** The pass that is under way, if there is one. */
  return { sendDue, underWay: () => polling };
}
