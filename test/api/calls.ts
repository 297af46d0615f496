import type { ExecutionContext } from "ava";
import type { Static } from "typebox";
import { models } from "../../records/kinds/tenants.ts";
import type { ItemAnswer, ItemPatch } from "../../schemas/item.ts";
import { modelKey, tenantKey } from "../../schemas/keys.ts";
import type { LabelAnswer, LabelPatch } from "../../schemas/label.ts";
import type { Model } from "../../schemas/model.ts";
import { Problem } from "../../schemas/problem.ts";
import type { Store } from "../../schemas/store.ts";
import { compileCheck } from "../../schemas/validate.ts";
import { demoStore, TENANT_ID } from "../../scripts/demo/catalogue.ts";
import { eventually } from "../harness/eventually.ts";
import { itemOutcomes, labelOutcomes } from "../harness/glass.ts";
import { callersOf, type Served } from "../harness/served.ts";
import type { Shelfwire } from "../harness/shelfwire.ts";
import { manage } from "./management/calls.ts";

export type ItemBody = Static<typeof ItemAnswer.L> & { properties: Record<string, string> };
export type LabelBody = Static<typeof LabelAnswer.full>;

const checkProblem = compileCheck(Problem);

/** Sends rows to PATCH /items; returns their outcomes. */
export const writeItems = async (shelfwire: Served, rows: readonly ItemPatch[]) =>
  itemOutcomes(shelfwire, await shelfwire.client.patchItems(rows));

/** Sends rows to PATCH /labels; returns their outcomes. */
export const writeLabels = async (shelfwire: Served, rows: readonly LabelPatch[]) =>
  labelOutcomes(shelfwire, await shelfwire.client.patchLabels(rows));

/** Sends a write that has a labels-result; returns the outcomes of its rows. */
export const writeLinks = async (shelfwire: Served, method: string, path: string, body?: unknown) =>
  labelOutcomes(shelfwire, await numberOf(await untilTaken(() => shelfwire.call(method, path, body))));

/** Deletes an item; returns its outcome. */
export const deleteItem = async (shelfwire: Served, itemId: string) => {
  const path = `/items/${encodeURIComponent(itemId)}`;
  return itemOutcomes(shelfwire, await numberOf(await untilTaken(() => shelfwire.call("DELETE", path))));
};

/** Repeats a call while it is refused with 503, as callers do: a busy machine may delay the database by seconds. */
export const untilTaken = (send: () => Promise<Response>): Promise<Response> =>
  eventually("the call is accepted", async () => {
    const answer = await send();
    return answer.status !== 503 && answer;
  });

/** Links an item in one call, repeated until it returns LINKED, because a busy machine may exceed the call's timeout. */
export const linkSingle = (shelfwire: Served, link: object) =>
  eventually("the call returns LINKED", async () => {
    const send = () => shelfwire.call("POST", "/labels/link-single?timeout=60000", link);
    const { status } = await bodyOf<{ status: string }>(await untilTaken(send));
    return status === "LINKED";
  });

/** Returns the id of an accepted request. */
export async function numberOf(answer: Response): Promise<number> {
  if (answer.status !== 202) throw new Error(`${answer.url}: ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { requestId: number }).requestId;
}

/** Returns the body of a response, which must have this status. */
export async function bodyOf<Body>(answer: Response, status = 200): Promise<Body> {
  if (answer.status !== status) throw new Error(`${answer.url}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Body;
}

/** Uploads an image for a page of an item, as a form in a browser would. */
export async function sendPageImage(
  { base, token }: Served,
  itemId: string,
  page: number,
  image: Uint8Array,
  resize = 0,
): Promise<Response> {
  const body = new FormData();
  body.append("imageFile", new Blob([Uint8Array.from(image)]), "image.png");
  const headers = { authorization: `Bearer ${await token()}` };
  return fetch(`${base}/items/${itemId}/page/${page}?resize=${resize}`, { method: "POST", headers, body });
}

export const readItem = async ({ call }: Served, itemId: string): Promise<ItemBody> =>
  (await bodyOf<{ value: ItemBody }>(await call("GET", `/items/${encodeURIComponent(itemId)}`))).value;

export const readLabel = async ({ call }: Served, barcode: string, query = ""): Promise<LabelBody> =>
  bodyOf(await call("GET", `/labels/${barcode}${query}`));

/** Asserts that a response is a complete problem document with this status; returns it. */
export async function refused(t: ExecutionContext, answer: Response, status: number): Promise<Problem> {
  const problem = (await answer.json()) as Problem;
  t.is(answer.status, status, JSON.stringify(problem));
  t.is(answer.headers.get("content-type"), "application/problem+json");
  t.deepEqual(checkProblem(problem), []);
  t.is(problem.status, status);
  return problem;
}

/** Returns the pointers of a problem's faults. */
export const pointersOf = ({ errors }: Problem): string[] => (errors ?? []).map(({ pointer }) => pointer).sort();

/** Adds another store to the demo tenant; returns its calls. */
export async function openStore<Caller extends Served>(
  shelfwire: Caller,
  storeId: string,
  differs: Partial<Store> = {},
): Promise<Caller> {
  await bodyOf(await manage(shelfwire, "PUT", `/stores/${storeId}`, { ...demoStore, name: storeId, ...differs }));
  return { ...shelfwire, ...(await callersOf(shelfwire.origin, storeId)) };
}

/** Moves the demo store to UTC, which repeats no hour: in a repeated hour, a test's local time would be ambiguous. */
export async function moveToUtc(shelfwire: Served): Promise<void> {
  const { storeId: _, ...main } = await bodyOf<{ storeId: string }>(await manage(shelfwire, "GET", "/stores/main"));
  await bodyOf(await manage(shelfwire, "PUT", "/stores/main", { ...main, timeZone: "UTC" }));
}

/** Adds a model to the demo tenant. */
export async function addModel({ system }: Pick<Shelfwire, "system">, model: Model): Promise<void> {
  await system.commit.change(models, [modelKey(tenantKey(TENANT_ID), model.name)], () => model, "bulk");
}

/** Returns the attributes of a problem's challenge, without the realm. */
export const challengeOf = (answer: Response) =>
  answer.headers.get("www-authenticate")?.replace('Bearer realm="shelfwire"', "");
