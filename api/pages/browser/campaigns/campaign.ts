import { call, element, enableButtons, fieldNamesIn } from "../call.ts";
import { isConfirmed } from "../confirm.ts";
import { decoded } from "../items/csv.ts";
import { type Problem, refusalReason } from "../notice-text.ts";
import { decimalSignOf } from "../prices/decimal-sign.ts";
import { readPrice } from "../prices/read-price.ts";
import { textsIn } from "../texts.ts";
import { parseItems } from "./parse-items.ts";

const page = element("#campaign");
const { address = "", id = "", page: base = "", list = "" } = page.dataset;
const text = textsIn(page);
const decimal = decimalSignOf(text.language);
const form = document.querySelector<HTMLFormElement>("#campaign-form");

/** Reports the outcome where both the eye and a screen reader find it. */
function say(what: string): void {
  const outcome = element("#outcome");
  outcome.textContent = what;
  outcome.focus();
}

async function refused(answer: Response): Promise<void> {
  const problem = ((await answer.json().catch(() => undefined)) ?? {}) as Problem;
  const reason = refusalReason(problem, text, fieldNamesIn(page));
  say(reason === "" ? text("form.failed") : text("form.refused", { reason }));
  const hold = document.querySelector<HTMLElement>('[data-act="hold"]');
  if (hold && problem.type?.endsWith("/price-guard")) hold.hidden = false;
}

/** Returns the address of a campaign's page, which may end with a query. */
function pageOf(campaignId: string): string {
  const [path = "", query] = base.split("?");
  return `${path}${campaignId}${query ? `?${query}` : ""}`;
}

const local = (value: string): string => (value === "" ? "" : `${value.replace("T", " ").slice(0, 16)}:00`);

/**
 * Returns the form's contents as a request body. For an existing draft, an empty field is sent as null, which removes its
 * value.
 */
function orderOf(filled: HTMLFormElement): object | undefined {
  const data = new FormData(filled);
  const field = (name: string): string => String(data.get(name) ?? "").trim();
  const { items, badLine } = parseItems(field("items"), decimal);
  if (badLine !== undefined) {
    say(text("campaigns.line", { line: badLine }));
    return undefined;
  }
  const filter = named({ itemGroup: field("itemGroup"), department: field("department") });
  const stores = data.getAll("store").map(String);
  const order = {
    from: local(field("from")) || null,
    items: items.length > 0 ? items : null,
    filter,
    prices: pricesOf(field("rule"), field("amount"), field("ending")),
    properties: field("property") === "" ? null : { [field("property")]: field("value") },
    designId: field("designId") || null,
  };
  const known = id === "" ? Object.fromEntries(Object.entries(order).filter(([, value]) => value !== null)) : order;
  const always = { name: field("name"), until: local(field("until")) };
  return { ...always, ...known, ...(stores.length > 0 && { storeIds: stores }) };
}

function named(fields: Record<string, string>): object | null {
  const set = Object.entries(fields).filter(([, value]) => value !== "");
  return set.length === 0 ? null : Object.fromEntries(set);
}

function pricesOf(rule: string, amount: string, ending: string): object | null {
  if (amount === "" || rule === "none") return null;
  if (rule === "property") return { property: amount };
  const number = readPrice(amount.replace("%", "").trim(), decimal) ?? amount;
  if (rule === "fixed") return { fixed: number };
  return { percent: Number(number), ...(ending !== "" && { ending }) };
}

form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const order = orderOf(form);
  if (order === undefined) return;
  say(text("campaigns.saving"));
  const answer = await call(id === "" ? "POST" : "PATCH", id === "" ? address : `${address}/${id}`, order).catch(() =>
    Response.error(),
  );
  if (!answer.ok) return refused(answer);
  const { campaignId } = (await answer.json()) as { campaignId: string };
  location.assign(pageOf(campaignId));
});

form?.querySelector<HTMLInputElement>('[name="file"]')?.addEventListener("change", async ({ target }) => {
  const [file] = (target as HTMLInputElement).files ?? [];
  const field = form.querySelector<HTMLTextAreaElement>('[name="items"]');
  if (file && field) field.value = decoded(await file.arrayBuffer(), text.language);
});

page.addEventListener("click", async ({ target }) => {
  const button = (target as HTMLElement).closest<HTMLButtonElement>("button[data-act]");
  const act = button?.dataset.act;
  if (button === null || act === undefined) return;
  if (act === "cancel" && !(await isConfirmed(element("#cancel-dialog")))) return;
  button.disabled = true;
  const path = `${address}/${id}${act === "delete" ? "" : `/${act === "hold" ? "schedule" : act}`}`;
  const body = act === "hold" ? { onGuard: "HOLD" } : act === "schedule" ? { onGuard: "REFUSE" } : undefined;
  const answer = await call(act === "delete" ? "DELETE" : "POST", path, body).catch(() => Response.error());
  button.disabled = false;
  if (!answer.ok) return refused(answer);
  if (act === "delete") location.assign(list);
  else location.reload();
});

enableButtons();
