import { begunAt, type KnownPicture } from "../../domain/labels/proof/known-pictures.ts";
import type { ShownAt } from "../../domain/labels/proof/shown-at.ts";
import type { GlassPicture, ItemOnGlass } from "../../schemas/glass.ts";
import { idOf, storeIds } from "../../schemas/keys.ts";
import type { LabelShown, Proof } from "../../schemas/proof.ts";
import { WITHHELD } from "../labels/explain/readable-facts.ts";
import type { PageOfLabel } from "./read-shown.ts";

type Scopes = Pick<ReadonlySet<string>, "has">;

/** The scopes for facts that `labels:read` alone does not show, as everywhere else. */
const furtherScopes = ["items:read", "design:read"] as const;

const CLOCKS =
  "begunAt and earliest are times of the process that sent the picture, deliveredAt of the label server, " +
  "receivedAt and latest of the database; since and until are the label server's times, limited to the range from earliest to latest";

/** The facts of a proof about a page: its contents, and when and from what it was made. */
export interface ProofFacts {
  shown: PageOfLabel & ShownAt;
  at: Date;
  timeZone: string;
  localTime: string;
  png: Uint8Array | undefined;
  keptSince: Date;
  madeAt: Date;
}

/** Returns what a page of a label showed, for a caller with these scopes. */
export function labelShown(
  { label, page, certainty, shown, first, until, others, gaps }: PageOfLabel & ShownAt,
  at: Date,
  scopes: Scopes,
): LabelShown {
  return {
    barcode: idOf(label),
    page,
    at: at.toISOString(),
    certainty,
    shown: shown
      ? { ...pictureAnswer(shown, scopes), since: (first ?? shown).since.toISOString(), until: instant(until) }
      : null,
    others: others?.map((one) => pictureAnswer(one, scopes)) ?? null,
    gaps: gaps.map(({ from, until, reason }) => ({ from: instant(from), until: instant(until), reason })),
  };
}

/** Returns the content of a proof, for a caller with these scopes. */
export function makeProof(facts: ProofFacts, scopes: Scopes): Proof {
  const { shown, at, timeZone, localTime, png, keptSince, madeAt } = facts;
  const begin = shown.first ?? shown.shown;
  return {
    version: 1,
    ...storeIds(shown.label),
    timeZone,
    localTime,
    ...labelShown(shown, at, scopes),
    acknowledgement: shown.shown ? acknowledgementOf(shown.shown) : null,
    clock: { source: CLOCKS, earliest: instant(begin?.earliest), latest: instant(begin?.latest) },
    png: png ? Buffer.from(png).toString("base64") : null,
    keptSince: keptSince.toISOString(),
    madeAt: madeAt.toISOString(),
    withheld: furtherScopes.filter((scope) => !scopes.has(scope)),
  };
}

const instant = (date: Date | undefined): string | null => date?.toISOString() ?? null;

const acknowledgementOf = ({ server, transmission, deliveredAt, latest }: KnownPicture): Proof["acknowledgement"] => ({
  labelServer: server ?? null,
  transmission,
  begunAt: instant(begunAt(transmission, latest)),
  deliveredAt: deliveredAt.toISOString(),
  receivedAt: instant(latest),
});

function pictureAnswer({ image, items, uploaded, fault }: GlassPicture, scopes: Scopes) {
  const mayReadTexts = furtherScopes.every((scope) => scopes.has(scope));
  return {
    image,
    items: fault === undefined ? items.map((item) => itemAnswer(item, scopes)) : [],
    uploaded: uploaded === true,
    fault: fault === undefined ? null : mayReadTexts ? fault : WITHHELD,
  };
}

function itemAnswer({ itemId, price, rev, design, drawnBy = {} }: ItemOnGlass, scopes: Scopes) {
  const { pack, packRev, scenario, version = null, canvasVersion = null } = drawnBy;
  const isRuleKnown = pack !== undefined && packRev !== undefined && scenario !== undefined;
  return {
    itemId,
    price: scopes.has("items:read") ? (price ?? null) : null,
    rev,
    rule: isRuleKnown && scopes.has("design:read") ? { packId: pack, packRev, scenarioId: scenario } : null,
    design: design === undefined ? null : { designId: design, version, canvasVersion },
  };
}
