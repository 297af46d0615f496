import { type DrawingNotice, noticeText } from "../../schemas/drawing-notice.ts";

/** Thrown if a value cannot be encoded or the code does not fit. */
export class CodeError extends Error {
  override readonly name = "CodeError";
  readonly notice: DrawingNotice;

  constructor(notice: DrawingNotice) {
    super(noticeText(notice));
    this.notice = notice;
  }
}
