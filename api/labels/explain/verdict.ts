import { isOffline, isQuiet } from "../../../domain/labels/offline.ts";
import { pageToSend } from "../../../domain/labels/pages-to-send.ts";
import { type CauseName, causes } from "../../../schemas/explanation.ts";
import { type EslImage, isUploaded, type RenderedImage } from "../../../schemas/image.ts";
import type { LabelState } from "../../../schemas/label-state.ts";
import type { Link } from "../../../schemas/link.ts";
import { type ShownState, stateOfCause } from "../../pages/browser/state-of-cause.ts";
import type { ExplanationFacts } from "./explanation-facts.ts";
import { type CauseFound, findCauses } from "./find-causes.ts";
import { stagesBehind } from "./stages-behind.ts";

/** The verdict on a label, used wherever labels are counted. */
export interface Verdict {
  /** The most serious cause in the label's explanation. */
  found: CauseFound;
  /** The state that follows from this cause. */
  state: ShownState;
  /** Whether the label shows a picture other than the newest, lacks its item's price, or waits for an accepted change. */
  isBehind: boolean;
}

export function verdictOf(facts: ExplanationFacts, now: Date): Verdict {
  const [found = upToDate] = findCauses(facts, now);
  const { state, image, requests } = facts;
  return {
    found,
    state: stateOfCause[found.cause],
    isBehind:
      stagesBehind(facts).length > 0 ||
      requests.naming.length > 0 ||
      (state !== undefined && pageToSend(state) !== undefined) ||
      (image !== undefined && hidesPrice(image)),
  };
}

const upToDate: CauseFound = { cause: "UP_TO_DATE", reason: causes.UP_TO_DATE };

/**
 * Whether a picture is completely or partly blank because something could not be drawn, although an item of its label has
 * a price.
 */
const hidesPrice = ({ fault, shows }: Pick<EslImage, "shows" | "fault">): boolean =>
  fault !== undefined && shows.some(({ price }) => price !== undefined);

/** A label with nothing stale, waiting or faulty. */
export interface LabelAtRest {
  state: Pick<LabelState, "lastSeen" | "checksIn"> | undefined;
  links: readonly Pick<Link, "status" | "switchedOff">[];
}

/**
 * Returns the cause of the verdict on a label at rest from a few of its facts; `verdictOf` finds the same cause from all
 * of them.
 */
export function causeAtRest({ state, links }: LabelAtRest, now: Date, offlineAfterMs: number): CauseName {
  if (state && isOffline(state, now, offlineAfterMs)) return "LABEL_OFFLINE";
  const linked = links.filter(({ status }) => status !== "DELETED");
  const inactive = linked.filter(({ status }) => status !== "ACTIVE");
  if (inactive.length > 0)
    return inactive.some(({ switchedOff }) => switchedOff) ? "LINK_SWITCHED_OFF" : "ITEM_MISSING";
  if (linked.length === 0) return "NOT_LINKED";
  return state && isQuiet(state, now, offlineAfterMs) ? "LABEL_QUIET" : "UP_TO_DATE";
}

/** Whether the drawing of a link's picture reported an error or a warning. */
export const isWarned = ({ errors = [], warnings }: Pick<RenderedImage, "errors" | "warnings">): boolean =>
  errors.length + warnings.length > 0;

/** Whether an uploaded image replaces the drawn picture, so warnings of the drawing do not apply. */
export const isCovered = ({ pages }: Pick<EslImage, "pages">): boolean =>
  pages.some((page) => page.page === 0 && isUploaded(page));
