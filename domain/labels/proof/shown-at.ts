import type { GlassPicture } from "../../../schemas/glass.ts";
import type { Certainty, GapReason } from "../../../schemas/proof.ts";
import { begunAt, type KnownPicture, knownPictures, type PageRecord, pictureOf } from "./known-pictures.ts";

/** A period in which it is uncertain what a page showed; undefined ends are open. */
interface Gap {
  from: Date | undefined;
  until: Date | undefined;
  reason: GapReason;
  /** The pictures that the page may have shown then; undefined if it may have been any picture. */
  others?: readonly GlassPicture[];
}

/** What a label's page showed at a given time, and how certain that is. */
export interface ShownAt {
  certainty: Certainty;
  /** The last picture that the label acknowledged before that time; undefined if there is none or it is no longer known. */
  shown: KnownPicture | undefined;
  /** The first of the label's acknowledgements of that picture, if no other picture can have been shown in between. */
  first: KnownPicture | undefined;
  /** The time until which the picture was shown, as far as is known; undefined while it is still shown. */
  until: Date | undefined;
  /** Gaps between this acknowledgement and the next. */
  gaps: readonly Gap[];
  /** The other pictures that the page may have shown; undefined if it may have been any picture. */
  others: readonly GlassPicture[] | undefined;
}

/**
 * Returns what a label's page showed at a given time. `keptSince`: older entries have been deleted.
 *
 * A picture counts from its acknowledgement to the next. In between, the page can have shown another picture only if one was
 * sent. Each acknowledgement lists the transmission that it follows and the transmissions that remained without a report. The
 * label's state lists the transmissions since the last acknowledgement.
 */
export function shownAt(record: PageRecord, at: Date, keptSince: Date): ShownAt {
  const known = knownPictures(record);
  const index = known.findLastIndex(({ since }) => since <= at);
  const [shown, next] = [known[index], known[index + 1]];
  if (shown === undefined) {
    const reason = at < keptSince ? "EXPIRED" : "NEVER_REPORTED";
    const gap: Gap = { from: undefined, until: next?.since, reason };
    return { certainty: "UNKNOWN", shown, first: undefined, until: undefined, gaps: [gap], others: undefined };
  }
  const gaps = gapsAfter(known, index, record);
  const inGap = gaps.filter(({ from, until }) => (from ?? at) <= at && (until === undefined || at < until));
  const earlier = earlierPictures(known, index, at, record);
  const later = known.filter((one, place) => place > index && one.earliest !== undefined && one.earliest <= at);
  const byClock = earlier && distinct([...earlier, ...later], shown);
  const isUnbounded = byClock === undefined || inGap.some(({ others }) => others === undefined);
  return {
    certainty: inGap.length > 0 ? "UNKNOWN" : byClock?.length === 0 ? "CERTAIN" : "LABEL_SERVER_CLOCK",
    shown,
    first: known[firstOfRun(known, index)],
    until: known[lastOfRun(known, index, record) + 1]?.since,
    gaps,
    others: isUnbounded ? undefined : distinct([...byClock, ...inGap.flatMap(({ others = [] }) => others)], shown),
  };
}

/**
 * Returns what a page may still have shown at a given time, if only the label server's clock says that the current picture had
 * landed by then; undefined if the page may have shown any picture.
 */
function earlierPictures(
  known: readonly KnownPicture[],
  index: number,
  at: Date,
  record: PageRecord,
): GlassPicture[] | undefined {
  const found: GlassPicture[] = [];
  for (let place = index; isBeforeReport(known[place], at); place -= 1) {
    const former = known[place - 1];
    const gaps = former ? gapsAfter(known, place - 1, record) : [];
    if (former === undefined || gaps.some(({ others }) => others === undefined)) return undefined;
    found.push(former, ...gaps.flatMap(({ others = [] }) => others));
  }
  return found;
}

/** Whether only the label server's clock says that a picture had landed by then. */
const isBeforeReport = (one: KnownPicture | undefined, at: Date): boolean =>
  one !== undefined && (one.latest === undefined || at < one.latest);

