import type { LabelState, Transmission } from "../../schemas/label-state.ts";

type ShownPage = LabelState["shown"][number];

/** Returns the content of a page after the label server has reported that this transmission arrived. */
export function shownAfter(
  known: ShownPage | undefined,
  landed: Transmission,
  deliveredAt: Date,
  { sent, transmissions }: Pick<LabelState, "sent" | "transmissions">,
): ShownPage {
  const { page, image, number } = landed;
  // An uncertain page remains uncertain if the transmission with the larger number has the earlier time: the page may show either
  // picture.
  if (known && !isLater(number, deliveredAt, known)) return known;
  // If a transmission is stored, all later transmissions are stored as well.
  const isLaterOther = (one: Transmission) => one.page === page && one.number > number && one.image !== image;
  // A picture that is kept for a switch cannot be shown before the switch's time. When the switch ends, `shownSince` marks the
  // page.
  const [uncertainBy] = sent.filter((one) => one.switch === undefined && isLaterOther(one));
  // A report about the same transmission does not say what a switch has shown since.
  const isRepeated = known?.uncertain && number <= (known.number ?? 0);
  return {
    ...{ page, image, deliveredAt, number, through: transmissions },
    ...(uncertainBy && { uncertain: true as const, uncertainSince: new Date(uncertainBy.number) }),
    ...(isRepeated && { uncertain: true as const, uncertainSince: known.uncertainSince }),
  };
}

/**
 * Whether a transmission arrived after the last known delivery of its page. It did if it started after that delivery was known,
 * whatever the label server's clock says. Otherwise, that clock decides; if the times are equal, the number does.
 */
function isLater(number: number, deliveredAt: Date, known: ShownPage): boolean {
  const laterMs = deliveredAt.getTime() - known.deliveredAt.getTime();
  return number > known.through || laterMs > 0 || (laterMs === 0 && number >= (known.number ?? 0));
}
