import test from "ava";
import { demoStore } from "../../../scripts/demo/catalogue.ts";
import { servedStack } from "../../harness/served-stack.ts";
import { bodyOf } from "../calls.ts";
import { manage, operate } from "./calls.ts";

const shelfwire = servedStack({ workers: [] });

interface Refusal {
  errors: { pointer: string; detail: string }[];
}

const { name, timeZone, currency, locale } = demoStore;
const store = { name, timeZone, currency, locale, linkDepartments: [] };
const bodies: [method: "PUT" | "POST", path: string, body: object, pointer: string, nearest: string][] = [
  ["PUT", "/stores/spare", { ...store, timezone: "Europe/Berlin" }, "/timezone", "timeZone"],
  ["PUT", "/models/Spare", { labelTypes: [1328], linkPosition: 1, linkPositions: 1 }, "/linkPosition", "linkPositions"],
  ["PUT", "/label-servers/spare", { url: "https://labels.example", secrets: "x" }, "/secrets", "secret"],
  ["POST", "/subscriptions", { topics: ["link.v2"], url: "https://x.example/a", store: ["main"] }, "/store", "stores"],
  ["POST", "/tokens", { stores: "*", scope: "*", lifetime: 3_600, subjekt: "till" }, "/subjekt", "subject"],
];
for (const [method, path, body, pointer, nearest] of bodies)
  test(`${method} ${path} refuses an unknown field and suggests the nearest name`, async (t) => {
    const answer = path.startsWith("/subscriptions")
      ? await manage(shelfwire, method, path, body)
      : await operate(shelfwire, method, `/t/demo/api/management/v1${path}`, body);
    t.is(answer.status, 400);
    const { errors } = (await answer.json()) as Refusal;
    t.is(errors.length, 1);
    t.is(errors[0]?.pointer, pointer);
    t.regex(errors[0]?.detail ?? "", new RegExp(`^is not a field of this object; the nearest is \`${nearest}\``));
  });

test("a store's response can be sent back unchanged", async (t) => {
  const shown = await bodyOf<object>(await manage(shelfwire, "PUT", "/stores/round", store));
  t.deepEqual(await bodyOf(await manage(shelfwire, "PUT", "/stores/round", shown)), shown);
});
