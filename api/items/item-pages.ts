import { Type } from "typebox";
import { ItemId } from "../../schemas/item.ts";
import { type PageRow, Resize } from "../../schemas/page-image.ts";
import { Receipt } from "../../schemas/request.ts";
import { refuseFile } from "../body/refuse-file.ts";
import { ProblemError } from "../http/problem-error.ts";
import { route } from "../http/route.ts";
import { checkInThread } from "../images/checked-in-thread.ts";
import type { AcceptRows } from "../requests/accept-rows.ts";

export interface ItemPagesWorld {
  acceptRows: AcceptRows;
  /** Reserves room for an upload with this many pixels while it is being accepted. Throws a problem if too much is waiting. */
  withinUploadBounds<Answer>(store: string, pixels: number, accept: () => Promise<Answer>): Promise<Answer>;
  /** Stores an uploaded file; returns its name, which is the hash of its bytes. */
  storeUpload(store: string, file: Uint8Array): Promise<string>;
  /** Reads the largest number of pages among the label types of a store's tenant. */
  readMostPages(store: string): Promise<number>;
}

const IMAGE_FIELD = "imageFile";
const PagePath = Type.Object({
  itemId: ItemId,
  pageIndex: Type.String({
    pattern: "^(\\d|[1-9]\\d|1[01]\\d|12[0-7])$",
    errorMessage: "must be a page from 0 to 127",
    examples: ["0"],
    description: "Page index, 0 to 127",
  }),
});

/** Images that replace the drawn picture of a page on an item's labels (docs/integrators/items.md#images-of-pages). */
export const itemPages = ({ acceptRows, withinUploadBounds, storeUpload, readMostPages }: ItemPagesWorld) => [
  route({
    method: "POST",
    path: "/items/:itemId/page/:pageIndex",
    operationId: "setPageImage",
    summary: "Replace the image of an item's page, on all labels that show it",
    scope: "items:write",
    params: PagePath,
    query: Type.Object({ resize: Type.Optional(Resize) }),
    upload: IMAGE_FIELD,
    answers: { 202: Receipt },
    problems: ["too-much-waiting"],
    handle: async ({ store, params: { itemId, pageIndex }, query: { resize = 0 }, upload }) => {
      const pages = await readMostPages(store);
      if (Number(pageIndex) >= pages) {
        const detail = `is a page that no label type has: the pages are 0 to ${pages - 1}`;
        throw new ProblemError("invalid-request", "No label has this page.", {
          errors: [{ pointer: "/path/pageIndex", detail }],
        });
      }
      const { width, height } = await checkInThread("page", upload).catch(refuseFile("image", IMAGE_FIELD));
      const pixels = width * height;
      const requestId = await withinUploadBounds(store, pixels, async () => {
        // Stored before the request is journaled, because the journaled row names the file.
        const name = await storeUpload(store, upload);
        const row: PageRow = { itemId, page: Number(pageIndex), resize, upload: name, pixels };
        return acceptRows({ store, operation: "set-pages", rows: [row], ordered: true, pixels });
      });
      return { status: 202, body: { requestId } };
    },
  }),

  route({
    method: "DELETE",
    path: "/items/:itemId/page/:pageIndex",
    operationId: "deletePageImage",
    summary: "Remove the images of an item's page, so that the drawn picture is shown again",
    scope: "items:write",
    params: PagePath,
    answers: { 202: Receipt },
    handle: async ({ store, params: { itemId, pageIndex } }) => {
      const rows = [{ itemId, page: Number(pageIndex) }];
      return {
        status: 202,
        body: { requestId: await acceptRows({ store, operation: "remove-pages", rows, ordered: true }) },
      };
    },
  }),
];
