import test from "ava";
import fc from "fast-check";
import {
  canvasDesignKey,
  chunkKey,
  communicationPackKey,
  designKey,
  fullDesignKey,
  idOf,
  imageFileKey,
  itemKey,
  itemOfStoreLink,
  keysUnder,
  labelKey,
  labelOfLink,
  labelTypeKey,
  linkIdOf,
  linkKey,
  modelKey,
  ownerOf,
  partsOfLinkId,
  sicKey,
  storeIds,
  storeKey,
  storeLinkIdOf,
  storeOf,
  tenantKey,
  tenantOf,
} from "../../schemas/keys.ts";

const kindsOfStores = [itemKey, labelKey, sicKey, linkKey];
const kindsOfTenants = [designKey, canvasDesignKey, communicationPackKey, modelKey, imageFileKey];

/** IDs of tenants and stores; `s` and `t` are also segments of keys. */
const ownerId = fc.oneof(fc.constantFrom("s", "t", "items", "-"), fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/));
/** IDs that callers choose, with many segments and separators of keys. */
const id = fc.oneof(
  fc.string({ minLength: 1, unit: "grapheme" }),
  fc
    .array(fc.constantFrom("/", "-", "s", "t", "items", "/s/", "#", " "), { minLength: 1 })
    .map((parts) => parts.join("")),
);
const store = fc.tuple(ownerId, ownerId).map(([tenantId, storeId]) => storeKey(tenantId, storeId));
const position = fc.integer({ min: 0, max: 255 });

test("a key in a store contains its tenant, its store and its ID, even if the ID contains slashes", (t) => {
  fc.assert(
    fc.property(ownerId, ownerId, fc.constantFrom(...kindsOfStores), id, (tenantId, storeId, keyOf, recordId) => {
      const key = keyOf(storeKey(tenantId, storeId), recordId);
      t.is(tenantOf(key), tenantKey(tenantId));
      t.is(storeOf(key), storeKey(tenantId, storeId));
      t.is(ownerOf(key), storeKey(tenantId, storeId));
      t.is(idOf(key), recordId);
    }),
  );
});

test("a tenant's key contains its tenant and its ID, whatever the ID looks like", (t) => {
  fc.assert(
    fc.property(ownerId, fc.constantFrom(...kindsOfTenants), id, (tenantId, keyOf, recordId) => {
      const key = keyOf(tenantKey(tenantId), recordId);
      t.is(tenantOf(key), tenantKey(tenantId));
      t.is(ownerOf(key), tenantKey(tenantId));
      t.is(idOf(key), recordId);
    }),
  );
});

test("the owner of a store's key is the store, and the owner of a tenant's key is the tenant", (t) => {
  fc.assert(
    fc.property(ownerId, ownerId, (tenantId, storeId) => {
      t.is(ownerOf(storeKey(tenantId, storeId)), storeKey(tenantId, storeId));
      t.is(storeOf(storeKey(tenantId, storeId)), storeKey(tenantId, storeId));
      t.is(tenantOf(storeKey(tenantId, storeId)), tenantKey(tenantId));
      t.is(ownerOf(tenantKey(tenantId)), tenantKey(tenantId));
      t.deepEqual(storeIds(storeKey(tenantId, storeId)), { tenantId, storeId });
    }),
  );
});

test("keys have the documented format", (t) => {
  t.is(itemKey(storeKey("demo", "main"), "a/b"), "t/demo/s/main/items/a/b");
  t.is(designKey(tenantKey("demo"), "offer"), "t/demo/designs/offer");
  t.is(labelTypeKey(tenantKey("demo"), 1628), "t/demo/labeltypes/1628");
  t.is(chunkKey(storeKey("demo", "main"), 7, 0), "t/demo/s/main/requests/7/0");
});

test("a key outside a store has no store, and the error names the key", (t) => {
  for (const key of [tenantKey("demo"), designKey(tenantKey("demo"), "offer"), tenantKey("s")]) {
    t.throws(() => storeOf(key), { message: new RegExp(`"${key}"`) });
  }
});

