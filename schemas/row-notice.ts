import { Type } from "typebox";
import { noticeTexts } from "./drawing-notice.ts";
import { Notice, noticesOf } from "./notice.ts";

/** English text, by code, for each reason why a row of a request could not be applied, or could be applied only in part. */
export const rowTexts = {
  MORE_ERRORS: "{count} more errors are omitted",
  // About an item.
  ITEM_UNKNOWN: 'the item "{item}" does not exist',
  ITEM_CODE_UNKNOWN: '"{code}" is neither an item id nor a SIC',
  ITEM_TOO_LARGE: "the item would be {bytes} bytes, more than the maximum of {most}: remove or shorten properties",
  SIC_UNKNOWN: 'no item has the SIC "{code}"',
  SIC_TAKEN: 'the SIC "{code}" belongs to the item "{item}"',
  LIST_CHANGED_SINCE: "not restored, because it has changed since the price list: {fields}",
  LIST_CREATED_ITEM: "the price list created the item, so the item is kept; delete it if it is wrong",
  LIST_NOTHING_KEPT: "the price list has set no value of the item that could be restored",
  SWITCH_NOT_COMMITTED: "the switch {switch} was not committed, so its changes were dropped",
  SCHEDULE_FULL: "the item already has the maximum of {most} scheduled updates",
  SCHEDULE_TOO_LARGE: "the item's scheduled updates would exceed {most} MiB",
  UPDATE_OVERTAKEN:
    "not scheduled, because later requests have deleted the item, or applied or cancelled its scheduled updates: send it again if it still applies",
  CAMPAIGNS_FULL: "the maximum of {most} campaigns already run for the item",
  CAMPAIGNS_TOO_LARGE:
    "the campaigns that run for the item would take up {bytes} bytes, more than the maximum of {most}: shorten their properties",
  PAGE_UNKNOWN: "no label type that shows the item has a page {page}",
  PAGE_SIZE: "the image is {width} x {height} pixels, but page {page} of the item's labels is {sizes}",
  PAGE_NOT_DRAWN: "{detail}",
  // About a label.
  BARCODE_INVALID: '"{barcode}" is not a valid label barcode: {reason}',
  LABEL_UNKNOWN: 'the label "{barcode}" does not exist',
  LABEL_TYPE_UNSTATED: '"{barcode}" contains no label type: send the name of a model that has a single one',
  LABEL_TYPE_UNKNOWN: 'the label type {type} of "{barcode}" is unknown',
  MODEL_UNKNOWN: 'the model "{model}" does not exist',
  MODEL_MISSING: "no model has the label type {type}",
  MODEL_UNFIT: 'the model "{model}" is not for the label type {type}',
  MODEL_TOO_SMALL: 'position {position} is linked, but the number of positions of the model "{model}" is {positions}',
  TRANSCEIVER_UNKNOWN: 'the transceiver "{transceiver}" does not belong to any link department',
  DEPARTMENT_UNKNOWN: 'no link department has the id or alias "{department}"',
  NO_TRANSCEIVER: "no transceiver reaches the label",
  // About a link.
  DESIGN_UNKNOWN: noticeTexts.DESIGN_UNKNOWN,
  DESIGN_UNFIT: noticeTexts.DESIGN_UNFIT,
  STORE_LINK_DESIGN_UNKNOWN: 'the design "{design}" does not exist',
  CANVAS_UNFIT: 'no design for the label type {type} has the canvas "{canvas}"',
  LINK_UNKNOWN: 'the link "{link}" does not exist',
  LINK_OF_STORE: 'the link "{link}" does not exist; use POST /links/bulk for the store-level link of the item "{item}"',
  LINK_OF_OTHER_LABEL: 'the link refers to the label "{named}", but its row refers to "{barcode}"',
  LINKS_FULL: 'the item "{item}" already has the maximum of {most} links',
  POSITION_UNKNOWN:
    'the model "{model}" has no position {position}: its number of positions is {positions}, counted from 0',
  POSITION_GONE: "the label's model has no position {position}: its number of positions is {positions}, counted from 0",
  NOTHING_LINKED: "nothing was linked",
  STORE_UNKNOWN: 'the store "{store}" does not exist',
  // About a held row.
  HELD_REFUSED: 'the request was held because of price guards, and "{by}" refused it: {note}',
  HELD_EXPIRED: "the request was held because of price guards, and nobody approved it in time",
  // About any row.
  UPDATES_FAILED: "updates due by {until} were not applied: {detail}",
  ROW_FAILED: "{detail}",
  CHUNK_FAILED: "the row could not be applied: {detail}",
} as const;

export type RowNotice = Notice<keyof typeof rowTexts>;
/** The errors of a row by their codes; absent if there are none, and in records of earlier releases. */
export const RowNotices = Type.Unsafe<RowNotice[]>(
  Type.Array(Notice, { description: "The errors by their codes, in the same order; absent if there are none" }),
);

export const { notice: rowNotice, text: rowText } = noticesOf(rowTexts);

/** Makes the errors of an outcome: in English and, if there are any, by their codes in the same order. */
export const rowErrors = (...notices: readonly RowNotice[]): { errors: string[]; notices?: RowNotice[] } => ({
  errors: notices.map(rowText),
  ...(notices.length > 0 && { notices: [...notices] }),
});

/** Makes the errors of a row whose application threw an error. */
export const rowFailed = ({ message }: Error) => rowErrors(rowNotice("ROW_FAILED", { detail: message }));
