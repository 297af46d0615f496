import type { Db } from "mongodb";

/** An installation's epoch: when the command that follows a restore of MongoDB last ran; 0 if it never ran. */
export interface Epoch {
  /** The epoch in which this process started. */
  current(): Promise<number>;
  /** The currently stored epoch. */
  read(): Promise<number>;
  /** Begins a new epoch. */
  begin(now: Date): Promise<number>;
}

/**
 * An epoch is a time in milliseconds rather than a count, since a restore would set a count back too, and the count would later
 * reach the same values again.
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
