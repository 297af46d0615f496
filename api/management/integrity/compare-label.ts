import { isShown } from "../../../domain/labels/pages-to-send.ts";
import { areSamePages, type EslImage } from "../../../schemas/image.ts";
import type { LabelState } from "../../../schemas/label-state.ts";
import type { Link } from "../../../schemas/link.ts";
import { itemWithPages } from "../../../schemas/page-image.ts";

export const comparedOfState = ["wanted", "shown", "sendDue", "lastSeen", "checksIn"] as const;
export const comparedOfLink = ["status", "itemId", "switchedOff"] as const;

/** The compared fields of a label. */
export interface ComparedLabel {
  image: Pick<EslImage, "pages" | "shows" | "fault"> | undefined;
  state: Pick<LabelState, (typeof comparedOfState)[number]> | undefined;
  links: readonly ({ _id: string; rev: number } & Pick<Link, (typeof comparedOfLink)[number]>)[];
}

/** The current revs of the inputs of pictures. */
export interface PresentRevs {
  items: ReadonlyMap<string, number | undefined>;
  /** The revs of page images, by item. */
  pages: ReadonlyMap<string, number | undefined>;
  /** For each design, the larger of its own rev and its canvas's. */
  designs: ReadonlyMap<string, number>;
}

/**
 * Whether a label may show a picture that was not made from its newest items, links and designs. True for every label
 * that does show one, and for some that do not; the caller examines all of these labels more closely.
 */
export function mayBeBehind({ image, state, links }: ComparedLabel, { items, pages, designs }: PresentRevs): boolean {
  const wanted = state?.wanted ?? [];
  if (state?.sendDue !== undefined || !areSamePages(image?.pages ?? [], wanted)) return true;
  if (state && wanted.some((page) => !isShown(state, page))) return true;
  if (image?.fault !== undefined) return true;
  const shows = image?.shows ?? [];
  const withPages = itemWithPages(shows.map(({ item }) => item)) ?? "";
  const active = links.filter(({ status }) => status === "ACTIVE");
  return (
    active.length !== shows.length ||
    shows.some(
      ({ link, linkRev, item, itemRev, pagesRev, design, designRev }) =>
        active.find(({ _id }) => _id === link)?.rev !== linkRev ||
        (items.get(item) ?? 0) !== itemRev ||
        pages.get(withPages) !== pagesRev ||
        (design !== undefined && designs.get(design) !== designRev),
    )
  );
}
