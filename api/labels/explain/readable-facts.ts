import type { DrawingNotice } from "../../../schemas/drawing-notice.ts";
import type { LabelExplanation } from "../../../schemas/explanation.ts";
import type { DrawingFault, Shown } from "../../../schemas/image.ts";
import type { LabelState } from "../../../schemas/label-state.ts";
import type { Scope } from "../../../schemas/token.ts";
import type { ExplanationFacts, PositionFacts } from "./explanation-facts.ts";

export type Withheld = LabelExplanation["withheld"][number];

/** The parts of an explanation beyond the label, with the scopes that they require, as everywhere else. */
const parts = [
  { scopes: ["items:read"], what: "names, prices and scheduled updates of items" },
  { scopes: ["design:read"], what: "the scenario that chose the design" },
  // These messages quote values of the item, expressions of the design or the pack, or both.
  { scopes: ["items:read", "design:read"], what: "how the rules were evaluated, and what drawing reported" },
] as const satisfies readonly { scopes: readonly Scope[]; what: string }[];

export type Scopes = Pick<ReadonlySet<string>, "has">;

/** Whether a caller may see how the rules were evaluated for an item. */
export const maySeeTrace = (scopes: Scopes): boolean => mayRead(scopes, ["items:read", "design:read"]);

const mayRead = (scopes: Scopes, needed: readonly Scope[]): boolean => needed.every((scope) => scopes.has(scope));

/** Returns the parts that are withheld from a token with these scopes. */
export const withheldFrom = (scopes: Scopes): Withheld[] =>
  parts
    .filter((part) => !mayRead(scopes, part.scopes))
    .map((part) => ({ what: part.what, scopes: part.scopes.filter((scope) => !scopes.has(scope)) }));

/** Removes the facts that a token with these scopes may not read. */
export function readableFacts(facts: ExplanationFacts, scopes: Scopes): ExplanationFacts {
  const { image, state, positions } = facts;
  const mayReadTexts = maySeeTrace(scopes);
  return {
    ...facts,
    image:
      image &&
      withoutTexts(scopes.has("items:read") ? image : { ...image, shows: image.shows.map(withoutPrice) }, scopes),
    state: state && {
      ...state,
      sent: scopes.has("items:read") ? state.sent : state.sent.map(withoutPrices),
      ...(state.fault !== undefined && !mayReadTexts && { fault: withheldFault(state.fault, image?.fault?.detail) }),
    },
    positions: positions.map((position) => readablePosition(position, scopes)),
  };
}

/** Preserves whether the two faults are equal, because this decides whether the label shows the picture's fault. */
const withheldFault = (fault: string, ofImage: string | undefined): string =>
  fault === ofImage ? WITHHELD : `another: ${WITHHELD}`;

/** Replaces details that the token may not read. */
export const WITHHELD = "details are withheld";

const withoutPrices = ({ content, ...one }: LabelState["sent"][number]): LabelState["sent"][number] => ({
  ...one,
  ...(content && { content: { ...content, items: content.items.map(({ price: _, ...item }) => item) } }),
});

const withoutPrice = ({ price: _, ...shown }: Shown): Shown => shown;

function readablePosition(position: PositionFacts, scopes: Scopes): PositionFacts {
  const { item, studioLink, rendered, eccImage, nextScheduled, trace } = position;
  const { itemName: _, price: __, offers: ___, ...named } = item ?? {};
  const mayReadItems = scopes.has("items:read");
  return {
    ...position,
    item: item && !mayReadItems ? (named as typeof item) : item,
    nextScheduled: mayReadItems ? nextScheduled : undefined,
    studioLink:
      studioLink && !scopes.has("design:read") ? { ...studioLink, scenarioId: "", conditions: [] } : studioLink,
    rendered: rendered && withoutTexts(rendered, scopes),
    eccImage: eccImage && withoutTexts(eccImage, scopes),
    trace: maySeeTrace(scopes) ? trace : undefined,
  };
}

interface Reported {
  fault?: DrawingFault;
  errors?: string[];
  warnings?: string[];
  notices?: DrawingNotice[];
}

/** Removes the messages that drawing reported from a picture, but keeps the existence and kind of its fault. */
function withoutTexts<Picture extends Reported>(picture: Picture, scopes: Scopes): Picture {
  if (maySeeTrace(scopes)) return picture;
  const { fault, errors: _, warnings: __, notices: ___, ...rest } = picture;
  const kept = { ...rest, warnings: [], ...(fault && { fault: { reason: fault.reason, detail: WITHHELD } }) };
  return kept as unknown as Picture;
}
