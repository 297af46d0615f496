import test from "ava";
import { Jimp } from "jimp";
import { type Client, createClient } from "../../../scripts/client.ts";
import { barcodeFor } from "../../../scripts/operate/import/label-rows.ts";
import { eventually } from "../../harness/eventually.ts";
import { type Installation, OWN_SECRET, openInstallation } from "../../harness/installation.ts";

/**
 * An installation on empty databases with production settings. The test uses only calls that an operator and an integrator can
 * make (docs/operations/set-up-tenants.md#setting-up-an-installation).
 */
const PAIR_TYPE = 1328;
const PAGES_TYPE = 2000;
const SIZE = { width: 296, height: 128 };

interface Shop {
  tenant: string;
  store: string;
  /** Label servers of the test: the installation's, or the tenant's own. */
  labelServer: "installation" | "own";
  barcodeOf(name: string, type: number): string;
}

/** Barcodes of the tenant with its own scheme: the label type, and a number. */
const numbered = (name: string, type: number) =>
  `ESL-${type}-${[...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0)}`;
const standard = (name: string, type: number) => barcodeFor(name, String(type));
const shops: readonly Shop[] = [
  { tenant: "coop", store: "harbour", labelServer: "own", barcodeOf: numbered },
  { tenant: "coop", store: "hill", labelServer: "installation", barcodeOf: numbered },
  { tenant: "market", store: "main", labelServer: "installation", barcodeOf: standard },
];

let installation: Installation;
let platformToken: string;
test.before(async () => {
  installation = await openInstallation();
  await installation.run("npm run --silent release");
  platformToken = (await installation.run("npm run --silent token -- --scope platform")).trim();
});
test.after.always(() => installation.close());

async function call<Body>(token: string, method: string, path: string, body?: unknown): Promise<Body> {
  const answer = await fetch(`${installation.origin}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { "content-type": "application/json" }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Body;
}
const operate = <Body>(method: string, path: string, body?: unknown) => call<Body>(platformToken, method, path, body);
const management = (tenant: string) => `/t/${tenant}/api/management/v1`;
const publicBase = ({ tenant, store }: Shop) => `/t/${tenant}/s/${store}/api/public/core/v1`;

const tokens = new Map<string, string>();
const tokenOf = ({ tenant }: Pick<Shop, "tenant">) => tokens.get(tenant) ?? "";
const clientOf = (shop: Shop): Client =>
  createClient({ origin: installation.origin, tenantId: shop.tenant, storeId: shop.store, token: tokenOf(shop) });

const pairOf = (shop: Shop) => shop.barcodeOf(`pair of ${shop.store}`, PAIR_TYPE);
const pagesOf = (shop: Shop) => shop.barcodeOf(`pages of ${shop.store}`, PAGES_TYPE);
const labelOn = (shop: Shop, barcode: string) => installation.labelServers[shop.labelServer].labels.get(barcode);
const glassOf = (shop: Shop, barcode: string, page = 0) => labelOn(shop, barcode)?.pages.get(page)?.png;
const isOk = async (shop: Shop, barcode: string) =>
  (await call<{ plState: string }>(tokenOf(shop), "GET", `${publicBase(shop)}/labels/${barcode}`)).plState === "OK";

/** Draws the item at each position: its price, in the position's strip. */
const canvas = {
  name: "Prices",
  ...SIZE,
  background: "white",
  elements: [0, 1].map((position) => ({
    kind: "price",
    x: position * 148,
    y: 0,
    width: 148,
    height: SIZE.height,
    font: "bold",
    size: 40,
    value: "${item.price}",
    color: "black",
    visible: `link.displayPosition == ${position}`,
  })),
};

test.serial(
  "the operator creates two tenants with three stores, their label types, models and label server",
  async (t) => {
    t.deepEqual(await operate<object[]>("GET", "/api/platform/v1/tenants"), []);
    const barcodeScheme = { pattern: "^ESL-(?<type>[0-9]{4})-[0-9]{1,6}$", checkDigit: "none" };
    await operate("PUT", "/api/platform/v1/tenants/coop", { name: "Co-op", barcodeScheme });
    await operate("PUT", "/api/platform/v1/tenants/market", { name: "Market" });
    const own = { url: `http://127.0.0.1:${installation.labelServers.own.port}`, secret: OWN_SECRET };
    await operate("PUT", `${management("coop")}/label-servers/cellar`, own);
    for (const tenant of ["coop", "market"]) {
      const type = { ...SIZE, colors: ["white", "black", "red"], display: "matrix", flash: true };
      await operate("PUT", `${management(tenant)}/label-types/${PAIR_TYPE}`, { ...type, pages: 1 });
      await operate("PUT", `${management(tenant)}/label-types/${PAGES_TYPE}`, { ...type, pages: 3 });
      await operate("PUT", `${management(tenant)}/models/Pair`, { labelTypes: [PAIR_TYPE], linkPositions: 2 });
      await operate("PUT", `${management(tenant)}/models/Three%20pages`, {
        labelTypes: [PAGES_TYPE],
        linkPositions: 1,
      });
      const order = { stores: "*", scope: "*", lifetime: 3600 };
      const { token } = await operate<{ token: string }>("POST", `${management(tenant)}/tokens`, order);
      tokens.set(tenant, token);
    }
    for (const { tenant, store, labelServer } of shops)
      await operate("PUT", `${management(tenant)}/stores/${store}`, {
        name: store,
        timeZone: "Europe/Zagreb",
        currency: "EUR",
        locale: "hr-HR",
        linkDepartments: [{ id: "1", alias: "floor", transceivers: ["T1"] }],
        ...(labelServer === "own" && { labelServer: "cellar" }),
      });
    t.is((await operate<object[]>("GET", `${management("coop")}/stores`)).length, 2);
  },
);

