import { bodyLimits } from "../../../api/body/body-limits.ts";
import { MAX_COUNTED } from "../../../api/law/read-law.ts";
import { sampleLimits } from "../../../api/management/item-properties.ts";
import { MAX_TAILS } from "../../../api/management/subscriptions/tails.ts";
import { waitingOfTail } from "../../../api/management/subscriptions/text-queue.ts";
import { MAX_SESSIONS } from "../../../api/session/sessions.ts";
import { MAX_OFFER_BYTES, MAX_OFFERS } from "../../../domain/campaigns/offers.ts";
import { propertyLimits } from "../../../domain/items/count-properties.ts";
import { MAX_VERSIONS as MAX_FIELD_VERSIONS, MAX_VERSION_CHARACTERS } from "../../../domain/items/field-versions.ts";
import { MAX_ITEM_BYTES } from "../../../domain/items/item-size.ts";
import { MAX_SAMPLES } from "../../../domain/labels/care/note-voltage.ts";
import { MAX_LINKS_OF_ITEM } from "../../../domain/linking/links-of-item.ts";
import { MAX_BEFORE } from "../../../domain/prices/charge.ts";
import { MAX_PRICES } from "../../../domain/prices/keep-price.ts";
import { MAX_DIFFERENCES } from "../../../domain/publishing/differences.ts";
import { MAX_VERSIONS } from "../../../queues/publishing/versions.ts";
import { MAX_BYTES as MAX_SCHEDULE_BYTES, MAX_UPDATES } from "../../../records/requests/scheduled-updates.ts";
import { MAX_CAMPAIGN_ITEMS, MAX_CAMPAIGN_PAIRS, MAX_CAMPAIGN_STORES } from "../../../schemas/campaign.ts";
import { REFRESH_DAYS } from "../../../schemas/care.ts";
import { MAX_LABELS_OF_STEP, MAX_RUNNING } from "../../../schemas/flash-sequence.ts";
import { PAIRS } from "../../../schemas/link-record.ts";
import { MAX_REQUESTS_PER_LIST } from "../../../schemas/price-list.ts";
import { MAX_CANARY_STORES, MAX_PUBLISHED } from "../../../schemas/publication.ts";
import { platformLimits, tenantLimits } from "../../../schemas/tenant-limits.ts";
import { MAX_DRAFT_BYTES } from "../../../schemas/version.ts";
import { MAX_TAGS } from "../../../workers/transmitter/drivers/openepaperlink/seen-tags.ts";
import { bytes, count } from "./amounts.ts";
import { type Bound, BUSY, INVALID, REMOVE_FIRST, TOO_MUCH_WAITS } from "./outcomes.ts";

