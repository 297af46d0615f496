/** Description and example of a field. A name has one meaning in the whole interface, or is listed with its component. */
interface Field {
  means?: string;
  example?: unknown;
}

const barcode = "D42FLOFYMKP013280";
const moment = "2026-03-02 08:15:30";

/** Used for fields whose schema has no description or example. */
const fields: Readonly<Record<string, Field>> = {
  tenantId: { means: "Id of the tenant", example: "demo" },
  storeId: { means: "Id of the store", example: "main" },
  itemId: { means: "Id of the item", example: "4711" },
  itemIds: { means: "Ids of items", example: ["4711", "4712"] },
  linkedItemId: { means: "Item id or SIC that was used for linking", example: "4711" },
  itemName: { means: "Name", example: "Apple juice 1 l" },
  price: { means: "Price, exactly as it was sent", example: "1.99" },
  itemGroup: { means: "Item group", example: "Juices" },
  department: { means: "Department", example: "Drinks" },
  presentation: { means: "Presentation (also called IPF)", example: "bottle" },
  sic: { means: "Secondary item code", example: "3850000000017" },
  sics: { means: "Secondary item codes", example: ["3850000000017"] },
  properties: { means: "Custom properties", example: { priceKind: "regular", quantity: "1 l", unitPrice: "1.99" } },
  lastUpdated: { example: "2026-03-02T08:15:30+01:00[Europe/Zagreb]" },
  validFrom: { example: "2026-03-09 06:00:00" },

  barcode: { means: "Barcode of the label", example: barcode },
  eslBarcode: { means: "Barcode of the label", example: barcode },
  eslId: { means: "Barcode of the label", example: barcode },
  barcodeOrLabelType: { example: "1328" },
  modelName: { means: "Name of the label's model", example: "Medium" },
  linkDepartment: { means: "Link department, by id or alias", example: "sales-floor" },
  plLocation: { means: "Label location", example: "A-12" },
  plState: { means: "State of the label", example: "OK" },
  batteryState: { means: "State of the battery", example: "OK" },
  lowBatteryDate: { means: "Start of the present LOW, or null", example: null },
  homeTrx: { means: "Home transceiver, short form", example: "T1" },
  lastTrxList: { means: "Transceivers that were heard last, comma-separated, newest first", example: "T1,T2" },
  hardwareRevision: { means: "Hardware version", example: "2.1" },
  lastDisplayUpdate: { means: "When a changed picture was last acknowledged", example: moment },
  batteryStateChanged: { means: "When the battery state last changed", example: moment },
  batteryStateLastConfirmed: { means: "When the battery state was last reported", example: moment },
  batteryStateFirstEnteredLow: { means: "When the battery was first LOW", example: null },
  firstLinked: { means: "When the label was first linked", example: moment },
  lastLinked: { means: "When the label was last linked", example: moment },
  lastUpdate: { means: "End of the last transmission, good or bad", example: moment },
  lastOkUpdate: { means: "Last acknowledged transmission", example: moment },
  positions: { means: "Where the label hangs", example: { manual: { x: 12.5, y: 3.25, floor: 0 } } },
  manual: { means: "Position that was entered by hand" },
  position: { means: "Where the label hangs", example: { x: 12.5, y: 3.25, floor: 0 } },
  x: { means: "Horizontal position", example: 12.5 },
  y: { means: "Vertical position", example: 3.25 },
  floor: { means: "Floor", example: 0 },
  serializeDatesToIso8601: {
    means: "Dates in ISO 8601 with milliseconds and offset, instead of `YYYY-MM-DD hh:mm:ss` in the store's zone",
  },
  "filter[barcode]": { means: "Only labels with one of these barcodes", example: [barcode] },
  "filter[modelName]": { means: "Only labels of one of these models", example: ["Medium"] },
  "filter[plState]": { means: "Only labels in one of these states", example: ["PENDING"] },
  "filter[batteryState]": { means: "Only labels whose battery is in one of these states", example: ["LOW"] },
  sortProperty: {
    means: "Field that the list is ordered by; the barcode decides between equals",
    example: "plLocation",
  },
  sortDirection: { means: "Whether the list goes up or down", example: "ASC" },

  links: { means: "Links, by display position" },
  designerlink: { means: "Metadata of a link that was designed by hand" },
  ecclink: { means: "Metadata of a link that an ECC model draws" },
  studiolink: { means: "Metadata of a link whose design the rules choose" },
  "LinkBulk.operation": { means: "Whether the pairs become store-level links, or are none any more", example: "LINK" },
  linkId: { means: "Id of the link", example: `${barcode}-0` },
  displayPosition: { means: "0-based position of the item on the label", example: 0 },
  facings: { means: "Number of facings", example: "2" },
  designId: { means: "Id of the design", example: "regular-296x128" },
  forced_design_id: { means: "Design that is shown whatever the rules say", example: "regular-296x128" },
  storeIds: { means: "Ids of stores", example: ["main"] },
  "LinkSingleAnswer.status": { means: "Whether the label shows it", example: "LINKED" },

  projection: { example: "L" },
  start: { example: 0 },
  limit: { example: 100 },
  requestId: { means: "Number of the request: ask for its result with it", example: 17 },
  "Receipt.requestId": { means: "Number of the request: ask for its result with it", example: 17 },
  "ItemsResult.status": { means: "How far the request is", example: "COMPLETED" },
  "LabelsResult.status": { means: "How far the request is", example: "COMPLETED" },
  overallStatus: {
    means:
      "PENDING or IN_PROGRESS until all rows have their outcome; then SUCCESS, PARTIAL_SUCCESS or ERROR, as all, some or no rows are good",
    example: "SUCCESS",
  },
  status: { means: "Status", example: "SUCCESS" },
  errors: { means: "What is wrong; empty where nothing is", example: [] },
  itemResults: { means: "What became of each item, in the order of the request" },
  results: { means: "What became of each link or label, in the order of the request" },
  "LabelsResult.reason": { means: "Why the request as a whole could not run" },

  "LabelModel.name": { means: "Name of the model", example: "Medium" },
  models: { means: "Models, in order of their names" },
  labelTypes: { means: "Label types that the model is for", example: [1328, 1344] },
  linkPositions: { means: "How many items a label of the model holds", example: 1 },

  duration: { means: "Seconds", example: 8 },
  realTime: { means: "Whether it goes before every other transmission", example: true },
  color: { means: "Colour, as `#rrggbb` or `rgb(r,g,b)`; the nearest that labels have is taken", example: "#00ff00" },
  flashType: { means: "How strong: 10, 20, 30, 40 or 50", example: 50 },
  page: { means: "Page of the label", example: "info" },
  "LabelReport.page": { means: "Page of the label", example: 0 },
  action: { means: "What to do with the page", example: "set-temporary" },
  result: { means: "What became of it", example: "OK" },
  pageIndex: { means: "0-based page", example: 0 },
  resize: { means: "0: as it is, 1: fitted with its aspect ratio, 2: stretched to the page", example: 1 },

  "Problem.type": { means: "The cause: one stable address each", example: "/problems/not-found" },
  "Problem.title": { means: "The cause in words, the same for each occurrence" },
  "Problem.status": { means: "The status of the answer", example: 404 },
  "Problem.detail": { means: "What was wrong this time" },
  "Problem.instance": { means: "This occurrence, by the answer's X-Request-Id" },
  "Problem.errors": { means: "Every fault of the request, with its place" },
  pointer: { means: "JSON Pointer to the place; `/query` or `/path` where it is not in the body", example: "/0/price" },
  "Fault.detail": { means: "What is wrong there", example: "must be a string or null, not 1.99" },

  "HistoryEntry.time": { means: "When it happened", example: moment },
  "HistoryEntry.event": { means: "What happened", example: "picture" },

  reports: { means: "Reports, in any order" },
  store: { means: "The `Store` header of the call that addressed the label", example: "t/demo/s/main" },
  kind: { means: "What is reported", example: "acknowledged" },
  at: { example: "2026-03-02T07:15:30.000Z" },
  transmission: { means: "Transmission number, from its Idempotency-Key", example: 42 },
  reason: { means: "Why it failed", example: "no answer from the label" },
  battery: { means: "State of the battery", example: "OK" },
  transceiver: { means: "Short id of the transceiver that heard the label", example: "T1" },
};

/** Description and example of a field by its name; an entry `Component.name` overrides them. */
export const fieldOf = (name: string, component: string): Field => ({
  ...(Object.hasOwn(fields, name) && fields[name]),
  ...fields[`${component}.${name}`],
});
