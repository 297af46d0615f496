import type { PageSource } from "../../../../schemas/page-image.ts";

/** An upload of 600 x 400 pixels from which every size of its page is drawn. */
export const source = (stamp: number, fields: Partial<PageSource> = {}): PageSource => ({
  page: 0,
  upload: `upload ${stamp}`,
  resize: 1,
  width: 600,
  height: 400,
  stamp,
  ...fields,
});
