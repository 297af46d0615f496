import type { Db } from "mongodb";

/** The epoch of an installation: when the command after a restore of MongoDB last ran; 0 if it never did. */
export interface Epoch {
  /** The epoch in which this process began. */
  current(): Promise<number>;
  /** The currently stored epoch. */
  read(): Promise<number>;
  /** Begins another epoch. */
  begin(now: Date): Promise<number>;
}

/**
 * Its value is a time in milliseconds, and not a count: a count that was restored as well would come to the same value
 * twice.
 */
export function openEpoch(db: Db): Epoch {
  const epochs = db.collection<{ _id: string; value: number }>("epoch");
  let began: number | undefined;
  const read = async () => (await epochs.findOne({ _id: "epoch" }))?.value ?? 0;
  return {
    read,
    async current() {
      began ??= await read();
      return began;
    },
    async begin(now) {
      const value = Math.max((await read()) + 1, now.getTime());
      await epochs.updateOne({ _id: "epoch" }, { $set: { value } }, { upsert: true });
      began = value;
      return value;
    },
  };
}
