import type { Db } from "mongodb";
import { isSettled, PREPARE_AHEAD_MS } from "../../domain/labels/decide-switch.ts";
import { endSwitch, isBusy, keepPictures } from "../../domain/labels/keep-pictures.ts";
import type { Commit } from "../../queues/changes/commit.ts";
import type { Foresee } from "../../queues/derivations/ahead/foresee.ts";
import { linksOfItems } from "../../queues/linking/item-links.ts";
import { joined, type Partitions } from "../../queues/store-partitions.ts";
import { schedules } from "../../records/kinds/items.ts";
import { labelStates, labels } from "../../records/kinds/labels.ts";
import { switches } from "../../records/kinds/switches.ts";
import { labelTypes } from "../../records/kinds/tenants.ts";
import { batchesOf } from "../../records/mongodb/batches-of.ts";
import type { FirstTogether } from "../../records/mongodb/find-first-together.ts";
import type { Records } from "../../records/records.ts";
import { readOpenSwitches, scanLabelsOfSwitch } from "../../records/switches/read-switches.ts";
import { contentOf } from "../../schemas/glass.ts";
import { inBatches } from "../../schemas/in-batches.ts";
import { idOf, itemKey, keysUnder, labelOfLink, labelTypeKey, ownerOf, tenantOf } from "../../schemas/keys.ts";
import { keepsPictures } from "../../schemas/label-type.ts";
import type { Stored } from "../../schemas/record.ts";
import type { Schedule } from "../../schemas/schedule.ts";
import type { Switch } from "../../schemas/switch.ts";

interface Dependencies {
  db: Db;
  firstTogether: FirstTogether;
  records: Records;
  commit: Commit;
  partitions: Pick<Partitions, "own">;
  foresee: Foresee;
  /** By the database's clock, like the changes of a switch. */
  now(): Date;
}

const ITEMS_PER_READ = 500;
const LABELS_PER_BATCH = 250;
/**
 * After preparations, switches rest for this multiple of the time that all preparations took, so that most of the process's time
 * is left for other work.
 */
const REST = 3;

/**
 * Returns a function that prepares the switches in the process's partitions: each label receives what it will show at the
 * switch's time, if that has changed since the last preparation. Must be called repeatedly until that time: a change in between
 * makes the kept picture stale, and the next preparation replaces the picture.
 */
export function createPrepareSwitches(dependencies: Dependencies): () => Promise<void> {
  const { partitions, now } = dependencies;
  const prepare = createPrepare(dependencies);
  /** The time until which each switch rests. */
  const rests = new Map<string, number>();

  return async () => {
    const open = await readOpenSwitches(dependencies, joined(await partitions.own("switches")));
    const from = now().getTime();
    const prepared: string[] = [];
    for (const one of open.toSorted((a, b) => a.showAt.getTime() - b.showAt.getTime())) {
      const began = now();
      if (!isToPrepare(one, began, rests.get(one._id) ?? 0)) continue;
      await prepare(one, began);
      prepared.push(one._id);
    }
    const until = now().getTime() + REST * (now().getTime() - from);
    for (const key of prepared) rests.set(key, until);
    const known = new Set(open.map(({ _id }) => _id));
    for (const key of rests.keys()) if (!known.has(key)) rests.delete(key);
  };
}

/** Whether to prepare a switch now. At its deadline, it is prepared immediately, since the decision waits for that. */
export function isToPrepare(
  one: Pick<Switch, "state" | "showAt" | "deadline" | "preparedAt">,
  now: Date,
  restsUntil: number,
): boolean {
  const { showAt, deadline, preparedAt } = one;
  if (isSettled(one) || now >= showAt) return false;
  if (now.getTime() < showAt.getTime() - PREPARE_AHEAD_MS) return false;
  const isAwaited = now >= deadline && (preparedAt === undefined || preparedAt < deadline);
  return isAwaited || now.getTime() >= restsUntil;
}

function createPrepare({ db, records, commit, foresee, now }: Dependencies) {
  /** Returns the labels of items that change at this time, and the labels that already keep something for the switch. */
  async function labelsOf(store: string, switchId: string, showAt: Date): Promise<string[]> {
    const found = new Set<string>();
    const changing = db
      .collection<Stored<Schedule>>(schedules.name)
      .find(
        { _id: keysUnder(itemKey(store, "")), store, due: { $lte: showAt }, "updates.due": showAt },
        { projection: { _id: 1 } },
      );
    for await (const items of batchesOf(changing, ITEMS_PER_READ)) {
      const links = await linksOfItems(
        records,
        items.map(({ _id }) => _id),
      );
      for (const link of links) found.add(labelOfLink(link).label);
    }
    for await (const batch of scanLabelsOfSwitch(db, store, switchId)) for (const { _id } of batch) found.add(_id);
    return [...found];
  }

  /** Returns the labels that can keep a picture and take part in no other switch, with their states. */
  async function readKeeping(switchId: string, keys: readonly string[]) {
    const [ofLabels, states] = await records.readTogether([
      { kind: labels, keys, fields: ["type"] },
      { kind: labelStates, keys, fields: ["later"] },
    ]);
    const typeOf = (key: string) => labelTypeKey(tenantOf(key), ofLabels.get(key)?.type ?? 0);
    const types = await records.read(labelTypes, keys.map(typeOf));
    const keeping = keys.filter((key) => {
      const [type, state] = [types.get(typeOf(key)), states.get(key)];
      return type !== undefined && keepsPictures(type) && state !== undefined && !isBusy(state, switchId, now());
    });
    return { keeping, states };
  }

  /**
   * If a switch was called off in the meantime, ends it for labels that have just begun to take part, since the transmitter may
   * already have ended it for the other labels. Returns whether the switch was ended.
   */
  async function endIfSettled(key: string, labelKeys: readonly string[]): Promise<boolean> {
    const current = (await records.readFields(switches, [key], ["state"])).get(key);
    if (current !== undefined && !isSettled(current)) return false;
    await commit.change(labelStates, labelKeys, (_, state) => state && endSwitch(state, idOf(key), now()), "bulk");
    return true;
  }

  return async ({ _id, showAt }: Stored<Switch>, began: Date): Promise<void> => {
    const [store, id] = [ownerOf(_id), idOf(_id)];
    let others = 0;
    for (const batch of inBatches(await labelsOf(store, id, showAt), LABELS_PER_BATCH)) {
      const { keeping, states } = await readKeeping(id, batch);
      others += batch.length - keeping.length;
      const isNews = (label: string, basis: string) => {
        const later = states.get(label)?.later;
        return later?.switch !== id || later.basis !== basis;
      };
      const foreseen = await foresee(keeping, showAt, isNews);
      const kept = await commit.change(
        labelStates,
        [...foreseen.keys()],
        (key, state) => {
          const { basis, image } = foreseen.get(key) ?? {};
          if (state === undefined || image === undefined || basis === undefined) return undefined;
          // Once the switch's time has come, the transmitter ends the switch for its labels, and would miss labels that join
          // later.
          if (now() >= showAt) return undefined;
          const content = contentOf(image.shows);
          const shown = {
            pages: image.pages,
            // The change takes effect at the time of the switch.
            ...(content && { content: { ...content, changedAt: showAt.getTime() } }),
            ...(image.fault && { fault: image.fault.detail }),
          };
          return keepPictures(state, { switch: id, showAt, basis, ...shown }, now());
        },
        "bulk",
      );
      if (await endIfSettled(_id, [...kept.keys()])) return;
    }
    await commit.change(switches, [_id], (_, current) => current && { ...current, preparedAt: began, others }, "bulk");
  };
}
