import { type Static, Type } from "typebox";
import { fillIn, type NamesIn } from "./notice.ts";

/**
 * English text for each notice about drawing, by code: `{name}` is replaced by a value, and `{reason}` by a value or another
 * notice. Pages show the notice in their own language, by the same code (api/pages/messages).
 */
export const noticeTexts = {
  MORE: "and {count} more",
  // About a label or its design: nothing is drawn.
  NO_PACK: "no communication pack is active, so no rule chooses a design",
  NO_SCENARIO: "no scenario of the rules applies",
  NO_DESIGN_FITS: "no design fits label type {type}",
  DESIGN_UNKNOWN: 'the design "{design}" for the label type {type} does not exist',
  DESIGN_UNFIT: 'the design "{design}" is not for the label type {type}',
  DESIGN_GONE: "the canvas of the design {design} no longer exists",
  DESIGN_INVALID: "{detail}",
  DESIGN_SIZE: "the design is {sizes} pixels, but the label {type} is {width} x {height}",
  DRAWING_TOO_LONG: "{detail}",
  RULES_TOO_LONG: "{detail}",
  POSITIONS_OVERLAP: "not shown: position {positions}, whose design overlaps that of an earlier position",
  SEGMENTS_LINES: "a segment label shows one text or price, but the design has {lines}",
  SEGMENTS_KIND: "segment labels cannot show an element of the kind {kind}",
  SEGMENTS_TEXT: '"{text}" cannot be shown: segment labels show up to {cells} digits, points, commas and minus signs',
  ECC_UNKNOWN: 'the ECC model "{model}" does not exist: the models are {models}',
  ECC_LACKS: "the ECC model {model} requires the parameter {parameters}",
  ECC_SEGMENTS: "segment labels cannot show the ECC model {model}",
  ECC_PARAMETER: 'the ECC model {model} has no parameter "{parameter}": its parameters are {parameters}',
  ECC_HINT: 'the rendering hint "{hint}" is unknown: the hints are {hints}',
  ECC_HINT_VALUE: 'the rendering hint "{hint}" must be one of {values}, not "{value}"',
  // About text.
  TEXT_CUT: '"{text}" is cut: it does not fit at {size} pixels',
  TEXT_UNSEEN: '"{text}" is invisible: it has the colour of its background',
  TEXT_ENLARGED: '"{text}" is drawn at {size} pixels because it is not legible at {asked}',
  TEXT_ILLEGIBLE: '"{text}" is not legible below {least} pixels',
  TEXT_OMITTED: '"{text}" is left out: it does not fit at {least} pixels, and is not legible below that size',
  TEXT_NO_ROOM: 'the text "{text}" does not fit {width} x {height} pixels, even at {size}',
  WHOLE_TEXT_NO_ROOM:
    'the text "{text}" must be shown completely, but does not fit {width} x {height} pixels, even at {size}',
  TEXT_COVERED: 'the text "{text}" must be shown completely, but is covered by a later element',
  OUTSIDE: '"{text}" lies outside the label',
  LEFT_OUT: "{reason}: it is left out",
  HARD_TO_READ:
    '"{text}" is hard to read: {ink} on {paper} has a contrast of {contrast} on e-paper, but legible text needs {least}',
  BELOW_SHARE:
    '"{text}" is drawn at {size} pixels, less than {percent} percent of the price "{price}" ({priceSize} pixels), because a larger size does not fit',
  NOT_LEGAL_UNIT: '"{text}" is a price per {unit}: the law requires a price per {legal}, as unitPrice() writes it',
  LETTERS_MISSING: "the font has no {letters}",
  LETTERS_REPLACED: "the font has no {letters}, so another font is used",
  SCRIPT_NOT_INSTALLED: "{script} is not installed: its characters are in the package {package}",
  // About a price.
  PRICE_UNSEEN: 'the price "{text}" is invisible: it has the colour of its background',
  PRICE_NO_ROOM: 'the price "{text}" does not fit {width} x {height} at {size} pixels',
  PRICE_ENLARGED: 'the price "{text}" is drawn at {size} pixels because it is not legible at {asked}',
  PRICE_COVERED: 'the price "{text}" is covered by a later element{by}',
  PRICE_COVERED_UNSEEN: 'the price "{text}" is covered by a later element of the same colour',
  PRICE_CROSSED: 'a line crosses the price "{text}", so that it looks struck through',
  PRICE_NOT_A_NUMBER: 'the price "{text}" is not a number and is shown as sent',
  PRICE_NOT_ABOVE_ZERO: 'the price "{text}" is not greater than 0',
  PRICE_ROUNDED: "the price {text} is rounded to {shown}, because it is shown with {decimals} decimals",
  STRUCK_PRICE_SMALL: 'the struck price "{text}" is drawn at {size} pixels: below {least} pixels it may be misread',
  // About a font, an image or a code.
  FONT_MISSING: 'the font "{name}" does not exist',
  FONT_FAULTY: 'the font "{name}" cannot be used: {reason}',
  IMAGE_MISSING: 'the image "{name}" does not exist',
  IMAGE_FAULTY: 'the image "{name}" cannot be used: {reason}',
  IMAGE_UNSEEN: 'the image "{name}" is invisible: it has the colours of its background, or lies outside the label',
  CODE_COVERED: 'the code "{text}" is covered by a later element and may not scan',
  CODE_TEXT_SMALL: 'the text below the code "{text}" is {size} pixels tall and not legible: it needs {least} pixels',
  CODE_COLORS: '"{text}" requires black and white, but the label does not have both',
  CODE_NO_ROOM: '"{text}" needs {needed} pixels, but has {has}',
  CODE_NO_WIDTH: '"{text}" needs a width of {needed} pixels, but has {has}',
  CODE_NO_HEIGHT: '"{text}" needs a height of {needed} pixels, but has {has}',
  CODE_LETTERS: '"{text}" is not a valid {kind}: it can contain printable ASCII characters only',
  CODE_DIGITS: '"{text}" is not a valid {kind}: it must have {digits} digits',
  CODE_CHECK_DIGIT: '"{text}" is not a valid {kind}: its check digit must be {expected}, not {digit}',
  CODE_TOO_LONG: '"{text}" is not a valid {kind}: it can have at most {most} characters',
  CODE_TOO_MUCH: '"{text}" is too long for a {kind}',
  CODE_INVALID: '"{text}" is not a valid {kind}: {reason}',
  // About a value that an element shows.
  NO_VALUE: "${{expression}} has no value",
  NO_VALUE_BECAUSE: "${{expression}} has no value: {reason}",
  NUMBER_ROUNDED: "${{expression}} is {exact}, but is shown as {shown}",
  // Why a function returned no value.
  NO_UNIT: '"{text}" has no unit',
  NOT_A_NUMBER: '"{text}" is not a number',
  NOT_A_PRICE: '"{text}" is not a price above 0',
  NOT_A_GTIN: '"{text}" is not a GTIN: it must have 8, 12, 13 or 14 digits',
  GTIN_CHECK_DIGIT: '"{text}" is not a GTIN: its check digit must be {expected}, not {digit}',
  NOT_A_RESOLVER: '"{text}" is not the address of a resolver: write it like https://example.com/gtin',
  NOT_A_DATE: '"{text}" is not a date: write it like 2026-12-24, with or without a time',
  DECIMALS_OF_ROUNDING: "a number can be rounded to 0 to {most} decimals, not {decimals}",
  DECIMALS_OF_NUMBER: "a number can have 0 to {most} decimals, not {decimals}",
  ARGUMENT_TOO_LONG: "a string can have at most {most} characters here, not {count}",
  RESULT_TOO_LONG: "the string would have {count} characters, more than the maximum of {most}",
  NOTHING_TO_REPLACE: "an empty string cannot be replaced",
  DATE_TOO_LONG: "a date can have at most {most} characters, not {count}",
  PATTERN_TOO_LONG: "a date pattern can have at most {most} characters, not {count}",
  PATTERN_LETTER: "a date pattern cannot contain {letter}: put literal letters between single quotes",
  UNIT_PRICE_WRONG: "the unit price {sent} does not match the price {price} for {quantity}",
  UNIT_PRICE_SMALL: "the unit price of {price} for {quantity} is too small to be shown",
  QUANTITY_UNCLEAR: '"{text}" is ambiguous: its separator may be a decimal or a thousands separator',
  QUANTITY_OR_SIZE: '"{text}" may be a size or a number of pieces: write "{example}" for pieces',
  QUANTITY_EMPTY: 'no unit price can be calculated for the quantity "{text}"',
  QUANTITY_WITHOUT_LAW: '"{text}" is not a quantity for which the law defines a unit price',
  QUANTITY_BELOW_PIECE: '"{text}" is less than one piece',
} as const;

