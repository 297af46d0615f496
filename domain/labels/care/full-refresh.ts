import type { LabelType } from "../../../schemas/label-type.ts";

/**
 * Whether a label's refresh is a full refresh, which removes ghosts of earlier pictures: every n-th refresh is. The count is
 * stored with the transmission, so resending it causes the same kind of refresh. If a full refresh never arrives, the next
 * refresh is full instead.
 */
export const isFullRefresh = (
  nth: number | undefined,
  { fullRefreshAfter }: Pick<LabelType, "fullRefreshAfter">,
): boolean => nth !== undefined && fullRefreshAfter !== undefined && nth % fullRefreshAfter === 0;
