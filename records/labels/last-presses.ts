import type { LastPress } from "../../schemas/label-signals.ts";
import { labelStates } from "../kinds/labels.ts";
import type { Records } from "../records.ts";

/** The last presses of labels, by label key. */
export async function readLastPresses(
  records: Pick<Records, "readFields">,
  labelKeys: readonly string[],
): Promise<(key: string) => LastPress | undefined> {
  const states = await records.readFields(labelStates, labelKeys, ["press"]);
  return (key) => states.get(key)?.press;
}
