import type { ExplanationFacts, PositionFacts } from "../../../../api/labels/explain/explanation-facts.ts";
import { inputOf } from "../../../../records/kind.ts";
import { items } from "../../../../records/kinds/items.ts";
import { designerLinks, links, studioLinks } from "../../../../records/kinds/links.ts";
import { renderedImages } from "../../../../records/kinds/pictures.ts";
import type { DesignerLink } from "../../../../schemas/design.ts";
import { newLabelState } from "../../../../schemas/label-state.ts";
import type { Link } from "../../../../schemas/link.ts";
import type { Stored } from "../../../../schemas/record.ts";

const STORE = "t/demo/s/main";
export const KEY = `${STORE}/links/A-0`;
export const ITEM = `${STORE}/items/apple`;

/** A time of day: the n-th minute after ten. */
export const at = (minute: number): Date => new Date(Date.UTC(2026, 2, 2, 10, minute));
/** The rev of a record that was written at that minute. */
export const revAt = (minute: number): number => at(minute).getTime();

export const stored = <Body extends object>(
  key: string,
  minute: number,
  body: Body,
  inputs?: string[],
): Stored<Body> => ({
  ...body,
  _id: key,
  store: STORE,
  rev: revAt(minute),
  writeId: "w",
  changedAt: at(minute),
  ...(inputs && { inputs }),
});

const idle = { waiting: 0, active: 0, processes: 1 };
const page = { page: 0, image: "a".repeat(64) };

/** The facts of a label that shows its item's newest picture: everything happened in the minutes after ten. */
export function factsOfALabel(): ExplanationFacts & { positions: [PositionFacts] } {
  const shows = { link: KEY, linkRev: revAt(1), item: ITEM, itemRev: revAt(0) };
  return {
    label: stored(`${STORE}/labels/A`, 0, { barcode: "A", type: 1328, modelName: "Medium", stamps: {} }),
    state: stored(`${STORE}/labels/A`, 4, {
      ...newLabelState(),
      wanted: [page],
      shown: [{ ...page, deliveredAt: at(5), through: revAt(4) }],
      lastSeen: at(5),
    }),
    labelType: undefined,
    image: stored(`${STORE}/labels/A`, 3, { pages: [page], shows: [shows] }, [inputOf(renderedImages, KEY, revAt(3))]),
    positions: [
      {
        key: KEY,
        displayPosition: 0,
        link: stored<Link>(KEY, 1, {
          eslId: "A",
          displayPosition: 0,
          itemId: "apple",
          linkedItemId: "apple",
          status: "ACTIVE",
          origin: "studio",
          linkedAt: at(1),
          stamp: 1,
        }),
        item: stored(ITEM, 0, {
          itemId: "apple",
          itemName: "Apple",
          price: "1.99",
          sics: [],
          properties: [],
          stamps: {},
          created: 1,
        }),
        nextScheduled: undefined,
        storeLink: undefined,
        isUndecided: false,
        studioLink: stored(KEY, 2, { design_id: "t/demo/designs/tag", scenarioId: "regular", conditions: ["true"] }),
        designerLink: stored<DesignerLink>(
          KEY,
          2,
          { linkRev: revAt(1), status: "ACTIVE", itemId: "apple", design_id: "t/demo/designs/tag" },
          [inputOf(links, KEY, revAt(1)), inputOf(studioLinks, KEY, revAt(2))],
        ),
        eccLink: undefined,
        design: undefined,
        canvasRev: undefined,
        rendered: stored(KEY, 3, { shows, image: page.image, width: 296, height: 128, empty: false, warnings: [] }, [
          inputOf(designerLinks, KEY, revAt(2)),
          inputOf(items, ITEM, revAt(0)),
          "drawing 1 abc",
        ]),
        eccImage: undefined,
        pages: undefined,
        trace: undefined,
      },
    ],
    revs: new Map([
      [`link.v2 ${KEY}`, revAt(1)],
      [`studiolink.v1 ${KEY}`, revAt(2)],
      [`designerlink.v1 ${KEY}`, revAt(2)],
      [`storeitemvalues.v1 ${ITEM}`, revAt(0)],
      [`renderedimage.v1 ${KEY}`, revAt(3)],
    ]),
    digests: new Map(),
    failures: [],
    requests: { naming: [], isCut: false },
    unpublishedSince: undefined,
    walks: [],
    queues: { item: idle, pages: idle, evaluator: idle, link: idle, renderer: idle, merger: idle, transmitter: idle },
    redisFullTo: undefined,
    labelServerId: undefined,
    gatewayOfflineSince: undefined,
    labelServerAwaySince: undefined,
    labelServerDeniedSince: undefined,
    offlineAfterMs: 86_400_000,
  };
}
