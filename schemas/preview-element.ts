import { type Static, Type } from "typebox";
import { oneOf } from "./canvas-parts.ts";
import { type DrawingNotice, noticeText } from "./drawing-notice.ts";

const pointer = (description: string) =>
  Type.String({ description: `${description}, as a JSON pointer into the canvas`, examples: ["/elements/0"] });
const pixels = (description: string) => Type.Integer({ description: `${description} in pixels`, examples: [8] });
const side = (description: string) => Type.Integer({ minimum: 0, description: `${description} in pixels` });

/** A rectangle on the canvas. */
const PreviewArea = (description: string) =>
  Type.Object(
    { x: pixels("Left edge"), y: pixels("Top edge"), width: side("Width"), height: side("Height") },
    { description },
  );

/** A notice in a preview: its level, its code, its sentence, and the element to which it refers. */
export const PreviewNotice = Type.Object(
  {
    level: oneOf(
      ["fault", "error", "warning"],
      "A fault leaves the label blank, an error leaves out one element, a warning draws something differently",
    ),
    code: Type.String({ description: "Code of the message, such as TEXT_CUT; a later release may add codes" }),
    values: Type.Unsafe<Readonly<Record<string, string>>>(
      Type.Object({}, { additionalProperties: Type.String(), description: "The values in its sentence, by name" }),
    ),
    reason: Type.Optional(
      Type.Object(
        {
          code: Type.String({ description: "Code of the reason" }),
          values: Type.Unsafe<Readonly<Record<string, string>>>(
            Type.Object({}, { additionalProperties: Type.String(), description: "The values in its sentence" }),
          ),
        },
        { description: "The reason, if it has its own code" },
      ),
    ),
    text: Type.String({ description: "The English sentence" }),
    element: Type.Optional(pointer("The element to which it refers; absent if it refers to none")),
  },
  { title: "PreviewNotice" },
);
export type PreviewNotice = Static<typeof PreviewNotice>;

/** How an element of a preview was drawn. */
export const PreviewElement = Type.Object(
  {
    element: pointer("The element; an element of a repeated group is listed once for each copy"),
    name: Type.Optional(Type.String({ description: "Its name; absent if it has none" })),
    box: PreviewArea("Its area on the upright canvas, as placed by its groups and stacks"),
    drawn: Type.Optional(PreviewArea("The pixels that it changed; absent if it changed none")),
    size: Type.Optional(Type.Integer({ description: "The size at which its letters are drawn, in pixels" })),
    lines: Type.Optional(Type.Integer({ description: "Number of lines of its text" })),
    digitHeight: Type.Optional(Type.Integer({ description: "Height of its digits in pixels, if it has any" })),
    isCut: Type.Boolean({ description: "Whether its text, or a part of it, is left out because it does not fit" }),
  },
  { title: "PreviewElement" },
);
export type PreviewElement = Static<typeof PreviewElement>;

/** A notice about drawing, as a preview reports it. */
export const previewNotice = (
  level: PreviewNotice["level"],
  notice: DrawingNotice,
  element?: string,
): PreviewNotice => ({ level, ...notice, text: noticeText(notice), ...(element !== undefined && { element }) });
