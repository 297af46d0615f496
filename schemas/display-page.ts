import { type Static, Type } from "typebox";
import { clearless } from "./text.ts";

/** The label server's own page about a label; every label has it. */
export const INFO_PAGE = "info";
export const MAX_PAGE_SECONDS = 1800;
const pageActions = ["set-temporary", "restore-page"] as const;

/** Body of a call to a label server: the label shows a page for a while, or its usual page again. */
export const DisplayedPage = Type.Object({
  action: Type.Enum(pageActions),
  page: Type.Optional(Type.String()),
  duration: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PAGE_SECONDS })),
});
export type DisplayedPage = Static<typeof DisplayedPage>;

/** Body of POST /labels/{barcode}/display-page. */
export const DisplayPage = Type.Object(
  {
    duration: clearless(
      Type.Integer({
        default: 30,
        description: `Seconds, 1 to ${MAX_PAGE_SECONDS}; ignored if action is restore-page`,
      }),
    ),
    page: clearless(
      Type.String({
        maxLength: 16,
        default: INFO_PAGE,
        description:
          "Page number, from `0` to the last page of the label type, or `info` for the label server's page about the label",
      }),
    ),
    action: Type.Optional(
      Type.Unsafe<(typeof pageActions)[number] | null>({ enum: [...pageActions, null], default: "set-temporary" }),
    ),
  },
  { title: "DisplayPage" },
);
export type DisplayPage = Static<typeof DisplayPage>;
