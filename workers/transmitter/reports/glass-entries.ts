import { pictureOf } from "../../../domain/labels/proof/known-pictures.ts";
import type { GlassEntry } from "../../../schemas/glass.ts";
import { labelKey } from "../../../schemas/keys.ts";
import type { ReceivedReport } from "../../../schemas/label-report.ts";
import type { LabelState, Transmission } from "../../../schemas/label-state.ts";

type ShownPage = LabelState["shown"][number];
type State = Pick<LabelState, "sent" | "shown"> & Pick<Partial<LabelState>, "later">;

/**
 * If the previous picture was shown for longer than this, an entry repeats that picture, so that it stays known after its own
 * entry has expired.
 */
const REPEATED_AFTER_MS = 86_400_000;

/**
 * Returns the entries for pictures that landed on a label, in order, given the label's state before these reports. `server` is
 * the reporting label server.
 */
export function glassEntries(
  state: State | undefined,
  reports: readonly ReceivedReport[],
  now: Date,
  server?: string,
): GlassEntry[] {
  const shown = new Map<number, Partial<ShownPage>>(state?.shown.map((known) => [known.page, known]));
  return reports.flatMap((report) => {
    const landed = state?.sent.find(({ number }) => number === report.transmission);
    if (state === undefined || report.kind !== "acknowledged" || landed === undefined) return [];
    const { page, image, content, number } = landed;
    const at = new Date(report.at);
    const received = report.receivedAt && { receivedAt: report.receivedAt };
    const known = shown.get(page);
    const isNew = known?.image !== image;
    if (known?.deliveredAt === undefined || known.deliveredAt <= at)
      shown.set(page, { image, number, deliveredAt: at, ...received });
    const showAt = landed.switch !== undefined && landed.switch === state.later?.switch && state.later.showAt;
    return {
      label: labelKey(report.store, report.barcode),
      store: report.store,
      page,
      at,
      ...pictureOf(landed),
      ...received,
      ...(server !== undefined && { server }),
      ...(showAt && { showAt }),
      ...beforeIt(state, landed, at, known),
      // By this server's clock, like the change: the label server's clock may differ.
      ...(isNew && content && { tookMs: Math.max(0, now.getTime() - content.changedAt) }),
    };
  });
}

/** Returns what is known about a page before a picture landed on it. */
function beforeIt({ sent }: State, landed: Transmission, at: Date, known: Partial<ShownPage> | undefined) {
  const { number, page } = landed;
  const ofPage = sent.filter((one) => one.page === page);
  const former = ofPage.find((one) => one.number === known?.number);
  const wasLong = known?.deliveredAt !== undefined && at.getTime() - known.deliveredAt.getTime() > REPEATED_AFTER_MS;
  // A picture that is kept for a switch changes nothing until it is itself reported.
  const unreported = ofPage.filter(
    (one) => one.switch === undefined && one.number > (known?.number ?? 0) && one.number < number,
  );
  const firstSent = Math.min(number, ...unreported.map((one) => one.number));
  const since = known?.uncertainSince;
  return {
    ...(known?.number !== undefined && { follows: known.number }),
    ...(wasLong && former && { before: { ...pictureOf(former), ...timesOf(known) } }),
    ...(unreported.length > 0 && { unreported: unreported.map(pictureOf) }),
    ...(since && since.getTime() < firstSent && { unreportedSince: since }),
  };
}

const timesOf = ({ deliveredAt: at = new Date(0), receivedAt }: Partial<ShownPage>) => ({
  at,
  ...(receivedAt && { receivedAt }),
});
