import type { Addressing } from "../../domain/linking/transceivers.ts";
import type { FlashRequest } from "../../schemas/flash.ts";
import type { LinkDepartment } from "../../schemas/store.ts";
import { type ActionFacts, judgeAction } from "./action-rules.ts";
import { flashFor } from "./flash-rules.ts";

interface Context {
  departments: readonly LinkDepartment[];
  clock: { now: Date; offlineAfterMs: number };
  /** How the flash is sent; if absent, as the label's record says. */
  through?: Addressing | undefined;
}

/**
 * Judges the flash of a label. Returns the result, the label's addressing and the flash, which is sent only if the result
 * is OK.
 */
export function judgeFlash(facts: ActionFacts, request: FlashRequest, { departments, clock, through }: Context) {
  const { label, labelType } = facts;
  const { result, transceivers } = judgeAction(facts, labelType?.flash ?? false, departments, clock, through);
  const to = { transceivers, ...(label?.device !== undefined && { device: label.device }) };
  return { result, to, flash: flashFor(request, labelType?.display ?? "matrix") };
}
