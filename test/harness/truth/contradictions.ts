import type { CauseName, LabelExplanation } from "../../../schemas/explanation.ts";
import type { LabelBehind, ShownThen } from "../../../schemas/integrity.ts";
import type { PlState } from "../../../schemas/label.ts";
import type { StatedPage } from "./read-pages.ts";
import type { Drawn } from "./redraw.ts";

/** A label as its glass shows it, and as the API describes it. Pictures are hashes of their pixels. */
export interface StatedLabel {
  barcode: string;
  /** The glass: the hash of the picture, or the text of a segment label. */
  glass: string | undefined;
  /** The correct picture, drawn from the item, link and design in their current state; undefined if it is not known. */
  redrawn: Drawn | undefined;
  /** The picture of GET /labels/{barcode}/image; undefined for a segment label. */
  newest: string | undefined;
  plState: PlState;
  /** The integrity report's row for the label. */
  behind: LabelBehind | undefined;
  /** The label's picture according to the shelf log. */
  logged: ShownThen | undefined;
  /** The label drawn with the price that the log names, if the item has another price. */
  asLogged: Drawn | undefined;
  /**
   * The explanation and the page of the label. Only some labels of a store are explained, and even fewer pages are read; a page's
   * pictures are hashes too.
   */
  explanation: LabelExplanation | undefined;
  page: StatedPage | undefined;
  /** The row that set the item's price last, if it is a SUCCESS among the last requests. */
  row: AppliedRow | undefined;
}

/** A row of a request that set a price. */
export interface AppliedRow {
  requestId: number;
  price: string;
}

/** Causes under which a label with the correct picture is still OK. */
const harmless: readonly CauseName[] = [
  "UP_TO_DATE",
  "NOT_LINKED",
  "ITEM_MISSING",
  "LINK_SWITCHED_OFF",
  "REQUEST_WAITS",
];

/** Returns the API's statements about a label that contradict its glass or each other. Empty if all of them agree. */
export function contradictionsOf(stated: StatedLabel): string[] {
  const { barcode, plState, behind, explanation, page } = stated;
  const isRight = showsWhatItShould(stated);
  const said = [
    plState === "OK" && !isRight && "plState is OK, and the glass shows another picture",
    plState === "OK" && behind && `plState is OK, and integrity says ${behind.cause}`,
    plState === "PENDING" && !behind && "plState is PENDING, and integrity counts the label as right",
    !behind && !isRight && "integrity counts the label as right, and the glass shows another picture",
    behind?.cause === "UP_TO_DATE" && "integrity lists the label as behind, and says that it is up to date",
    ...logContradictions(stated, isRight),
    ...(explanation ? explanationContradictions(stated, explanation, isRight) : []),
    ...(page ? pageContradictions(stated, page, isRight) : []),
    rowContradiction(stated),
  ];
  return said.flatMap((text) => (text ? [`${barcode}: ${text}`] : []));
}

/** Returns whether the glass shows what the label's item, link and design currently require. */
export const showsWhatItShould = ({ glass, redrawn, newest }: StatedLabel): boolean =>
  (redrawn === undefined || glass === redrawn.content) && (newest === undefined || glass === newest);

function explanationContradictions(
  { plState, behind, glass, newest, logged }: StatedLabel,
  { cause, plState: explained, glass: [first], onItsWay }: LabelExplanation,
  isRight: boolean,
): (string | false)[] {
  return [
    plState !== explained && `plState is ${plState}, and explain says ${explained}`,
    cause === "UP_TO_DATE" && !isRight && "explain says UP_TO_DATE, and the glass shows another picture",
    cause === "ON_ITS_WAY" &&
      isRight &&
      onItsWay === null &&
      "explain says ON_ITS_WAY for a picture that is on the glass",
    plState === "OK" && !harmless.includes(cause) && `plState is OK, and explain says ${cause}`,
    behind !== undefined && behind.cause !== cause && `explain says ${cause}, and integrity ${behind.cause}`,
    first?.page === 0 &&
      first.isWanted &&
      newest !== undefined &&
      glass !== newest &&
      "explain says that the newest picture is shown, and the glass shows another",
    first?.page === 0 && logged?.image === first.image && pricesDiffer(first.items, logged.items),
  ];
}

/** Compares the prices that explain and the log name for the same picture. */
function pricesDiffer(explained: readonly Priced[] | null, logged: readonly Priced[]): string | false {
  const [one, other] = [explained ?? logged, logged].map((items) => items.map(({ price }) => price ?? "none").join());
  return one !== other && `explain says that the label shows the price ${one}, and the log ${other}`;
}

type Priced = { price: string | null };

function pageContradictions(
  { plState, glass, newest, explanation }: StatedLabel,
  { plState: onPage, cause, shown, next, says }: StatedPage,
  isRight: boolean,
): (string | false)[] {
  // A segment label's picture is drawn from the text on its glass.
  const isPicture = newest !== undefined && glass !== undefined;
  return [
    plState !== onPage && `plState is ${plState}, and the page says ${onPage || "none"}`,
    explanation !== undefined &&
      explanation.cause !== cause &&
      `explain says ${explanation.cause}, and the page ${cause || "no cause"}`,
    isPicture &&
      shown !== undefined &&
      ![shown, next].includes(glass) &&
      "the page does not have the picture on the glass",
    plState === "OK" && isPicture && shown !== glass && "plState is OK, and the page has another picture on the shelf",
    plState === "OK" && next !== undefined && "plState is OK, and the page has a picture on its way",
    shown !== undefined && shown === next && "the page has the same picture on the shelf and on its way",
    says === undefined && "the page says nothing about the picture",
    says === "showsNothing" && shown !== undefined && "the page says that nothing is shown, and has its picture",
    says === "showsNewest" && !isRight && "the page says that the newest picture is shown, and the glass shows another",
    says !== "showsNewest" && cause === "UP_TO_DATE" && `the page says UP_TO_DATE, and ${says}`,
  ];
}

/** A label that is OK must show the price that its item's last row set. */
const rowContradiction = ({ plState, redrawn, row }: StatedLabel): string | false =>
  plState === "OK" &&
  redrawn?.isBare === false &&
  row !== undefined &&
  redrawn.price !== row.price &&
  `request ${row.requestId} set the price ${row.price}, and the glass shows ${redrawn.price ?? "none"}`;

/** The log must name the picture on the glass of a label that is OK. */
function logContradictions({ plState, glass, newest, redrawn, logged, asLogged }: StatedLabel, isRight: boolean) {
  if (plState !== "OK" || glass === undefined) return [];
  const price = logged?.items[0]?.price;
  return [
    newest !== undefined &&
      logged?.image !== glass &&
      `the log says that the label shows ${logged?.image ?? "no known picture"}, and the glass shows ${glass}`,
    asLogged !== undefined &&
      asLogged.content !== glass &&
      `the log names the price ${price}, which the glass does not show`,
    isRight &&
      redrawn?.isBare === false &&
      logged?.items.length === 0 &&
      "the log names no item, and the glass shows one",
  ];
}
