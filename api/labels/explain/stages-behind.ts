import { partsOfInput, partsOfValueInput } from "../../../records/kind.ts";
import { areSamePages } from "../../../schemas/image.ts";
import { itemWithPages } from "../../../schemas/page-image.ts";
import type { Input, Stored } from "../../../schemas/record.ts";
import type { ExplanationFacts, PositionFacts, StageName } from "./explanation-facts.ts";

/** A worker that still has to process a change that affects a label. */
export interface StageBehind {
  stage: StageName;
  /** The record that it has to make or remake. */
  record: string;
  /** The time of the first change that it has not processed. */
  since: Date;
  /** The inputs that changed. */
  moved: readonly Input[];
}

type Present = Pick<ExplanationFacts, "revs" | "digests">;

/** Returns the inputs of a derived record that now have a different rev or different values. */
export const movedInputs = (inputs: readonly Input[], { revs, digests }: Present): Input[] =>
  inputs.filter((input) => {
    const parts = partsOfInput(input);
    if (parts !== undefined) return (revs.get(`${parts.kind} ${parts.key}`) ?? 0) !== parts.rev;
    const values = partsOfValueInput(input);
    return values !== undefined && digests.get(`${values.kind} ${values.key}`) !== values.digest;
  });

/** Returns the workers that still have to process a change that affects the label, in the order in which changes pass them. */
export function stagesBehind(facts: ExplanationFacts): StageBehind[] {
  return [
    ...facts.positions.flatMap((position) => behindAt(position, facts)),
    ...mergerBehind(facts),
    ...behindGlass(facts),
  ];
}

function behindAt(position: PositionFacts, facts: ExplanationFacts): StageBehind[] {
  const { link, item, isUndecided, studioLink, designerLink, eccLink, rendered, eccImage } = position;
  if (link === undefined) return [];
  const isActive = link.status === "ACTIVE";
  const since = new Date(Math.max(link.rev, item?.rev ?? 0));
  const behind: StageBehind[] = [];
  if (isUndecided) behind.push({ stage: "evaluator", record: "studiolink.v1", since, moved: [] });
  const isDecided = link.origin !== "studio" || studioLink !== undefined || !isActive;
  if (isDecided) behind.push(...madeFrom("link", "designerlink.v1", designerLink, link.changedAt, facts));
  if (link.origin === "ecc") behind.push(...madeFrom("link", "ecclink.v1", eccLink, link.changedAt, facts));
  if (designerLink) behind.push(...madeFrom("renderer", "renderedimage.v1", rendered, designerLink.changedAt, facts));
  if (eccLink && rendered?.isEcc)
    behind.push(...madeFrom("renderer", "ecceslimage.v1", eccImage, eccLink.changedAt, facts));
  return behind;
}

/** A derived record that is missing or has a changed input. */
function madeFrom(
  stage: StageName,
  record: string,
  derived: Stored<unknown> | undefined,
  sourceChangedAt: Date,
  present: ExplanationFacts,
): StageBehind[] {
  if (derived === undefined) return [{ stage, record, since: sourceChangedAt, moved: [] }];
  const moved = movedInputs(derived.inputs ?? [], present);
  return moved.length === 0 ? [] : [{ stage, record, since: firstMove(moved, derived.changedAt, present.revs), moved }];
}

/** A rev is the time of a write, so the smallest new rev shows when the record became stale. */
function firstMove(moved: readonly Input[], otherwise: Date, revs: ExplanationFacts["revs"]): Date {
  const times = moved.flatMap((input) => {
    const { kind = "", key = "" } = partsOfInput(input) ?? partsOfValueInput(input) ?? {};
    return revs.get(`${kind} ${key}`) ?? [];
  });
  return times.length === 0 ? otherwise : new Date(Math.min(...times));
}

function mergerBehind(facts: ExplanationFacts): StageBehind[] {
  const { image, positions } = facts;
  const drawn = positions.flatMap(({ rendered }) => rendered ?? []);
  const [first] = drawn;
  if (first === undefined) return [];
  const behind = madeFrom("merger", "eslimage.v1", image, first.changedAt, facts);
  if (behind.length > 0) return behind;
  // Page images that arrived after the picture are not yet among its inputs.
  const pages = pagesShown(positions);
  const isNew = pages !== undefined && !image?.inputs?.some((input) => partsOfInput(input)?.key === pages._id);
  return isNew && positions.some(({ link, rendered }) => link?.status === "ACTIVE" && rendered?.empty === false)
    ? [{ stage: "merger", record: "eslimage.v1", since: new Date(pages.rev), moved: [] }]
    : [];
}

/** If all active links of a label show the same item, returns that item's page images. */
export function pagesShown(positions: readonly PositionFacts[]): PositionFacts["pages"] {
  const active = positions.filter(({ link }) => link?.status === "ACTIVE");
  const withPages = itemWithPages(active.flatMap(({ link }) => link?.itemId ?? []));
  return active.find(({ link }) => link?.itemId === withPages)?.pages;
}

/** The transmitter has not yet taken over what the label should show. */
function behindGlass({ image, state }: ExplanationFacts): StageBehind[] {
  if (image === undefined) return [];
  const isTaken = areSamePages(image.pages, state?.wanted ?? []) && (image.fault?.detail ?? undefined) === state?.fault;
  return isTaken ? [] : [{ stage: "transmitter", record: "labelstate", since: image.changedAt, moved: [] }];
}