export type NoticeCode = keyof typeof noticeTexts;

const code = Type.Unsafe<NoticeCode>(
  Type.String({ description: "Code of the message, such as TEXT_CUT; a later release may add codes" }),
);
const values = Type.Unsafe<Readonly<Record<string, string>>>(
  Type.Object({}, { additionalProperties: Type.String(), description: "The values in its sentence, by name" }),
);

/** Something that drawing reports: a fault, an error or a warning, by its code and the values in its sentence. */
export const DrawingNotice = Type.Object(
  {
    code,
    values,
    reason: Type.Optional(Type.Object({ code, values }, { description: "The reason, if it has its own code" })),
  },
  {
    title: "DrawingNotice",
    description: "What drawing reports, by its code; absent if an earlier release drew the picture",
  },
);
export type DrawingNotice = Static<typeof DrawingNotice>;

type ValuesOf<Code extends NoticeCode> = {
  [Name in NamesIn<(typeof noticeTexts)[Code]>]: string | number | (Name extends "reason" ? DrawingNotice : never);
};

/** Makes a notice with every value that its sentence contains. */
export function notice<Code extends NoticeCode>(code: Code, given: ValuesOf<Code>): DrawingNotice & { code: Code } {
  const { reason, ...rest } = given as Record<string, string | number | DrawingNotice>;
  const values = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, String(value)]));
  if (typeof reason === "object") return { code, values, reason: { code: reason.code, values: reason.values } };
  return { code, values: { ...values, ...(reason !== undefined && { reason: String(reason) }) } };
}

/** Returns a notice's English sentence. */
export const noticeText = ({ code, values, reason }: DrawingNotice): string =>
  fillIn(noticeTexts[code], (name) => (name === "reason" && reason ? noticeText(reason) : values[name]));
