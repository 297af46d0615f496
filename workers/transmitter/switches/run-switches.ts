import type { Db } from "mongodb";
import pLimit from "p-limit";
import {
  afterOrder,
  decideSwitch,
  isOver,
  type SwitchOrdered,
  type SwitchProgress,
  unlessTaken,
} from "../../../domain/labels/decide-switch.ts";
import { endSwitch, holdsStale, readinessOf } from "../../../domain/labels/keep-pictures.ts";
import type { Commit } from "../../../queues/changes/commit.ts";
import { joined, type Partitions } from "../../../queues/store-partitions.ts";
import { labelStates } from "../../../records/kinds/labels.ts";
import { switches } from "../../../records/kinds/switches.ts";
import type { ReadPlaces } from "../../../records/labels/read-places.ts";
import type { FirstTogether } from "../../../records/mongodb/find-first-together.ts";
import { readOpenSwitches, scanLabelsOfSwitch } from "../../../records/switches/read-switches.ts";
import { idOf, ownerOf } from "../../../schemas/keys.ts";
import type { Stored } from "../../../schemas/record.ts";
import type { Switch } from "../../../schemas/switch.ts";
import type { LabelServer } from "../drivers/label-server.ts";
import type { LabelServers } from "../servers/label-servers.ts";
import { createAnnounceSwitches } from "./announce-switches.ts";

interface Dependencies {
  db: Db;
  firstTogether: FirstTogether;
  commit: Commit;
  partitions: Pick<Partitions, "own">;
  labelServers: Pick<LabelServers, "of" | "isDivided">;
  readPlaces: ReadPlaces;
  /** By the database's clock, like the changes of a switch. */
  now(): Date;
}

const CONCURRENT_STEPS = 10;

/**
 * Returns a function that performs the next step of the switches in the process's partitions: it decides them at their deadlines,
 * sends their orders until the label servers have accepted them, and ends them. Must be called repeatedly; if a process is
 * killed, the next process repeats its step.
 */
export function createRunSwitches(dependencies: Dependencies): () => Promise<void> {
  const { db, commit, partitions, labelServers, readPlaces, now } = dependencies;
  const announce = createAnnounceSwitches({ db, commit, now });
  const change = (key: string, decide: (current: Stored<Switch>) => Switch | undefined) =>
    commit.change(switches, [key], (_, current) => current && decide(current), "interactive");

  async function readProgress(store: string, switchId: string): Promise<SwitchProgress> {
    let progress: SwitchProgress = "READY";
    for await (const batch of scanLabelsOfSwitch(db, store, switchId)) {
      if (batch.some(holdsStale)) return "STALE";
      if (batch.some((label) => ["WAITING", "ASLEEP"].includes(readinessOf(label) ?? ""))) progress = "NOT_READY";
    }
    return progress;
  }

  /**
   * Ends a switch for its labels: nothing more is sent for it, and pictures that the labels do not show yet are sent to be
   * shown.
   */
  async function endLabels(store: string, switchId: string): Promise<void> {
    for await (const batch of scanLabelsOfSwitch(db, store, switchId)) {
      const keys = batch.filter(({ later }) => !later?.ended).map(({ _id }) => _id);
      await commit.change(labelStates, keys, (_, state) => state && endSwitch(state, switchId, now()), "bulk");
    }
  }

  /** Returns the label servers of a switch's labels. */
  async function serversOf(store: string, id: string): Promise<LabelServer[]> {
    if (!labelServers.isDivided(store)) return [labelServers.of({ store })];
    const found = new Set<LabelServer>();
    for await (const batch of scanLabelsOfSwitch(db, store, id)) {
      const keys = batch.map(({ _id }) => _id);
      const placeOf = await readPlaces(keys);
      for (const key of keys) found.add(labelServers.of(placeOf(key)));
    }
    return [...found];
  }

  /**
   * Sends a switch's order to each of its label servers, and repeats it to all of these label servers until all have accepted it.
   */
  async function send(store: string, id: string, showAt: Date | undefined): Promise<SwitchOrdered> {
    const servers = await serversOf(store, id);
    // A label server that cannot keep pictures was not sent any pictures to keep.
    const keeping = servers.filter(({ orderSwitch }) => orderSwitch !== undefined);
    if (keeping.length === 0 && servers.length > 0) return "refused";
    const order = { store, switch: id, showAt };
    const answers = await Promise.all(
      keeping.map(async (server) =>
        server.isAway() ? "later" : ((await server.orderSwitch?.(order))?.kind ?? "refused"),
      ),
    );
    if (answers.includes("refused")) return "refused";
    if (!answers.includes("later")) return "taken";
    return answers.includes("accepted") ? "partly taken" : "later";
  }

  async function order({ _id, showAt }: Stored<Switch>): Promise<void> {
    if (now() >= showAt) return void (await change(_id, unlessTaken));
    const answer = await send(ownerOf(_id), idOf(_id), showAt);
    await change(_id, (current) => afterOrder(current, answer));
  }

  async function callOff(one: Stored<Switch>): Promise<void> {
    const answer = await send(ownerOf(one._id), idOf(one._id), undefined);
    if ((answer === "later" || answer === "partly taken") && !isOver(one, now())) return;
    await endLabels(ownerOf(one._id), idOf(one._id));
    await change(one._id, (current) => ({ ...current, open: undefined }));
  }

  async function end(one: Stored<Switch>): Promise<void> {
    await endLabels(ownerOf(one._id), idOf(one._id));
    // Done before the switch is closed: if the process is killed in between, the next process announces the switch again.
    await announce({ ...one, state: "DONE" });
    await change(one._id, (current) => ({ ...current, state: "DONE", open: undefined }));
  }

  async function step(one: Stored<Switch>): Promise<void> {
    await announce(one);
    if (one.state === "CALLED_OFF") return callOff(one);
    if (one.state === "ORDERED") return one.isTaken ? (isOver(one, now()) ? end(one) : undefined) : order(one);
    if (now() < one.deadline) return;
    const progress = await readProgress(ownerOf(one._id), idOf(one._id));
    // If the switch has been prepared again in the meantime, the decision is left to the next step.
    await change(one._id, (current) => (current.rev === one.rev ? decideSwitch(current, progress, now()) : undefined));
  }

  return async () => {
    // Many stores may change their prices at the same time.
    await pLimit(CONCURRENT_STEPS).map(
      await readOpenSwitches(dependencies, joined(await partitions.own("labels"))),
      step,
    );
  };
}
