import test from "ava";
import { readItem, readLabel, writeItems } from "../api/calls.ts";
import { eventually } from "../harness/eventually.ts";
import { glassOf, labelFor } from "../harness/glass.ts";
import { ownStack } from "../harness/own.ts";
import { BASIC, existingProgramOf } from "./existing-program.ts";

/** The calls of existing programs, byte for byte, and their results on the emulated glass. */
const shelfwire = ownStack({ withFront: true });

const { addUser, send, outcomesOf, hang, flashOf } = existingProgramOf(shelfwire);
test.serial.before(() => addUser());

test("a program that sends name and password with every call can change a price on the glass", async (t) => {
  const barcode = await hang("basic");
  const before = await glassOf(shelfwire, barcode);
  const answer = await send(`
PATCH /t/demo/s/main/api/public/core/v1/items HTTP/1.1
Host: {host}
User-Agent: Mozilla/3.0 (compatible; Indy Library)
authorization: Basic ${BASIC}
Accept: text/html, */*
Accept-Encoding: identity
Content-Type: application/json; charset=utf-8
Content-Length: {length}
Connection: keep-alive

[{"itemId":"basic","price":"1.99"}]`);
  t.is((await outcomesOf(answer))[0]?.status, "SUCCESS");
  t.notDeepEqual(await glassOf(shelfwire, barcode), before);
});

test("a program that cuts the token out of the login response by position still works", async (t) => {
  const { text } = await send(`
GET /api/public/auth/v1/login HTTP/1.1
Authorization: Basic ${BASIC}
Host: {host}
Connection: close
`);
  const [, , , , , , , token] = text.split('"');
  const answer = await send(`
GET /t/demo/s/main/api/public/core/v1/items?limit=1 HTTP/1.1
Host: {host}
Authorization: Bearer ${token}
`);
  t.is(answer.status, 200);
});

test("a program that waits for a challenge before it sends its password receives Basic in it", async (t) => {
  const answer = await send(`
GET /t/demo/s/main/api/public/core/v1/labels HTTP/1.1
Accept: application/json
Host: {host}
Connection: Keep-Alive
`);
  t.is(answer.status, 401);
  t.is(answer.headers.get("www-authenticate"), 'Bearer realm="shelfwire", Basic realm="shelfwire", charset="UTF-8"');
  t.regex((JSON.parse(answer.text) as { detail: string }).detail, /Bearer.*Basic.*\/api\/public\/auth\/v1\/login/);
});

test("a flash of items works as callers send it: configuration around its fields, IDs that are SICs", async (t) => {
  const barcode = await hang("flashed");
  await writeItems(shelfwire, [{ itemId: "flashed", sics: ["3850000000017"] }]);
  const answer = await send(`
POST /t/demo/s/main/api/public/core/v1/flash/items HTTP/1.1
Content-Type: application/json
Authorization: Basic ${BASIC}
User-Agent: Java/1.8.0_292
Host: {host}
Accept: text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2
Connection: keep-alive
Content-Length: {length}

{"configuration":{"duration":30,"realTime":true,"color":"rgb(255,0,0)","flashType":50},"itemIds":["3850000000017"]}`);
  t.is(answer.text, `{"results":[{"itemId":"3850000000017","barcode":"${barcode}","result":"OK"}]}`);
  t.deepEqual(await flashOf(barcode), { duration: 30, color: "RED", flashType: 50 });
  const one = await send(`
POST /t/demo/s/main/api/public/core/v1/items/3850000000017/flash HTTP/1.1
host: {host}
authorization: Basic ${BASIC}
content-type: application/json
content-length: {length}

{"configuration":{"color":"#0000FF"}}`);
  t.is(one.text, `{"results":[{"barcode":"${barcode}","result":"OK"}]}`);
  await eventually("the newer colour", async () => (await flashOf(barcode)).color === "BLUE");
});

test("a known name in the wrong place is refused by name", async (t) => {
  const answer = await send(`
POST /t/demo/s/main/api/public/core/v1/flash/items HTTP/1.1
Host: {host}
Authorization: Basic ${BASIC}
Content-Type: application/json
Content-Length: {length}

{"flash":{"color":"#ff0000"},"itemIds":["flashed"]}`);
  t.is(answer.status, 400);
  t.regex(answer.text, /"pointer":"\/flash\/color"/);
});

test("a SIC never names an item to delete", async (t) => {
  await hang("undeleted");
  await writeItems(shelfwire, [{ itemId: "undeleted", sics: ["3850000000024"] }]);
  const answer = await send(`
DELETE /t/demo/s/main/api/public/core/v1/items/3850000000024 HTTP/1.1
Host: {host}
Authorization: Basic ${BASIC}
`);
  t.is((await outcomesOf(answer))[0]?.status, "ITEM_NOT_FOUND");
  t.is((await readItem(shelfwire, "undeleted")).price, "9.99");
});