/** Returns the limits on what a tenant may store, and on what may wait. */
export const ofTenants = (): readonly Bound[] => [
  [
    "days of refreshes that a label keeps; voltages of its battery",
    `${REFRESH_DAYS}; ${MAX_SAMPLES}`,
    "the oldest are dropped",
  ],
  ["prices that an item keeps", count(MAX_PRICES), "the oldest are dropped"],
  [
    "earlier prices among which its prior price is found",
    count(MAX_BEFORE),
    "the two oldest are merged into the lower one",
  ],
  ["items whose legal findings a report counts", count(MAX_COUNTED), "the report says so"],
  ["tags of an access point that are listed", count(MAX_TAGS), "the latest are kept"],
  ["rows of a tenant that wait to be applied", count(tenantLimits.rowsInFlight), TOO_MUCH_WAITS],
  ["parts of its requests (1,000 rows or fewer) that wait", count(tenantLimits.chunksInFlight), TOO_MUCH_WAITS],
  ["requests that price guards hold", count(tenantLimits.heldRequests), TOO_MUCH_WAITS],
  ["uploads of a tenant that wait to be drawn", count(bodyLimits.upload.maxWaiting), TOO_MUCH_WAITS],
  ["pixels of these uploads", count(bodyLimits.upload.maxPixelsWaiting), TOO_MUCH_WAITS],
  ["stored uploads of a tenant", count(tenantLimits.uploads), TOO_MUCH_WAITS],
  ["bytes of these uploads", count(tenantLimits.uploadBytes), TOO_MUCH_WAITS],
  ["open tails of a tenant, in each process", count(tenantLimits.tails), TOO_MUCH_WAITS],
  ["open tails of a process", count(MAX_TAILS), BUSY],
  [
    "texts that wait for a slow reader of a tail",
    `${count(waitingOfTail.texts)}; ${count(waitingOfTail.characters)} characters`,
    "the tail ends, and continues after its last event",
  ],
  [
    "events of a tenant that wait for subscribers",
    count(tenantLimits.deliveriesWaiting),
    "the subscription with most of them is stopped; its `test` returns 429",
  ],
  ["tenants of an installation", count(platformLimits.tenants), REMOVE_FIRST],
  ["stores of a tenant", count(tenantLimits.stores), REMOVE_FIRST],
  ["label types of a tenant", count(tenantLimits.labelTypes), REMOVE_FIRST],
  ["models of a tenant", count(tenantLimits.models), REMOVE_FIRST],
  ["label servers of a tenant", count(tenantLimits.labelServers), REMOVE_FIRST],
  ["designs of a tenant", count(tenantLimits.designs), REMOVE_FIRST],
  ["canvas designs of a tenant", count(tenantLimits.canvasDesigns), REMOVE_FIRST],
  ["images of a tenant's designs", count(tenantLimits.images), REMOVE_FIRST],
  ["fonts of a tenant's designs", count(tenantLimits.fonts), REMOVE_FIRST],
  ["communication packs of a tenant", count(tenantLimits.communicationPacks), REMOVE_FIRST],
  ["drafts of a tenant", count(tenantLimits.drafts), REMOVE_FIRST],
  ["a draft as JSON", bytes(MAX_DRAFT_BYTES), INVALID],
  ["versions of a pack, a design or a canvas design", count(MAX_VERSIONS), "the oldest are dropped"],
  ["versions of a tenant", count(tenantLimits.versions), "the oldest are dropped"],
  ["publications of a tenant that are listed", count(tenantLimits.publications), "the oldest are dropped"],
  ["drafts of a publication", count(MAX_PUBLISHED), INVALID],
  ["named stores of a canary", count(MAX_CANARY_STORES), INVALID],
  [
    "items, and stores, that `GET /item-properties` reads",
    `${count(sampleLimits.items)}; ${count(sampleLimits.stores)}`,
    "`isWhole` is false",
  ],
  ["names that it lists", count(propertyLimits.names), "the first that are found are listed"],
  ["differences in a comparison of versions", count(MAX_DIFFERENCES), "the first are listed, and `isCut` is true"],
  ["subscriptions of a tenant", count(tenantLimits.subscriptions), REMOVE_FIRST],
  ["API users of a tenant", count(tenantLimits.apiUsers), REMOVE_FIRST],
  ["sessions of a user on the pages", count(MAX_SESSIONS), "the least recently used session ends"],
  ["an item as it is stored", bytes(MAX_ITEM_BYTES), "the row is `ERROR`"],
  ["links of an item in a store", count(MAX_LINKS_OF_ITEM), "the link's row is `ERROR`"],
  ["requests of a price list", count(MAX_REQUESTS_PER_LIST), "409 `conflict`: send the rows with another id"],
  [
    "versions of an item's field; all of an item",
    `${MAX_FIELD_VERSIONS}; ${count(MAX_VERSION_CHARACTERS)} characters`,
    "what is older, or all, cannot be undone",
  ],
  ["scheduled updates of an item", count(MAX_UPDATES), "the row is `ERROR`"],
  ["scheduled updates of an item, together", bytes(MAX_SCHEDULE_BYTES), "the row is `ERROR`"],
  ["flash sequences of a store that run", count(MAX_RUNNING), "409 `conflict`"],
  ["labels of an item in a step of a flash sequence", count(MAX_LABELS_OF_STEP), "the others do not flash"],
  ["campaigns of a tenant, including those that are over", count(tenantLimits.campaigns), REMOVE_FIRST],
  [
    "items of a campaign in a store; its stores",
    `${count(MAX_CAMPAIGN_ITEMS)}; ${count(MAX_CAMPAIGN_STORES)}`,
    INVALID,
  ],
  [
    "pairs of a store and an item in a campaign",
    count(MAX_CAMPAIGN_PAIRS),
    "400 `invalid-request`, or 409 `conflict` once its filter is known",
  ],
  [
    "campaigns that run for an item at the same time",
    `${count(MAX_OFFERS)}, ${bytes(MAX_OFFER_BYTES)}`,
    "the row is `ERROR`",
  ],
  ["pairs of a store and an item in `POST /links/bulk`", count(PAIRS), INVALID],
];
