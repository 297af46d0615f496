import test from "ava";
import { hashPassword } from "../../api/access/passwords.ts";
import { apiUsers } from "../../records/kinds/api-user.ts";
import { apiUserKey } from "../../schemas/keys.ts";
import { numberOf, writeItems, writeLabels } from "../api/calls.ts";
import { glassOf, itemOutcomes, labelFor } from "../harness/glass.ts";
import { ownStack } from "../harness/own.ts";
import { type RecordedAnswer, sendRecorded } from "./recorded.ts";

/** What programs that exist send, byte for byte, and what becomes of it on the emulated glass. */
const shelfwire = ownStack({ withFront: true });

const PASSWORD = "correct horse: battery";
const BASIC = Buffer.from(`till:${PASSWORD}`).toString("base64");

test.serial.before(async () => {
  const user = { name: "till", tenant: "demo", stores: "*" as const, scope: "*" };
  const password = await hashPassword(PASSWORD);
  await shelfwire.system.commit.change(apiUsers, [apiUserKey("till")], () => ({ ...user, password }), "bulk");
});

const send = (recording: string) => sendRecorded(shelfwire.origin, recording);

/** The outcomes of the request that was accepted. */
const outcomesOf = async ({ status, text }: RecordedAnswer) =>
  itemOutcomes(shelfwire, await numberOf(new Response(text, { status })));

/** Makes an item and a label that shows it; gives back the barcode once the picture is on the glass. */
async function hang(itemId: string): Promise<string> {
  const barcode = labelFor(itemId);
  await writeItems(shelfwire, [{ itemId, itemName: `The ${itemId}`, price: "9.99" }]);
  await writeLabels(shelfwire, [{ barcode, links: [{ itemId }] }]);
  await glassOf(shelfwire, barcode);
  return barcode;
}

test("a program that sends name and password with every call changes a price on the glass", async (t) => {
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

test("a program that cuts the token out of the login's answer by its place goes on with it", async (t) => {
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

test("a program that waits for a challenge before it sends its password finds Basic in it", async (t) => {
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
