import type { LabelType } from "../../../schemas/label-type.ts";

/**
 * Whether a refresh is a full one, which removes the ghosts of former pictures: every n-th of a label. The count is that of the
 * transmission, so a repetition is of the same kind, and one that never arrives leaves its turn to the next.
 */
export const isFullRefresh = (
  nth: number | undefined,
  { fullRefreshAfter }: Pick<LabelType, "fullRefreshAfter">,
): boolean => nth !== undefined && fullRefreshAfter !== undefined && nth % fullRefreshAfter === 0;
