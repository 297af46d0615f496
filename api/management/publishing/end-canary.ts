import { CONTINUED_AFTER_MS } from "../../../queues/publishing/begin-publication.ts";
import { whyRefused } from "../../../queues/publishing/run-publications.ts";
import { publications as kind } from "../../../records/kinds/publishing.ts";
import { idOf } from "../../../schemas/keys.ts";
import type { Publication } from "../../../schemas/publication.ts";
import type { Stored } from "../../../schemas/record.ts";
import { ProblemError } from "../../http/problem-error.ts";
import type { PublicationStore, PublicationStoreWorld } from "./publication-store.ts";

/** Ends canaries on request: they are continued in all stores, or rolled back. */
export function createEndCanary(world: PublicationStoreWorld, store: PublicationStore) {
  const { commit, databaseNow } = world;

  async function move(publication: Stored<Publication>, next: (current: Publication) => Publication) {
    const { _id } = publication;
    await commit.change(
      kind,
      [_id],
      (_, current) => (current?.state === "CANARY" ? next(current) : undefined),
      "interactive",
    );
    return store.publish(_id);
  }

  return {
    /** Publishes to all stores what the canary's stores show. */
    async continue(publication: Stored<Publication>, force: boolean): Promise<Stored<Publication>> {
      if (publication.state !== "CANARY")
        throw new ProblemError(
          "conflict",
          `The publication "${idOf(publication._id)}" is ${publication.state}, not CANARY.`,
        );
      const reason = await whyRefused(world, force ? { ...publication, isForced: true } : publication);
      if (reason !== undefined) throw new ProblemError("conflict", `${reason} Send force=true to publish anyway.`);
      const due = new Date(databaseNow().getTime() + CONTINUED_AFTER_MS);
      return move(publication, (current) => ({ ...current, state: "PUBLISHING", due }));
    },

    /** Rolls a canary back: its stores again show what all other stores show. */
    async takeBack(publication: Stored<Publication>): Promise<Stored<Publication>> {
      const now = databaseNow();
      return move(publication, (current) => ({ ...current, state: "ROLLED_BACK", endedAt: now, due: now }));
    },
  };
}
