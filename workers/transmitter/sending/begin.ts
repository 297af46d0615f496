import { beginSend } from "../../../domain/labels/next-transmission.ts";
import { type RetrySettings, settingsOf } from "../../../domain/labels/retry-waits.ts";
import type { Commit } from "../../../queues/changes/commit.ts";
import { labelStates } from "../../../records/kinds/labels.ts";
import type { Places } from "../../../records/linking/places.ts";
import { ownerOf } from "../../../schemas/keys.ts";
import type { LabelState, Transmission } from "../../../schemas/label-state.ts";
import type { Stored } from "../../../schemas/record.ts";
import type { Urgency } from "../../../schemas/urgency.ts";
import type { BegunStates } from "./begun-states.ts";
import type { Lane } from "./lane.ts";
import type { QuietStores } from "./quiet-stores.ts";

/** Changes a label's state before its next transmission is chosen; undefined keeps the state. */
type Prepare = (key: string, current: LabelState | undefined) => LabelState | undefined;

/**
 * Applies `prepare` to the states of labels, and starts the transmissions that are then due. Does not wait for the label
 * server: started transmissions are sent in the background, and if there is no room for a transmission, the label's state has a
 * due time.
 */
export type Transmit = (
  labelKeys: readonly string[],
  urgency: Urgency,
  prepare?: Prepare,
  read?: ReadBefore,
) => Promise<void>;

/** Label records that the caller has just read; absent records are read here. */
export interface ReadBefore {
  states: ReadonlyMap<string, Stored<LabelState>>;
  places?: Places;
}

interface Dependencies {
  commit: Commit;
  quietStores: QuietStores;
  /** Absent if this process does not apply reports. */
  begunStates?: Pick<BegunStates, "note">;
  retry: RetrySettings;
  now(): Date;
}

interface Begun {
  /** The transmissions that started, by label key. */
  sends: Map<string, Transmission>;
  /**
   * Of these, the labels whose state another process wrote after the caller had read it. Their label records may have changed
   * too, so the caller's copies are out of date.
   */
  overtaken: Set<string>;
}

/** Writes each state once: the prepared state together with the transmission that starts. */
export const createBegin =
  ({ commit, retry, quietStores, begunStates, now }: Dependencies) =>
  async (
    labelKeys: readonly string[],
    urgency: Urgency,
    prepare: Prepare,
    laneOf: (labelKey: string) => Pick<Lane, "room">,
    { states, places }: Partial<ReadBefore> = {},
  ): Promise<Begun> => {
    const quietOf = await quietStores(labelKeys.map(ownerOf), places?.[1]);
    const sends = new Map<string, Transmission>();
    const reread = new Set<string>();
    const rooms = new Map<Pick<Lane, "room">, number>();
    const begin = (key: string, current: LabelState | undefined) => {
      const lane = laneOf(key);
      // If a state is decided again, its place is released first.
      const room = (rooms.get(lane) ?? lane.room(urgency)) + (sends.delete(key) ? 1 : 0);
      if (states !== undefined && current !== states.get(key)) reread.add(key);
      const prepared = prepare(key, current);
      const next =
        prepared && room > 0 ? beginSend(prepared, now(), settingsOf(key, retry), quietOf(ownerOf(key))) : undefined;
      if (next?.send) sends.set(key, next.send);
      rooms.set(lane, next?.send ? room - 1 : room);
      return next?.state ?? prepared;
    };
    const begun = await commit.change(labelStates, labelKeys, begin, urgency, states);
    begunStates?.note(begun);
    const started = new Map([...sends].filter(([key]) => begun.has(key)));
    return { sends: started, overtaken: reread.intersection(started) };
  };
