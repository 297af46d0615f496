import type { LabelState, Transmission } from "../../schemas/label-state.ts";

type ShownPage = LabelState["shown"][number];

/** What a page shows once the label server has reported that this transmission of it landed. */
export function shownAfter(
  known: ShownPage | undefined,
  landed: Transmission,
  deliveredAt: Date,
  { sent, transmissions }: Pick<LabelState, "sent" | "transmissions">,
): ShownPage {
  const { page, image, number } = landed;
  // An uncertain page stays so if a later number has an earlier time: either may be what it shows.
  if (known && !isLater(number, deliveredAt, known)) return known;
  // All transmissions behind one that is stored are stored too.
  const isUncertain = sent.some((one) => one.page === page && one.number > number && one.image !== image);
  return {
    ...{ page, image, deliveredAt, number, through: transmissions },
    ...(isUncertain && { uncertain: true as const }),
  };
}

/**
 * Whether a transmission landed after the last known delivery of its page. One that began after that delivery was known
 * did, whatever the label server's clock says; else its clock decides, and of one moment, the number.
 */
function isLater(number: number, deliveredAt: Date, known: ShownPage): boolean {
  const laterMs = deliveredAt.getTime() - known.deliveredAt.getTime();
  return number > known.through || laterMs > 0 || (laterMs === 0 && number >= (known.number ?? 0));
}
