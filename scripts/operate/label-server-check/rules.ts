/**
 * The rules for a label server, by name, in the order of the page for implementers (docs/label-servers/README.md), which has
 * the same wording.
 */
export const rules = {
  "secret-required": "A call without a secret returns 401 or 403, and has no effect.",
  "secret-compared": "A call with another secret returns 401 or 403, and has no effect.",

  "picture-accepted": "A picture returns 202.",
  "picture-acknowledged": "A picture that is on the label is reported as `acknowledged`.",
  "large-picture": "A large picture is accepted and acknowledged like any other.",
  "digest-compared": "A body that differs from its `Repr-Digest` is neither accepted nor shown.",
  "optional-headers": "Each `Priority` is accepted, with and without `Transceiver`, `Traceparent` and `Refresh`.",
  "pages-separate": "Each page of a label has its own pictures: numbers for other pages make no difference.",
  "segments-acknowledged": "A text for a segment label is accepted and acknowledged like a picture, with page 0.",
  "segments-shown": "A segment label shows the text with its blanks.",
  "unknown-label": "A picture for an unknown label is refused with 404, or accepted and reported as `failed`.",
  "many-labels":
    "Pictures for many labels at the same time are all acknowledged; a busy label server returns 429 or 503.",
  "answered-in-time": "A picture or text receives its response within 15 seconds, another call within 6.",

  "repeated-accepted": "A repeated number returns 202, even while its transmission is in progress.",
  "acknowledged-again": "A delivered number that is repeated is acknowledged again.",
  "delivery-time-kept": "Every acknowledgement of a number has the time of its delivery, not of the report.",
  "superseded-remembered":
    "A delivered number that is repeated after a later picture is also acknowledged again, and not sent again.",
  "older-dropped": "A picture that arrives after a picture with a larger number for the same page is not shown.",
  "failed-sent-again": "A number that failed is sent when it is repeated.",
  "stores-separate": "Each store has its own numbers: after a label has moved, smaller numbers are accepted.",

  "flash-accepted": "A flash returns 202.",
  "display-page-accepted": "`display-page` returns 202 for both actions.",
  "fingerprint-accepted": "`fingerprint` returns 202.",
  "orders-unreported": "Flashes, displayed pages and fingerprints are not reported.",
  "flash-larger-number": "Of two flashes, the flash with the larger number takes precedence, whatever their order.",
  "flash-stopped": "A flash of 0 seconds stops flashing.",
  "page-displayed": "`set-temporary` shows the page.",
  "page-restored": "`restore-page` shows the label's own page again.",

  "switch-kept": "A picture for a switch is reported as `kept`, and not shown without an order.",
  "switch-shown":
    "At the time of its switch, and never earlier, a label shows what it keeps, and this is reported as `acknowledged`.",
  "switch-superseded":
    "A later picture for the page invalidates a kept one: the kept picture is not shown at the time of its switch.",
  "switch-called-off": "A switch that is called off shows nothing.",
  "switch-late": "A picture that arrives after the time of its switch is reported as `failed`.",

  "report-form": "Every call with reports has the documented form: store, barcode, kind and `at` as RFC 3339 in UTC.",
  "report-secret": "Every call with reports carries the secret.",
  "report-label": "A report has the store and barcode of the call.",
  "report-number":
    "`acknowledged` and `failed` have the number of the call as `transmission`, exactly: it exceeds 32 bits.",
  "report-page": "A report has the page of the call.",
  "report-time": "`at` is neither in the future nor before the call.",
  "reported-once": "Reports that received 204 are not sent again.",
  "repeated-after-503": "Reports that received 503 are sent again.",
  "repeated-after-silence": "Reports without a response are sent again.",
  "kept-while-away": "Reports are kept while Shelfwire is unreachable.",
  "sent-together": "Reports that have waited are sent together, up to 5000 in a call.",
  "refusal-blocks-none": "Reports that received 400 or 403 do not delay the next ones.",
  "calls-beside-reports": "Calls receive responses while a report waits for its response.",

  "restart-remembering":
    "A label server that remembers acknowledges a number after a restart with the time of its delivery.",
  "restart-forgetting": "A label server that forgets sends a repeated number after a restart.",
  "boot-id-constant":
    "Responses and reports that identify the run have the same `Boot-Id` and `bootId` throughout the run.",
  "boot-id-changed": "After a restart, `Boot-Id` and `bootId` are different.",

  "press-reported": "A button press is reported with the number of the button and the time of the press.",
  "press-repeated": "A press that is reported again, for example after a 503, has the same time.",
  "temperature-reported": "A temperature that a label measures is reported in °C.",
  "shows-listed": "The `shows` of a check-in list the pictures that the label shows, by their numbers.",
} as const;

export type RuleName = keyof typeof rules;

export const ruleNames = Object.keys(rules) as readonly RuleName[];