test("two keys are equal only if they belong to the same record", (t) => {
  const owner = fc.constantFrom("s", "t", "items");
  const recordId = fc
    .array(fc.constantFrom("/", "s", "items"), { minLength: 1, maxLength: 3 })
    .map((parts) => parts.join(""));
  const inStore = fc.tuple(owner, owner, fc.constantFrom(...kindsOfStores), recordId);
  const inTenant = fc.tuple(owner, fc.constant(undefined), fc.constantFrom(...kindsOfTenants), recordId);
  const keyOf = ([tenantId, storeId, kind, id]: [
    string,
    string | undefined,
    (owner: string, id: string) => string,
    string,
  ]) => kind(storeId === undefined ? tenantKey(tenantId) : storeKey(tenantId, storeId), id);
  const record = fc.oneof(inStore, inTenant);
  fc.assert(
    fc.property(record, record, (first, second) => {
      t.is(
        keyOf(first) === keyOf(second),
        first.every((part, index) => part === second[index]),
      );
    }),
    { numRuns: 2000 },
  );
});

test("a link key is split into its label and position, even if the barcode contains dashes or slashes", (t) => {
  fc.assert(
    fc.property(store, id, position, (owner, barcode, displayPosition) => {
      const link = linkKey(owner, linkIdOf(barcode, displayPosition));
      t.deepEqual(labelOfLink(link), { label: labelKey(owner, barcode), displayPosition });
    }),
  );
});

test("a read below a store's kind finds only that kind's keys", (t) => {
  const plain = fc.string({ minLength: 1 });
  fc.assert(
    fc.property(store, store, fc.constantFrom(...kindsOfStores), plain, (owner, otherStore, keyOf, recordId) => {
      const { $gte, $lt } = keysUnder(itemKey(owner, ""));
      const key = keyOf(otherStore, recordId);
      t.is($gte <= key && key < $lt, otherStore === owner && keyOf === itemKey);
      t.true($gte <= itemKey(owner, recordId) && itemKey(owner, recordId) < $lt);
    }),
  );
});

test("a range of keys covers any ID with the prefix, in the database's byte order", (t) => {
  fc.assert(
    fc.property(store, fc.string({ minLength: 1, unit: "binary" }), (owner, recordId) => {
      const { $gte, $lt } = keysUnder(itemKey(owner, ""));
      t.true(Buffer.compare(Buffer.from($gte), Buffer.from(itemKey(owner, recordId))) <= 0);
      t.true(Buffer.compare(Buffer.from(itemKey(owner, recordId)), Buffer.from($lt)) < 0);
    }),
  );
  t.throws(() => keysUnder("t/demo"), { message: /must end with a slash/ });
});

test("a link's ID is split into its barcode and position", (t) => {
  fc.assert(
    fc.property(id, position, (barcode, displayPosition) => {
      t.deepEqual(partsOfLinkId(linkIdOf(barcode, displayPosition)), { barcode, displayPosition });
    }),
  );
});

for (const text of ["", "A4", "A4-", "-0", "A4-x", "A4-00", "A4-256", "A4-1.5", "A4-1 "]) {
  test(`"${text}" is not a valid link ID`, (t) => t.is(partsOfLinkId(text), undefined));
}

test("a store-level link's ID contains its item's ID, even an item ID that looks like a link ID; other link IDs contain none", (t) => {
  for (const itemId of ["4711", "A4-0", "item:1", "a/b"]) t.is(itemOfStoreLink(storeLinkIdOf(itemId)), itemId);
  t.is(itemOfStoreLink(linkIdOf("D42FLOFYMKP013280", 0)), undefined);
});

const designNames: [named: string, key: string | undefined][] = [
  ["offer", "t/demo/designs/offer"],
  ["t/demo/designs/offer", "t/demo/designs/offer"],
  ["t/demo/designs/a/b", "t/demo/designs/a/b"],
  ["t/other/designs/offer", undefined],
  ["t/demo2/designs/offer", undefined],
  ["t/demo/canvasdesigns/offer", undefined],
  ["t/demo", undefined],
];
for (const [named, key] of designNames) {
  test(`the design "${named}" is ${key ?? "another tenant's, or none"}`, (t) =>
    t.is(fullDesignKey("t/demo", named), key));
}
