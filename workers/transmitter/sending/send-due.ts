import type { Db } from "mongodb";
import { labelStates } from "../../../records/kinds/labels.ts";
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

const DUE_PER_POLL = 500;

/** Begins due transmissions, batch after batch, while there is room for them. Calls at the same time share one pass. */
export function createSendDue({ db, labelServers, lanes, transmit, now }: Dependencies) {
  let polling: Promise<void> | undefined;

  /** Keys of labels with a due transmission for which there is room, longest due first; undefined if there is none. */
  async function findDue(): Promise<string[] | undefined> {
    const ofStores = labelServers.ofStores((server) => lanes.to(server).room("bulk") > 0);
    if (ofStores === undefined) return undefined;
    const due = await db
      .collection<Stored<LabelState>>(labelStates.name)
      .find({ sendDue: { $lte: now() }, ...ofStores }, { projection: { _id: 1 } })
      .sort({ sendDue: 1 })
      .limit(DUE_PER_POLL)
      .toArray();
    return due.map(({ _id }) => _id);
  }

  async function poll(): Promise<void> {
    for (;;) {
      const due = await findDue();
      if (due === undefined) return;
      const fresh = due.filter((key) => !lanes.of(key).has(key));
      await transmit(fresh, "bulk");
      if (due.length < DUE_PER_POLL || fresh.length === 0) return;
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