/** Returns the gaps from an acknowledgement to the next one, or to now. */
function gapsAfter(known: readonly KnownPicture[], index: number, record: PageRecord): Gap[] {
  const [shown, next] = [known[index] as KnownPicture, known[index + 1]];
  const later = (date: Date | undefined) => (date && date > shown.since ? date : shown.since);
  const isReported = ({ transmission }: GlassPicture) => known.some((one) => one.transmission === transmission);
  const missing = (sent: readonly GlassPicture[]) =>
    sent.filter((one) => one.image !== shown.image && one.transmission > shown.transmission && !isReported(one));
  const until = next?.since;
  const ofMissing = (others: readonly GlassPicture[]): Gap[] =>
    others.length === 0 ? [] : [{ from: later(firstBegun(others)), until, reason: "NO_REPORT", others }];
  if (next === undefined) return gapsAtEnd(shown, record, missing, ofMissing, later);
  if (next.receivedAt === undefined) return [{ from: shown.since, until, reason: "NOT_RECORDED", others: [] }];
  const { follows, unreported = [], unreportedSince } = next;
  const isNext = follows === shown.transmission || unreported.some((one) => one.transmission === shown.transmission);
  return [
    ...(isNext ? [] : [{ from: shown.since, until, reason: "LOST" as const }]),
    ...ofMissing(missing(unreported)),
    ...(unreportedSince ? [{ from: later(unreportedSince), until, reason: "NO_REPORT" as const }] : []),
  ];
}

/** Returns the gaps since the last acknowledgement, from the label's state. */
function gapsAtEnd(
  shown: KnownPicture,
  { page, state }: PageRecord,
  missing: (sent: readonly GlassPicture[]) => GlassPicture[],
  ofMissing: (others: readonly GlassPicture[]) => Gap[],
  later: (date: Date | undefined) => Date,
): Gap[] {
  const present = state?.shown.find((one) => one.page === page);
  if (state === undefined || present?.number !== shown.transmission)
    return [{ from: shown.since, until: undefined, reason: "LOST" }];
  const sent = state.sent.filter((one) => one.page === page && one.switch === undefined).map(pictureOf);
  const unreported = missing(sent);
  const first = firstBegun(unreported);
  const { uncertainSince } = present;
  const { later: kept } = state;
  const armed = kept?.armed.find((one) => one.page === page && one.image !== shown.image);
  const switched = armed && kept && !kept.ended && kept.shownAt === undefined ? kept : undefined;
  const isKnownGap =
    (first && uncertainSince && first <= uncertainSince) || isSameTime(switched?.showAt, uncertainSince);
  const isCut = present.uncertain && uncertainSince && !isKnownGap;
  return [
    ...ofMissing(unreported),
    ...(isCut ? [{ from: later(uncertainSince), until: undefined, reason: "NO_REPORT" as const }] : []),
    ...(switched && armed
      ? [
          {
            from: later(switched.showAt),
            until: undefined,
            reason: "SWITCH" as const,
            others: [{ image: armed.image, transmission: armed.number, items: switched.content?.items ?? [] }],
          },
        ]
      : []),
  ];
}

const isSameTime = (one: Date | undefined, other: Date | undefined): boolean =>
  one !== undefined && one.getTime() === other?.getTime();

const firstBegun = (sent: readonly GlassPicture[]): Date | undefined => {
  const begun = sent.map(({ transmission }) => begunAt(transmission)?.getTime() ?? 0);
  return begun.length === 0 ? undefined : new Date(Math.min(...begun));
};

/** Returns the first of consecutive acknowledgements of the same picture with no gap between them. */
function firstOfRun(known: readonly KnownPicture[], index: number): number {
  let first = index;
  while (first > 0 && isSamePicture(known[first - 1], known[first]) && isGapless(known[first - 1], known[first]))
    first -= 1;
  return first;
}

function lastOfRun(known: readonly KnownPicture[], index: number, record: PageRecord): number {
  let last = index;
  while (isSamePicture(known[last], known[last + 1]) && gapsAfter(known, last, record).length === 0) last += 1;
  return last;
}

const isSamePicture = (one: KnownPicture | undefined, other: KnownPicture | undefined): boolean =>
  one !== undefined && other !== undefined && one.image === other.image && textOf(one) === textOf(other);
const textOf = ({ items }: GlassPicture): string => JSON.stringify(items.map(({ itemId, price }) => [itemId, price]));

const isGapless = (one: KnownPicture | undefined, next: KnownPicture | undefined): boolean =>
  next?.receivedAt !== undefined && next.follows === one?.transmission && !next.unreported && !next.unreportedSince;

/** Returns each picture once, except the one that was shown. */
const distinct = (pictures: readonly GlassPicture[], shown: GlassPicture): GlassPicture[] => [
  ...new Map(
    pictures
      .filter(({ image }) => image !== shown.image)
      .map(({ image, transmission, items, uploaded, fault }) => [
        image,
        { image, transmission, items, ...(uploaded && { uploaded }), ...(fault !== undefined && { fault }) },
      ]),
  ).values(),
];
