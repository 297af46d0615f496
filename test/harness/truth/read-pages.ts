import { type ShownState, states } from "../../../api/pages/browser/state-of-cause.ts";
import { en } from "../../../api/pages/messages/en.ts";

/** A store's card on the overview, with the counts of its tiles and causes. */
export interface StatedCard {
  /** The state in the headline, and how many labels it names; undefined if it names no number. */
  headline: ShownState;
  named: number | undefined;
  /** The count next to the store's name. */
  labels: number;
  /** The counts on the tiles of states; an absent tile counts as 0. */
  counted: Readonly<Record<ShownState, number>>;
  /** How many labels the comparison calls right, and how many it compared. */
  compared: readonly [right: number, all: number] | undefined;
  /** How many labels the causes count, and how many of them the card links to. */
  behind: number;
  linked: number;
}

/** The statements of a label's page. */
export interface StatedPage {
  plState: string;
  cause: string;
  /** The addresses of the pictures that the page shows as on the shelf and as on their way. */
  shown: string | undefined;
  next: string | undefined;
  /** The key of the page's sentence about the glass; undefined if the page has none of these sentences. */
  says: Saying | undefined;
}

const sayings = ["showsNothing", "showsNewest", "showsEarlier", "uncertain"] as const;
type Saying = (typeof sayings)[number];

/** Returns the cards of the English overview with the comparison, by store. */
export const cardsOf = (page: string): Map<string, StatedCard> =>
  new Map(
    page
      .split(`<section class="card store-card" id="store-`)
      .slice(1)
      .map((card) => [card.slice(0, card.indexOf(`"`)), cardOf(card)]),
  );

function cardOf(card: string): StatedCard {
  const [, headline = "", sentence = ""] =
    /class="verdict" data-state="([A-Z]+)" role="status"><svg.*?<\/svg><span>([^<]*)/.exec(card) ?? [];
  const counts = new Map(
    Array.from(
      card.matchAll(/class="tile" data-state="([A-Z]+)" href="([^"]*)"><span class="figure">([\d,]+)/g),
      ([, state = "", address = "", figure]): [string, number] =>
        // Labels with a low battery or a warning also have a state.
        [/battery=|WARNED/.test(address) ? address : state, numberIn(figure)],
    ),
  );
  const [, checked = ""] = /class="checked">([^<]*)/.exec(card) ?? [];
  const [right, all] = checked.match(/\d[\d,]*/g) ?? [];
  const causes = card.matchAll(/<li><p><strong>([\d,]+) .*?<p class="barcodes">(.*?)<\/p>/g);
  const found = Array.from(causes, ([, count, barcodes = ""]) => ({
    count: numberIn(count),
    linked:
      [...barcodes.matchAll(/<a href="[^"]*\/labels\//g)].length +
      numberIn(/verdict=[^"]*">([^<]*)/.exec(barcodes)?.[1]),
  }));
  return {
    headline: headline as ShownState,
    named: /\d/.test(sentence) ? numberIn(sentence) : undefined,
    labels: numberIn(/class="count"[^>]*>(?:<a [^>]*>)?([\d,]+)/.exec(card)?.[1]),
    counted: Object.fromEntries(states.map((state) => [state, counts.get(state) ?? 0])) as Record<ShownState, number>,
    compared: right && all ? [numberIn(right), numberIn(all)] : undefined,
    behind: found.reduce((sum, { count }) => sum + count, 0),
    linked: found.reduce((sum, { linked }) => sum + linked, 0),
  };
}

/** Returns the first number in a string, with or without separators between groups of digits; 0 if there is none. */
const numberIn = (text = ""): number => Number(/\d[\d,]*/.exec(text)?.[0].replaceAll(",", "") ?? 0);

/** Reads the statements of a label's English page. */
export function pageOf(page: string): StatedPage {
  const [now = "", coming = ""] = page.split(`<figure class="coming">`);
  const [, cause = "", sentence = ""] = /class="sentence" data-cause="([A-Z_]+)">([^<]*)/.exec(page) ?? [];
  return {
    plState: /id="state" data-live data-state="([A-Z]+)"/.exec(page)?.[1] ?? "",
    cause,
    shown: pictureIn(now),
    next: pictureIn(coming),
    says: sayings.find((key) => sentence.startsWith(en[`label.${key}`].split("{")[0] ?? "")),
  };
}

const pictureIn = (part: string): string | undefined =>
  /<img class="pixels[^>]* src="([^"]*)"/.exec(part.split(`class="sentence"`)[0] ?? "")?.[1]?.replaceAll("&amp;", "&");