test.serial("each tenant saves its design and its rules with its own token", async (t) => {
  for (const tenant of ["coop", "market"]) {
    const put = (path: string, body: unknown) => call(tokenOf({ tenant }), "PUT", `${management(tenant)}${path}`, body);
    await put("/canvas-designs/prices", canvas);
    const compatible_esltype_ids = [PAIR_TYPE, PAGES_TYPE];
    await put("/designs/prices", { name: "Prices", canvasId: "prices", compatible_esltype_ids });
    await put("/communication-packs/prices", {
      name: "Prices",
      scenarios: [{ name: "Price", design_ids: ["prices"] }],
    });
    const activate = `${management(tenant)}/communication-packs/prices/activate`;
    const { active } = await call<{ active: boolean }>(tokenOf({ tenant }), "POST", activate);
    t.true(active);
  }
});

test.serial(
  "items and labels are sent, and every label has its picture on the glass of its label server",
  async (t) => {
    for (const shop of shops) {
      const client = clientOf(shop);
      await client.patchItems([
        { itemId: "apple", itemName: "Apple", price: "1.99" },
        { itemId: "pear", itemName: "Pear", price: "2.99" },
      ]);
      const request = await client.patchLabels([
        {
          barcode: pairOf(shop),
          links: [
            { itemId: "apple", displayPosition: 0 },
            { itemId: "pear", displayPosition: 1 },
          ],
        },
        { barcode: pagesOf(shop), links: [{ itemId: "apple", displayPosition: 0 }] },
      ]);
      const outcomes = await eventually("the labels are linked", async () => {
        const { status, outcomes } = await client.labelsResult(request);
        return status === "COMPLETED" && outcomes;
      });
      t.deepEqual([...new Set(outcomes.map(({ status }) => status))], ["SUCCESS"]);
    }
    for (const shop of shops)
      for (const barcode of [pairOf(shop), pagesOf(shop)]) {
        await eventually(`${barcode} is OK`, () => isOk(shop, barcode));
        t.truthy(glassOf(shop, barcode), barcode);
      }
    for (const shop of shops) {
      const other = installation.labelServers[shop.labelServer === "own" ? "installation" : "own"];
      t.is(other.labels.get(pairOf(shop)), undefined, "no other label server is called for the store");
    }
  },
);

test.serial(
  "an API user logs in and patches a price, which appears in both strips and all stores without more calls",
  async (t) => {
    const shop = shops[0] as Shop;
    const user = { stores: [shop.store], scope: "items:write items:read" };
    const { password } = await operate<{ password: string }>("PUT", `${management(shop.tenant)}/users/till-7`, user);
    const login = await fetch(`${installation.origin}/api/public/auth/v1/login`, {
      headers: { authorization: `Basic ${Buffer.from(`till-7:${password}`).toString("base64")}` },
    });
    const { token } = (await login.json()) as { token: string };
    const before = shops.map((one) => glassOf(one, pairOf(one)));
    await call(token, "PATCH", `${publicBase(shop)}/items/pear`, { price: "3.49" });
    await eventually("the price is on the glass", async () => glassOf(shop, pairOf(shop)) !== before[0]);
    const [left, right] = await Promise.all(
      [0, 1].map((strip) => changed(before[0], glassOf(shop, pairOf(shop)), strip)),
    );
    t.deepEqual([left, right], [false, true]);
    t.is(
      glassOf(shops[1] as Shop, pairOf(shops[1] as Shop)),
      before[1],
      "the same item in another store stays unchanged",
    );
  },
);

/** Whether the strip of a position differs between two pictures. */
async function changed(before: Buffer | undefined, after: Buffer | undefined, position: number): Promise<boolean> {
  const pixels = async (png: Buffer) =>
    (await Jimp.read(png)).crop({ x: position * 148, y: 0, w: 148, h: SIZE.height }).bitmap.data;
  if (before === undefined || after === undefined) throw new Error("there is no picture to compare");
  return !(await pixels(before)).equals(await pixels(after));
}

test.serial("a label with three pages shows an image on each page and temporarily another page", async (t) => {
  for (const shop of shops) {
    for (const page of [1, 2]) {
      const image = new Jimp({ ...SIZE, color: page === 1 ? 0xff0000ff : 0x000000ff });
      const form = new FormData();
      form.append("imageFile", new Blob([await image.getBuffer("image/png")]), "image.png");
      const answer = await fetch(`${installation.origin}${publicBase(shop)}/items/apple/page/${page}`, {
        method: "POST",
        headers: { authorization: `Bearer ${tokenOf(shop)}` },
        body: form,
      });
      t.is(answer.status, 202);
    }
  }
  for (const shop of shops) {
    const barcode = pagesOf(shop);
    await eventually("all pages are on the glass", async () => [0, 1, 2].every((page) => glassOf(shop, barcode, page)));
    const path = `${publicBase(shop)}/labels/${barcode}/display-page`;
    await call(tokenOf(shop), "POST", path, { action: "set-temporary", page: "2", duration: 600 });
    const { labels } = installation.labelServers[shop.labelServer];
    await eventually("page 2 is shown", async () => {
      const label = labels.get(barcode);
      return label && labels.shownPageOf(label) === "2";
    });
  }
});

test.serial("in the end no record is stale", async (t) => {
  await eventually("nothing is stale", async () => {
    const stale = await Promise.all(installation.workers.map((worker) => worker.findStale()));
    return stale.flat().length === 0;
  });
  t.pass();
});
