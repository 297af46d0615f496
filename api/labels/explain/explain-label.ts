import { regularOf, shownOffer } from "../../../domain/campaigns/offers.ts";
import { failedPages } from "../../../domain/items/page-sources.ts";
import { pageToSend } from "../../../domain/labels/pages-to-send.ts";
import { plStateOf } from "../../../domain/labels/pl-state.ts";
import type { DerivedRecord, ExplainedPosition, LabelExplanation, Wait } from "../../../schemas/explanation.ts";
import { exists, type Item } from "../../../schemas/item.ts";
import type { Stored } from "../../../schemas/record.ts";
import { designOf } from "./design-of.ts";
import type { ExplanationFacts, PositionFacts, StageName } from "./explanation-facts.ts";
import { type CauseFound, findCauses, notAfter, startOf } from "./find-causes.ts";
import { type GlassPage, glassOf } from "./glass.ts";
import { noDesignReason } from "./no-design-reason.ts";
import { readableFacts, type Scopes, withheldFrom } from "./readable-facts.ts";
import { movedInputs, pagesShown, stagesBehind } from "./stages-behind.ts";
import { isCovered } from "./verdict.ts";

type DateText = (date: Date) => string;

/**
 * Explains what a label shows (docs/operations/explain-a-label.md#why-a-label-shows-its-picture). `dateText` formats dates in the
 * store's time zone. With a token's scopes, it omits what the token may not read, and lists the omissions.
 */
export function explainLabel(all: ExplanationFacts, now: Date, dateText: DateText, scopes?: Scopes): LabelExplanation {
  const facts = scopes ? readableFacts(all, scopes) : all;
  const withheld = scopes ? withheldFrom(scopes) : [];
  const { label, state, image, positions, offlineAfterMs } = facts;
  const found = findCauses(facts, now);
  const isBehind = stagesBehind(facts).length > 0;
  const [cause = { cause: "UP_TO_DATE", reason: "" } satisfies CauseFound] = found;
  const glass = glassOf(facts, isBehind);
  const summary = `${shownText(facts, glass[0], isBehind, dateText)}, because ${causeText(cause, dateText)}.`;
  return {
    barcode: label.barcode,
    modelName: label.modelName,
    labelType: label.type,
    plState: plStateOf(state, isBehind, now, offlineAfterMs),
    cause: cause.cause,
    summary,
    sentences: [
      summary,
      ...found.slice(1).map((further) => `In addition, ${causeText(further, dateText)}.`),
      ...positions.flatMap((position) =>
        positionSentences(position, image !== undefined && isCovered(image), dateText),
      ),
      ...failedPageSentences(facts),
      ...(facts.requests.isCut ? ["More requests of the store are waiting; only the first of them were checked."] : []),
      ...withheld.map((one) => `Withheld: ${one.what}, for which the token lacks ${one.scopes.join(" and ")}.`),
    ],
    waits: found.map((one) => waitOf(one, dateText)),
    glass: glass.map(({ page, image, deliveredAt, isNewest, isUncertain, isUploaded, items }) => ({
      ...{ page, image, since: dateText(deliveredAt) },
      isWanted: isNewest && !isUncertain,
      isUploaded,
      items: items?.map(({ itemId, price = null, rev }) => ({ itemId, price, rev })) ?? null,
    })),
    onItsWay: onItsWay(state, now, dateText),
    fault: image?.fault ?? null,
    lastSeen: state?.lastSeen ? dateText(state.lastSeen) : null,
    withheld,
    records: [derivedRecord("eslimage.v1", "merger", image, image?.pages[0]?.image, facts, dateText)],
    positions: positions.map((position) => explainPosition(position, facts, dateText)),
  };
}

/** The transmission in progress; null if there is none. */
function onItsWay(state: ExplanationFacts["state"], now: Date, dateText: DateText): LabelExplanation["onItsWay"] {
  if (state?.sending === undefined) return null;
  const { sending, sendDue, tries } = state;
  return {
    page: sending.page,
    image: sending.image,
    transmission: sending.number,
    tries,
    since: dateText(notAfter(now, startOf(sending.number))),
    sentAgain: sendDue ? dateText(sendDue) : null,
  };
}

/** The sentence "The label shows X, since ...". */
function shownText(
  { state, positions }: ExplanationFacts,
  first: GlassPage | undefined,
  isBehind: boolean,
  dateText: DateText,
): string {
  if (state === undefined || first === undefined) return "It is unknown what the label shows";
  const { isNewest, isUncertain, isUploaded, items = [], deliveredAt } = first;
  const since = `, since ${dateText(deliveredAt)}`;
  if (!isBehind && isNewest && isUncertain)
    return `The label may show a picture other than the newest, which it acknowledged at ${dateText(deliveredAt)}`;
  const isEarlier = isBehind || pageToSend(state) !== undefined;
  const linked = positions.flatMap(({ link, item }) =>
    link?.status === "ACTIVE" && item && exists(item) ? [[item.itemId, item.itemName] as const] : [],
  );
  const names = new Map(linked);
  // An earlier picture may show another name.
  const shown = isEarlier
    ? items.filter(({ price }) => price !== undefined || isUploaded).map(itemText)
    : items
        .filter(({ itemId }) => names.has(itemId))
        .map((item) => itemText({ ...item, itemName: names.get(item.itemId) }));
  const what = shown.length === 0 ? "" : `${isUploaded ? "an uploaded image of " : ""}${shown.join(" and ")}`;
  if (isEarlier) return `The label shows an earlier picture${what && `, ${isUploaded ? "" : "of "}${what}`}${since}`;
  return `The label shows ${what || "its background"}${since}`;
}