test("a simple poller sees counts and one word for partly failed rows, and the glass shows which failed", async (t) => {
  const barcode = await hang("polled");
  const before = await glassOf(shelfwire, barcode);
  await writeItems(shelfwire, [{ itemId: "owner", sics: ["3850000000031"] }]);
  const accepted = await send(`
PATCH /t/demo/s/main/api/public/core/v1/items HTTP/1.1
Host: {host}
Authorization: Basic ${BASIC}
Content-Type: application/json
Content-Length: {length}

[{"itemId":"polled","price":"2.49"},{"itemId":"thief","sics":["3850000000031"]}]`);
  const { requestId } = JSON.parse(accepted.text) as { requestId: number };
  const result = await eventually("it is completed", async () => {
    const { text } = await send(`
GET /t/demo/s/main/api/public/core/v1/items-result/${requestId} HTTP/1.1
Host: {host}
Authorization: Basic ${BASIC}
Accept: application/json
`);
    return text.includes('"status":"COMPLETED"') && text;
  });
  t.regex(result, /"overallStatus":"PARTIAL_SUCCESS"/);
  t.regex(result, /"itemErrorCount":1\b/);
  await eventually("the good row is on the glass", async () => !(await glassOf(shelfwire, barcode)).equals(before));
});

test("a program that logs only the detail of a 400 sees the first fault with its path and the number of others", async (t) => {
  const { status, text } = await send(`
PATCH /t/demo/s/main/api/public/core/v1/items HTTP/1.1
Host: {host}
Authorization: Basic ${BASIC}
Content-Type: application/json
Content-Length: {length}

[{"itemId":"logged","price":true},{"price":"1.99"},{"itemId":""}]`);
  t.is(status, 400);
  t.regex((JSON.parse(text) as { detail: string }).detail, /^The body has 3 faults.*\/0\/price must be a string/);
});

test("a page image that fits no label is refused immediately, and the glass stays unchanged", async (t) => {
  const barcode = await hang("paged");
  const before = await glassOf(shelfwire, barcode);
  const { status, text } = await send(`
POST /t/demo/s/main/api/public/core/v1/items/paged/page/127 HTTP/1.1
Host: {host}
Authorization: Basic ${BASIC}
Content-Type: multipart/form-data; boundary=----WebKitFormBoundary7MA4YWxkTrZu0gW
Content-Length: {length}

------WebKitFormBoundary7MA4YWxkTrZu0gW\r
Content-Disposition: form-data; name="imageFile"; filename="page.gif"\r
Content-Type: image/gif\r
\r
GIF89a\r
------WebKitFormBoundary7MA4YWxkTrZu0gW--\r
`);
  t.is(status, 400);
  t.regex(text, /"pointer":"\/path\/pageIndex"/);
  t.deepEqual(await glassOf(shelfwire, barcode), before);
});

test("a sloppily written row changes the glass like its strict form", async (t) => {
  const [careless, strict] = [await hang("careless"), await hang("strict")];
  const answer = await send(`
PATCH /t/demo/s/main/api//public/core/v1//items/ HTTP/1.1
Host: {host}
Accept: */*
Authorization: Basic ${BASIC}
Content-Length: {length}

{"itemId":"careless","price":1.99,"itemName":"One name","properties":{"brand":null,"priceKind":"special"}}`);
  t.is((await outcomesOf(answer))[0]?.status, "SUCCESS");
  await writeItems(shelfwire, [
    { itemId: "strict", price: "1.99", itemName: "One name", properties: { priceKind: "special" } },
  ]);
  const glass = async (barcode: string) => (await glassOf(shelfwire, barcode)).toString("base64");
  await eventually("the same glass", async () => (await glass(careless)) === (await glass(strict)));
  const read = async (itemId: string) => ({
    ...(await readItem(shelfwire, itemId)),
    itemId: "",
    lastUpdated: "",
    links: [],
  });
  t.deepEqual(await read("careless"), await read("strict"));
});

test("booleans and enum values in a query are case-insensitive", async (t) => {
  await hang("query");
  for (const query of ["projection=m&serializeDatesToIso8601=True", "projection=M&serializeDatesToIso8601=1"]) {
    const { status, text } = await send(`
GET /t/demo/s/main/api/public/core/v1/labels/${labelFor("query")}?${query} HTTP/1.1
Host: {host}
Authorization: Basic ${BASIC}
`);
    t.is(status, 200, text);
    t.true(text.includes('"plState"') && !text.includes('"lastUpdate"'), text);
  }
});

test("an extra slash never widens the scope of a DELETE", async (t) => {
  const barcode = await hang("kept");
  for (const path of [`/labels/${barcode}/links/`, "/items//links", "/items/"]) {
    const { status } = await send(`
DELETE /t/demo/s/main/api/public/core/v1${path} HTTP/1.1
Host: {host}
Authorization: Basic ${BASIC}
`);
    t.is(status, path === "/items/" ? 404 : status);
    t.true(status === 404 || status === 400, `${path} ${status}`);
  }
  t.is((await readLabel(shelfwire, barcode)).links.length, 1);
});

for (const path of ["/", "/t/demo/s/main", "/t/demo/s/main/", "/t/demo/s/main/api/public/core/v1/"]) {
  for (const method of ["HEAD", "GET"]) {
    test(`${method} ${path} reports that the server is available`, async (t) => {
      const { status, text } = await send(`
${method} ${path} HTTP/1.1
Host: {host}
User-Agent: curl/7.88.1
Accept: */*
`);
      t.is(status, 200);
      t.is(text.includes("Shelfwire is running"), method === "GET");
    });
  }
}
