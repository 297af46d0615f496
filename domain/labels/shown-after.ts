import type { LabelState, Transmission } from "../../schemas/label-state.ts";

type ShownPage = LabelState["shown"][number];

/** The content of a page after the label server has reported that this transmission of it arrived. */
export function shownAfter(
  known: ShownPage | undefined,
  landed: Transmission,
  deliveredAt: Date,
  { sent, transmissions }: Pick<LabelState, "sent" | "transmissions">,
): ShownPage {
  const { page, image, number } = landed;
  // An uncertain page remains uncertain if a later number has an earlier time: it may show either picture.
  if (known && !isLater(number, deliveredAt, known)) return known;
  // All transmissions after a stored one are stored too.
  const isLaterOther = (one: Transmission) => one.page === page && one.number > number && one.image !== image;
  // A picture that is kept for a switch is not shown before its own report.
  const [uncertainBy] = sent.filter((one) => one.switch === undefined && isLaterOther(one));
  return {
    ...{ page, image, deliveredAt, number, through: transmissions },
    ...(uncertainBy && { uncertain: true as const, uncertainSince: new Date(uncertainBy.number) }),
  };
}

/**
 * Whether a transmission arrived after the last known delivery of its page. If it began after that delivery was known,
 * it did, whatever the label server's clock says; otherwise its clock decides, and at equal times the number.
 */
function isLater(number: number, deliveredAt: Date, known: ShownPage): boolean {
  const laterMs = deliveredAt.getTime() - known.deliveredAt.getTime();
  return number > known.through || laterMs > 0 || (laterMs === 0 && number >= (known.number ?? 0));
}
