import { type DrawingNotice, noticeText } from "../../schemas/drawing-notice.ts";

/** Thrown by a function that has no value for its arguments. */
export class ValueError extends RangeError {
  readonly notice: DrawingNotice;

  constructor(notice: DrawingNotice) {
    super(noticeText(notice));
    this.notice = notice;
  }
}
