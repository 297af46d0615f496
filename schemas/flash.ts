import { type Static, Type } from "typebox";
import { ActionResult } from "./action.ts";
import { ItemId } from "./item.ts";
import { clearless, identifier } from "./text.ts";

/** The colours in which labels can flash. If two are equally near to a requested colour, the first is used. */
export const flashColors = ["GREEN", "RED", "BLUE", "CYAN", "MAGENTA", "YELLOW", "WHITE"] as const;
export type FlashColor = (typeof flashColors)[number];

const MAX_FLASH_SECONDS = 1800;
const flashTypes = [10, 20, 30, 40, 50] as const;

/** Body of a call to a label server: a flash. */
export const Flash = Type.Object({
  duration: Type.Integer({ minimum: 0, maximum: MAX_FLASH_SECONDS }),
  color: Type.Enum(flashColors, { description: "Colour" }),
  flashType: Type.Enum(flashTypes),
});
export type Flash = Static<typeof Flash>;

const component = "(25[0-5]|2[0-4]\\d|1?\\d?\\d)";

export const flashFields = {
  duration: clearless(
    Type.Integer({
      minimum: 0,
      maximum: MAX_FLASH_SECONDS,
      default: 4,
      description:
        "Duration in seconds; 0 stops flashing. Segment labels round it up to 0, 4, 8, 30, 60, 300, 900 or 1800",
    }),
  ),
  realTime: clearless(
    Type.Boolean({
      default: true,
      description: "Whether it takes priority over all other transmissions, including pictures",
    }),
  ),
  color: clearless(
    Type.String({
      pattern: `^(#[0-9a-fA-F]{6}|rgb\\(${component},${component},${component}\\))$`,
      errorMessage: 'must be a colour such as "#00ff00" or "rgb(0,255,0)"',
      default: "rgb(0,255,0)",
      description: `\`#rrggbb\` or \`rgb(r,g,b)\` without spaces; mapped to the nearest of ${flashColors.join(", ")}`,
    }),
  ),
  flashType: Type.Optional(
    Type.Unsafe<(typeof flashTypes)[number] | null>({
      enum: [...flashTypes, null],
      default: 50,
      description: "10 Low, 20 Semi-low, 30 Semi-Strong-Strobe, 40 Strong-Strobe, 50 Strong",
    }),
  ),
};

/**
 * Callers send the fields of a flash at the top level or in an object of this name
 * (docs/integrators/calls.md#accepted-forms).
 */
const wrapped = { wrapper: "configuration" };

/** Body of POST /labels/{barcode}/flash and of /items/{itemId}/flash. */
export const FlashRequest = Type.Object(flashFields, {
  title: "FlashRequest",
  description: "How labels flash. Absent or null fields take their defaults",
  ...wrapped,
});
export type FlashRequest = Static<typeof FlashRequest>;

/** Body of POST /labels/{barcode}/flash-with-department. */
export const FlashWithDepartment = Type.Object(
  { ...flashFields, linkDepartment: identifier(128, "Link department through which to send, by id or alias") },
  { title: "FlashWithDepartment", ...wrapped },
);

const MAX_ITEMS = 1000;

/** Body of POST /flash/items. */
export const FlashItems = Type.Object(
  { ...flashFields, itemIds: Type.Array(ItemId, { minItems: 1, maxItems: MAX_ITEMS }) },
  { title: "FlashItems", ...wrapped },
);

/** The result for each label of an item; empty if no label is linked to the item. */
export const ItemFlashAnswer = Type.Object(
  { results: Type.Array(Type.Object({ barcode: Type.String(), result: ActionResult })) },
  { title: "ItemFlashAnswer" },
);

/** The result for each label of each item, in the order of the items. */
export const ItemsFlashAnswer = Type.Object(
  {
    results: Type.Array(
      Type.Object({
        itemId: Type.String(),
        barcode: Type.Unsafe<string | null>({ type: ["string", "null"], description: "null: the item does not exist" }),
        result: Type.Enum(["OK", "UNSUPPORTED", "UNREACHABLE", "ITEM_NOT_FOUND"]),
      }),
    ),
  },
  { title: "ItemsFlashAnswer" },
);
