import { type DrawingNotice, noticeText } from "../../schemas/drawing-notice.ts";

/** Thrown if an element must not be drawn, because the label would show something wrong. */
export class DrawingError extends Error {
  override readonly name = "DrawingError";
  readonly notice: DrawingNotice;

  constructor(notice: DrawingNotice) {
    super(noticeText(notice));
    this.notice = notice;
  }
}
