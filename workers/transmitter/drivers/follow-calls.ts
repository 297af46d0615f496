import { type CallNotice, callText } from "../../../schemas/call-notice.ts";
import type { LastCalls } from "./label-server.ts";

const MAX_DETAIL_LENGTH = 200;

/** Tracks a label server's last response, and the last call that it did not accept, by the driver's clock. */
export function followCalls(clock: () => number) {
  let last: LastCalls = {};
  return {
    lastCalls: (): LastCalls => last,
    answered(): void {
      last = { ...last, answeredAt: clock() };
    },
    /** `detail` is only for the operator; only its beginning is kept. */
    failed(notice: CallNotice, detail: string): void {
      const failure = { at: clock(), reason: callText(notice), notice, detail: detail.slice(0, MAX_DETAIL_LENGTH) };
      last = { ...last, failure };
    },
  };
}
