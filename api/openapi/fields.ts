/**
 * Description and example of a field. A name has one meaning in the whole interface; exceptions are listed with their
 * component.
 */
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
  price: { means: "Price, exactly as sent", example: "1.99" },
  itemGroup: { means: "Item group", example: "Juices" },
  department: { means: "Department", example: "Drinks" },
  presentation: { means: "Presentation (also called IPF)", example: "bottle" },
  sic: { means: "Secondary item code", example: "3850000000017" },
  sics: { means: "Secondary item codes", example: ["3850000000017"] },
  properties: { means: "Custom properties", example: { priceKind: "regular", quantity: "1 l", unitPrice: "1.99" } },
  lastUpdated: { example: "2026-03-02T08:15:30+01:00[Europe/Zagreb]" },
  validFrom: { example: "2026-03-09 06:00:00" },
  deadline: { example: "2026-03-09 05:59:00" },

  barcode: { means: "Barcode of the label", example: barcode },
  eslBarcode: { means: "Barcode of the label", example: barcode },
  eslId: { means: "Barcode of the label", example: barcode },
  barcodeOrLabelType: { example: "1328" },
  modelName: { means: "Name of the label's model", example: "Medium" },
  linkDepartment: { means: "Link department, by id or alias", example: "sales-floor" },
  plLocation: { means: "Label location", example: "A-12" },
  plState: { means: "State of the label", example: "OK" },
  batteryState: { means: "State of the battery", example: "OK" },
  lowBatteryDate: { means: "When the battery last became LOW, or null", example: null },
  homeTrx: { means: "Home transceiver, short form", example: "T1" },
  device: { means: "MAC address of the tag; absent if none was set", example: "00000218D6C53B19" },
  lastTrxList: { means: "Transceivers that last heard the label, comma-separated, newest first", example: "T1,T2" },
  hardwareRevision: { means: "Hardware version", example: "2.1" },
  lastDisplayUpdate: { means: "When a changed picture was last acknowledged", example: moment },
  batteryStateChanged: { means: "When the battery state last changed", example: moment },
  batteryStateLastConfirmed: { means: "When the battery state was last reported", example: moment },
  batteryStateFirstEnteredLow: { means: "When the battery was first LOW", example: null },
  batteryDaysLeft: {
    means: "Forecast of how many days the battery will last; absent if its charge is unknown",
    example: 210,
  },
  firstLinked: { means: "When the label was first linked", example: moment },
  lastLinked: { means: "When the label was last linked", example: moment },
  lastUpdate: { means: "End of the last transmission, successful or not", example: moment },
  lastOkUpdate: { means: "Time of the last acknowledged transmission", example: moment },
  positions: { means: "Position of the label in the store", example: { manual: { x: 12.5, y: 3.25, floor: 0 } } },
  "LabelPreview.positions": { means: "The separate picture of each position, in the order of the call" },
  manual: { means: "Position entered manually" },
  position: { means: "Position of the label in the store", example: { x: 12.5, y: 3.25, floor: 0 } },
  x: { means: "Horizontal position", example: 12.5 },
  y: { means: "Vertical position", example: 3.25 },
  floor: { means: "Floor", example: 0 },
  serializeDatesToIso8601: {
    means:
      "Return dates as ISO 8601 with milliseconds and offset, instead of `YYYY-MM-DD hh:mm:ss` in the store's time zone",
  },
  "filter[barcode]": { means: "Only labels with one of these barcodes", example: [barcode] },
  "filter[modelName]": { means: "Only labels of one of these models", example: ["Medium"] },
  "filter[plState]": { means: "Only labels in one of these states", example: ["PENDING"] },
  "filter[batteryState]": { means: "Only labels whose battery is in one of these states", example: ["LOW"] },
  sortProperty: {
    means: "Field by which the list is sorted; labels with equal values are sorted by barcode",
    example: "plLocation",
  },
  sortDirection: { means: "Whether the list is ascending or descending", example: "ASC" },

  links: { means: "Links, by display position" },
  designerlink: { means: "Metadata of a link with a manually chosen design" },
  ecclink: { means: "Metadata of a link drawn by an ECC model" },
  studiolink: { means: "Metadata of a link whose design is chosen by the rules" },
  "LinkBulk.operation": {
    means: "Whether the pairs become store-level links or stop being store-level links",
    example: "LINK",
  },
  linkId: { means: "Id of the link", example: `${barcode}-0` },
  displayPosition: { means: "0-based position of the item on the label", example: 0 },
  facings: { means: "Number of facings", example: "2" },
  designId: { means: "Id of the design", example: "regular-296x128" },
  forced_design_id: { means: "Design that is shown regardless of the rules", example: "regular-296x128" },
  storeIds: { means: "Ids of stores", example: ["main"] },
  "LinkSingleAnswer.status": { means: "Whether the label shows the picture", example: "LINKED" },

  projection: { example: "L" },
  start: { example: 0 },
  limit: { example: 100 },
  requestId: { means: "Number of the request, with which its result is queried", example: 17 },
  "Receipt.requestId": { means: "Number of the request, with which its result is queried", example: 17 },
  "ItemsResult.status": { means: "Progress of the request", example: "COMPLETED" },
  "LabelsResult.status": { means: "Progress of the request", example: "COMPLETED" },
  overallStatus: {
    means:
      "PENDING or IN_PROGRESS until every row has its outcome; then SUCCESS, PARTIAL_SUCCESS or ERROR, if all, some or none of the rows succeeded",
    example: "SUCCESS",
  },
  status: { means: "Status", example: "SUCCESS" },
  errors: { means: "The faults; empty if there are none", example: [] },
  itemResults: { means: "Outcome of each item, in the order of the request" },
  results: { means: "Outcome of each link or label, in the order of the request" },
  "LabelsResult.reason": { means: "Why the request as a whole could not be executed" },

  "LabelModel.name": { means: "Name of the model", example: "Medium" },
  models: { means: "Models, sorted by name" },
  labelTypes: { means: "Label types of the model", example: [1328, 1344] },
  linkPositions: { means: "Number of items that a label of the model can show", example: 1 },

  duration: { means: "Seconds", example: 8 },
  realTime: { means: "Whether it takes priority over all other transmissions", example: true },
  color: {
    means: "Colour, as `#rrggbb` or `rgb(r,g,b)`; mapped to the nearest colour of the label",
    example: "#00ff00",
  },
  flashType: { means: "Brightness: 10, 20, 30, 40 or 50", example: 50 },
  button: { example: 1 },
  "LabelTypeOrder.button": { example: true },
  "LabelType.button": { example: true },
  "CatalogueEntry.button": { example: true },
  lastPress: { example: { button: 1, time: moment } },
  "Label.sensors": { example: { temperature: { value: 21.5, time: moment } } },
  sequenceId: { means: "Id of the flash sequence", example: "6f1d3c52-0d0f-4a51-9d4e-6f4f0a0a1c11" },
  advance: { example: "button" },
  "FlashSequence.state": { example: "running" },
  "FlashSequence.step": { example: 1 },
  "FlashSequence.result": { example: "pressed" },
  "FlashSequence.endedAt": { example: moment },
  "FlashSequence.createdAt": { example: moment },
  barcodes: { means: "Barcodes of labels", example: [barcode] },
  page: { means: "Page of the label", example: "info" },
  "LabelReport.page": { means: "Page of the label", example: 0 },
  action: { means: "What to do with the page", example: "set-temporary" },
  result: { means: "Outcome", example: "OK" },
  pageIndex: { means: "Page number, from 0", example: 0 },
  resize: { means: "0: unscaled, 1: scaled to fit with its aspect ratio, 2: stretched to the page", example: 1 },

  "Problem.type": {
    means: "Identifies the cause; a stable address for each kind of problem",
    example: "/problems/not-found",
  },
  "Problem.title": { means: "The cause in words, the same for all occurrences" },
  "Problem.status": { means: "HTTP status of the response", example: 404 },
  "Problem.detail": { means: "Description of this occurrence" },
  "Problem.instance": { means: "This occurrence, identified by the X-Request-Id of the response" },
  "Problem.errors": { means: "All faults of the request, with their places" },
  pointer: {
    means: "JSON Pointer to the place; starts with `/query` or `/path` if it is not in the body",
    example: "/0/price",
  },
  "Fault.detail": { means: "Description of the fault", example: "must be a string or null, not 1.99" },

  "HistoryEntry.time": { means: "Time of the event", example: moment },
  "HistoryEntry.event": { means: "Kind of event", example: "picture" },

  reports: { means: "Reports, in any order" },
  store: { means: "The `Store` header of the call that addressed the label", example: "t/demo/s/main" },
  kind: { means: "Kind of report", example: "acknowledged" },
  at: { example: "2026-03-02T07:15:30.000Z" },
  transmission: { means: "Transmission number, from its Idempotency-Key", example: 42 },
  reason: { means: "Reason for the failure", example: "no response from the label" },
  battery: { means: "State of the battery", example: "OK" },
  press: { means: "A press of a button on the label" },
  sensors: { means: "What the label measured", example: { temperature: 21.5 } },
  temperature: { means: "Temperature at the label in °C", example: 21.5 },
  transceiver: { means: "Short id of the transceiver that heard the label", example: "T1" },
};

/** Returns the description and example of a field by its name; an entry `Component.name` takes precedence. */
export const fieldOf = (name: string, component: string): Field =>
  fields[`${component}.${name}`] ?? (Object.hasOwn(fields, name) ? (fields[name] ?? {}) : {});
