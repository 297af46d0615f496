import { type DrawingNotice, noticeText } from "../../schemas/drawing-notice.ts";

/** Thrown by a function that cannot give a value for what it was called with. */
export class ValueError extends RangeError {
  readonly notice: DrawingNotice;

  constructor(notice: DrawingNotice) {
    super(noticeText(notice));
    this.notice = notice;
  }
}
