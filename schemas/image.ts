import { type Static, Type } from "typebox";
import { DrawingNotice, noticeText } from "./drawing-notice.ts";

/** Why a picture, or one of its positions, could not be drawn. Only the background is then shown there, never a stale price. */
export const DrawingFault = Type.Object({
  reason: Type.Enum(["NO_COMPATIBLE_DESIGN", "DRAWING_FAILED", "POSITIONS_OVERLAP"]),
  detail: Type.String({ description: "Description of the fault" }),
  /** The fault by its code; absent from pictures of earlier releases, and for an unexpected error. */
  notice: Type.Optional(DrawingNotice),
});
export type DrawingFault = Static<typeof DrawingFault>;

/** Makes a fault with its notice and the notice's sentence. */
export const faultOf = (reason: DrawingFault["reason"], notice: DrawingNotice): DrawingFault => ({
  reason,
  detail: noticeText(notice),
  notice,
});

/** What drew a link: the rule that chose its design, and the design's versions. Each part is absent if it is unknown. */
export const DrawnBy = Type.Object({
  /** Id and rev of the communication pack, and the id of its scenario; absent unless a rule chose the design. */
  pack: Type.Optional(Type.String()),
  packRev: Type.Optional(Type.Integer()),
  scenario: Type.Optional(Type.String()),
  /** Numbers of the design's version and of its canvas's version. */
  version: Type.Optional(Type.Integer()),
  canvasVersion: Type.Optional(Type.Integer()),
});
export type DrawnBy = Static<typeof DrawnBy>;

/** A link and an item that a picture shows, with their revs, which determine the price on the glass. */
const Shown = Type.Object({
  link: Type.String(),
  linkRev: Type.Integer(),
  item: Type.String(),
  itemRev: Type.Integer(),
  /** Rev of the item's page images; absent if it has none or the label shows none. */
  pagesRev: Type.Optional(Type.Integer()),
  /** The item's price when the picture was drawn; absent if the item had none. */
  price: Type.Optional(Type.String()),
  /** Set if the label's picture does not show this link, because the link could not be drawn or would cover another position. */
  leftOut: Type.Optional(Type.Literal(true)),
  /**
   * Full key of the design that drew it, and the larger of the revs of the design and its canvas; absent for other pictures.
   */
  design: Type.Optional(Type.String()),
  designRev: Type.Optional(Type.Integer()),
  /** The largest rev of its other inputs: the rules that chose the design, the label type and the store. */
  otherRev: Type.Optional(Type.Integer()),
  /** Absent from pictures of earlier releases. */
  drawnBy: Type.Optional(DrawnBy),
});
export type Shown = Static<typeof Shown>;

const SegmentText = Type.Optional(Type.String());

/** The picture of one link, drawn by the studio renderer or by an ECC model. */
const linkPicture = {
  shows: Shown,
  /** SHA-256 of the pixels; also the name of the image file. */
  image: Type.String(),
  width: Type.Integer(),
  height: Type.Integer(),
  /** The text on a segment label; the picture is an image of that text. */
  text: SegmentText,
  /** True if the link is not ACTIVE: nothing is drawn at its position. */
  empty: Type.Boolean(),
  fault: Type.Optional(DrawingFault),
  /** Elements that were left out because of an invalid value, such as a code with a wrong check digit. */
  errors: Type.Optional(Type.Array(Type.String())),
  warnings: Type.Array(Type.String()),
  /** The errors and then the warnings by their codes; absent if there are none, and from a picture of an earlier release. */
  notices: Type.Optional(Type.Array(DrawingNotice)),
};

/** ecceslimage.v1: the picture of one ECC link, as drawn by its model. */
export const EccEslImage = Type.Object(linkPicture);
export type EccEslImage = Static<typeof EccEslImage>;

/** renderedimage.v1: the picture of one link, as drawn by the studio renderer. */
export const RenderedImage = Type.Object({
  ...linkPicture,
  /** An ECC model draws this link: its picture is the ecceslimage.v1 of the same link rev, and this record is empty. */
  isEcc: Type.Optional(Type.Literal(true)),
  /** The rules chose its design. */
  isChosen: Type.Optional(Type.Literal(true)),
});
export type RenderedImage = Static<typeof RenderedImage>;

/** The picture of a page: the SHA-256 of its pixels; for a segment label, also the text that is sent instead. */
export const PageImage = Type.Object({
  page: Type.Integer(),
  image: Type.String(),
  text: SegmentText,
  /** Set for an uploaded image of the item, which may show any price. Absent from records of earlier releases. */
  uploaded: Type.Optional(Type.Literal(true)),
});
export type PageImage = Static<typeof PageImage>;

/** Whether a page is an uploaded image: only page 0 is ever drawn. */
export const isUploaded = ({ page, uploaded }: Pick<PageImage, "page" | "uploaded">): boolean =>
  uploaded === true || page > 0;

/** Whether two lists contain the same pictures on the same pages. */
export const areSamePages = (a: readonly PageImage[], b: readonly PageImage[]): boolean =>
  a.length === b.length && a.every(({ page, image }, index) => page === b[index]?.page && image === b[index]?.image);

/** eslimage.v1: the pages that a label should show, and the links and items in them. */
export const EslImage = Type.Object({
  pages: Type.Array(PageImage),
  shows: Type.Array(Shown),
  /** Links whose design is chosen by the rules: the picture is held back until the rules have been evaluated again. */
  chosen: Type.Optional(Type.Array(Type.String())),
  fault: Type.Optional(DrawingFault),
});
export type EslImage = Static<typeof EslImage>;
