import { callTexts } from "./call-notice.ts";
import { guardTexts } from "./guard-notice.ts";
import { type Notice, noticesOf } from "./notice.ts";

/** English text for each reason why a call was rejected, by code. Pages show these reasons next to their forms. */
export const refusalTexts = {
  // About a field, by its schema.
  FIELD_MISSING: "is missing",
  FIELD_FORM: "{detail}, but is {value}",
  FIELD_FORMS: "{detail}",
  FIELD_CHOICE: "must be one of {choices}, not {value}",
  FIELD_NAME: "is not a valid name: use 1 to 128 characters without control characters",
  FIELD_TIME: "must be a time in the form {form}, not {value}",
  FIELD_TYPE: "must be {type}, not {value}",
  FIELD_VALUE: "must be {wanted}, not {value}",
  FIELD_SMALL: "must be at least {limit}, not {value}",
  FIELD_LARGE: "must be at most {limit}, not {value}",
  FIELD_SHORT: "must have at least {limit} {unit}, but is {value}",
  FIELD_LONG: "must have at most {limit} {unit}, but is {value}",
  // About a field's value.
  ADDRESS_INVALID: "is not a URL",
  ADDRESS_USER: "must not contain a user or password: calls are signed instead",
  ADDRESS_PRIVATE: callTexts.ADDRESS_PRIVATE,
  SERVER_ADDRESS_INVALID: '"{url}" is not a URL',
  SERVER_ADDRESS_PARTS: "must not contain a user, a query or a fragment",
  SERVER_ADDRESS_DRIVER: 'must begin with {schemes} for the driver "{driver}", not "{url}"',
  BROKER_ADDRESS_PATH:
    'must end after the broker\'s host or port, such as "mqtts://broker.example.com:8883", not "{url}"',
  TIME_ZONE_UNKNOWN: '"{zone}" is not an IANA time zone',
  QUIET_HOURS_EMPTY: "quiet hours must not end at {time}, when they begin",
  LOCALE_UNKNOWN: '"{locale}" is not a locale',
  DEPARTMENT_TWICE: '"{name}" refers to two departments',
  LABEL_SERVER_UNKNOWN: 'the label server "{server}" does not exist',
  STORE_OF_USER_UNKNOWN: 'the store "{store}" does not exist',
  ROLE_OR_SCOPE: "must name either a role or scopes, not both",
  // About a resource.
  ID_TAKEN: 'The id "{id}" of the {noun} is taken by another tenant: choose another one.',
  LIMIT_REACHED: "{owner} can have at most {most} {noun}s; this one has {present}. Remove one first.",
  LABEL_SERVER_IN_USE: 'The store "{store}" uses the label server "{server}".',
  STORE_HAS_LABELS: 'The store "{store}" has labels, such as {label}.',
  STORE_HAS_ITEMS: 'The store "{store}" has items, such as "{item}": delete them first.',
  LIST_APPLYING: 'The request {request} of the price list "{list}" is still being applied: undo the list afterwards.',
  LIST_HELD:
    'Price guards hold the request {request} of the price list "{list}": decide on the request first, then undo the list.',
  EVENTS_WAITING:
    "At most {count} events of a tenant can wait for subscribers, and this limit is reached. Try again later.",
  // About a price.
  ...guardTexts,
} as const;

export type RefusalNotice = Notice<keyof typeof refusalTexts>;
export const { notice: refusalNotice, text: refusalText } = noticesOf(refusalTexts);