type ItemText = { itemId: string; itemName?: string | undefined; price?: string | undefined };
const itemText = ({ itemId, itemName, price }: ItemText): string =>
  `${itemName === undefined ? "" : `"${itemName}", `}item "${itemId}"${price === undefined ? "" : ` at ${price}`}`;

function causeText({ reason, since, until }: CauseFound, dateText: DateText): string {
  const times = [since && `since ${dateText(since)}`, until && `next attempt ${dateText(until)}`].filter(Boolean);
  return times.length === 0 ? reason : `${reason} (${times.join(", ")})`;
}

const waitOf = ({ cause, reason, since, until }: CauseFound, dateText: DateText): Wait => ({
  cause,
  reason,
  since: since ? dateText(since) : null,
  until: until ? dateText(until) : null,
});

function positionSentences(position: PositionFacts, isHidden: boolean, dateText: DateText): string[] {
  const { displayPosition, link, item, rendered, eccImage, nextScheduled } = position;
  if (link === undefined || link.status === "DELETED") return [];
  const at = `Position ${displayPosition}`;
  const { chosenBy, designId, scenario } = designOf(position);
  const by = scenario === null ? `by ${article(chosenBy)}${chosenBy}` : `by the scenario "${scenario}"`;
  const drawn = rendered?.isEcc ? eccImage : rendered;
  return [
    `${at} is linked to ${item && exists(item) ? itemText(item) : `the item "${link.itemId}", which does not exist`}; the link is ${link.status}.`,
    designId === null
      ? `${at} has no design: ${noDesignReason(position)}.`
      : `${at} is drawn by ${designId}, which was chosen ${by}.`,
    ...(isHidden
      ? ["An uploaded image of the item replaces the drawn picture; the price that it shows is unknown."]
      : []),
    ...(drawn?.fault && !isHidden ? [`${at} shows its background: ${drawn.fault.detail}.`] : []),
    ...(drawn?.errors ?? []).map((error) => `${at} omits an element: ${error}.`),
    ...(drawn?.warnings ?? []).map((warning) => `${at} is drawn differently from its design: ${warning}.`),
    ...(nextScheduled ? [`An update of the item is scheduled for ${dateText(nextScheduled)}.`] : []),
  ];
}

/** Reports failed uploads of the item whose page images the label shows. */
function failedPageSentences({ positions, labelType }: ExplanationFacts): string[] {
  const pages = pagesShown(positions);
  if (pages === undefined || labelType === undefined) return [];
  const size = `${labelType.width} x ${labelType.height}`;
  return failedPages(pages, labelType).map(
    ({ page, reason }) => `The uploaded image of page ${page} could not be drawn in ${size}: ${reason}.`,
  );
}

const article = (noun: string): string => (/^[aeiouE]/.test(noun) ? "an " : "a ");

function campaignOf(item: Item): NonNullable<ExplainedPosition["item"]>["campaign"] {
  const offer = shownOffer(item);
  if (offer?.price === undefined) return null;
  return { campaignId: offer.campaign, regularPrice: regularOf(item).price ?? null };
}

function explainPosition(position: PositionFacts, facts: ExplanationFacts, dateText: DateText): ExplainedPosition {
  const { displayPosition, link, item, nextScheduled, trace, rendered, eccImage } = position;
  const drawn = rendered?.isEcc ? eccImage : rendered;
  const isLinked = link !== undefined && link.status !== "DELETED";
  return {
    displayPosition,
    link: link
      ? {
          status: link.status,
          itemId: link.itemId,
          linkedItemId: link.linkedItemId,
          origin: link.origin,
          rev: link.rev,
          changedAt: dateText(link.changedAt),
        }
      : null,
    item: item
      ? {
          itemId: item.itemId,
          itemName: item.itemName ?? null,
          price: item.price ?? null,
          isThere: exists(item),
          rev: item.rev,
          changedAt: dateText(item.changedAt),
          nextScheduled: nextScheduled ? dateText(nextScheduled) : null,
          campaign: campaignOf(item),
        }
      : null,
    design: isLinked ? designOf(position) : null,
    trace: trace ?? null,
    fault: drawn?.fault ?? null,
    errors: [...(drawn?.errors ?? [])],
    warnings: [...(drawn?.warnings ?? [])],
    ...(drawn?.notices && { notices: [...drawn.notices] }),
    records: isLinked ? recordsOf(position, facts, dateText) : [],
  };
}

/** The records from a link to its picture, in the order in which they are derived. */
function recordsOf(position: PositionFacts, facts: ExplanationFacts, dateText: DateText): DerivedRecord[] {
  const { link, studioLink, designerLink, eccLink, rendered, eccImage } = position;
  const made = (record: string, worker: StageName, derived: Stored<unknown> | undefined, image?: string) =>
    derivedRecord(record, worker, derived, image, facts, dateText);
  // An unchanged choice is not written, so the inputs of a choice do not show whether it is stale.
  const choice = { ...made("studiolink.v1", "evaluator", studioLink), moved: [] };
  return [
    ...(link?.origin === "studio" ? [choice] : []),
    made("designerlink.v1", "link", designerLink),
    ...(eccLink ? [made("ecclink.v1", "link", eccLink)] : []),
    made("renderedimage.v1", "renderer", rendered, rendered?.image),
    ...(eccImage ? [made("ecceslimage.v1", "renderer", eccImage, eccImage.image)] : []),
  ];
}

const derivedRecord = (
  record: string,
  worker: StageName,
  derived: Stored<unknown> | undefined,
  image: string | undefined,
  present: ExplanationFacts,
  dateText: DateText,
): DerivedRecord => ({
  record,
  worker,
  rev: derived?.rev ?? null,
  changedAt: derived ? dateText(derived.changedAt) : null,
  image: image ?? null,
  inputs: [...(derived?.inputs ?? [])],
  moved: movedInputs(derived?.inputs ?? [], present),
});
