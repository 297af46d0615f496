import { call, element, enableButtons, fieldNamesIn } from "../call.ts";
import { isConfirmed } from "../confirm.ts";
import { look } from "../live-page.ts";
import { refusalReason, rowReason } from "../notice-text.ts";
import { isMeant, noPrice, priceIn, showPrice } from "../prices/price-field.ts";
import { readJson } from "../read-all.ts";
import { outcomesOf } from "../requests.ts";
import { textsIn } from "../texts.ts";
import { changedMeanwhile, changesOf, type Editable, type ItemChanges, textFields } from "./changes-of-item.ts";
import { isOver, wallTimeOf } from "./item-time.ts";
import type { ItemAnswer } from "./searched-fields.ts";

const { base = "", item: itemId = "", list = "", tag = "" } = element("#item").dataset;
const address = `${base}/items/${encodeURIComponent(itemId)}`;

const form = document.querySelector<HTMLFormElement>("#form");
if (form !== null) edit(form);

/** Saves the differences from what was shown, after checking that nobody else has changed the same fields. */
function edit(form: HTMLFormElement): void {
  const text = textsIn(form);
  const names = JSON.parse(form.dataset.names ?? "{}") as Record<string, string>;
  const meanwhile = element("#meanwhile");
  const priceField = element<HTMLInputElement>("#form [name=price]");
  let shown = valuesOf(form);
  let seenTag = tag;

  const say = (content: string) => {
    element("#outcome").textContent = content;
  };

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    meanwhile.hidden = true;
    const wanted = valuesOf(form);
    const changes = changesOf(shown, wanted);
    if (isNothing(changes)) return say(text("item.nothing"));
    const now = await readAgain(seenTag);
    if (now === undefined) return say(text("item.failed"));
    const contested = now === "same" ? [] : changedMeanwhile(shown, now.item, wanted);
    if (now !== "same" && contested.length > 0) return offerChoice(contested, now.item, wanted);
    await save(changes);
  });
  element("#overwrite").addEventListener("click", () => {
    meanwhile.hidden = true;
    void save(changesOf(shown, valuesOf(form)));
  });
  element("#reload").addEventListener("click", () => location.reload());
  document.querySelector("#add-property")?.addEventListener("click", () => {
    const row = element<HTMLTemplateElement>("#new-property").content.cloneNode(true) as DocumentFragment;
    element("#properties").append(row);
    element("#properties").querySelector<HTMLInputElement>(".new-property:last-of-type input")?.focus();
  });

  function offerChoice(contested: readonly string[], now: Editable, wanted: Editable): void {
    const shownAs = (item: Editable, name: string) => {
      if (name.startsWith("/")) return item.properties[name.slice(1)] ?? "";
      return name === "sics" ? item.sics.join(", ") : (item[name as (typeof textFields)[number]] ?? "");
    };
    const rows = contested.map((name) => {
      const row = document.createElement("li");
      const field = name.startsWith("/") ? name.slice(1) : (names[name] ?? name);
      row.textContent = text("item.meanwhileRow", { field, now: shownAs(now, name), yours: shownAs(wanted, name) });
      return row;
    });
    element("#meanwhile ul").replaceChildren(...rows);
    meanwhile.hidden = false;
    element("#reload").focus();
    say("");
  }

  async function save(changes: ItemChanges): Promise<void> {
    const { price } = changes.patch;
    if (price !== undefined && priceIn(priceField) === undefined) return say(noPrice(priceField));
    const validFrom = wallTimeOf(String(new FormData(form).get("validFrom") ?? ""));
    const isPlanned = validFrom !== undefined;
    if (isPlanned && hasRemovals(changes)) return say(text("item.cannotPlan"));
    if (isPlanned && isOver(validFrom, new Date(), form.dataset.zone)) return say(text("item.past"));
    if (typeof price === "string" && !(await isMeant(shown.price ?? "", price))) return say(text("price.kept"));
    say(text("item.saving"));
    // The calls change different parts of the item, so none waits for another.
    const all = await Promise.all(callsFor(changes, validFrom).map((send) => outcomesOf(base, send))).catch(
      () => undefined,
    );
    const failure = all === undefined ? text("item.failed") : failureIn(all, form);
    if (all === undefined || failure !== undefined) return say(failure ?? "");
    // The clocks of a browser and of a store may differ, so the interface decides which changes are scheduled.
    const isListed = isPlanned && (await isScheduled(all[0]?.requestId).catch(() => true));
    // Before the message, since a user who reads that the item is saved may save again immediately.
    if (isListed) form.reset();
    else await rest().catch(() => undefined);
    say(text(isListed ? "item.planned" : isPlanned ? "item.atOnce" : "item.saved"));
    await look();
  }

  /** Compares further changes with the current values. */
  async function rest(): Promise<void> {
    const now = await readAgain(seenTag);
    if (now === undefined || now === "same") return;
    seenTag = now.tag;
    const values = valuesOf(form);
    showPrice(priceField, now.item.price ?? "");
    for (const input of form.querySelectorAll<HTMLInputElement>("input, textarea")) input.defaultValue = input.value;
    shown = { ...values, price: now.item.price, properties: now.item.properties, sics: now.item.sics };
  }
}

/** Reads the current item; `same` if it still has the tag that was seen. */
async function readAgain(seenTag: string): Promise<"same" | { item: ItemAnswer; tag: string } | undefined> {
  const response = await fetch(address, { cache: "no-store", headers: { "if-none-match": seenTag } }).catch(
    () => undefined,
  );
  if (response?.status === 304) return "same";
  if (!response?.ok) return undefined;
  const { value } = (await response.json()) as { value: ItemAnswer };
  return { item: value, tag: response.headers.get("etag") ?? "" };
}

/** Returns the calls that save changes: one for the fields, and one for each code and property that is removed. */
function callsFor({ patch, removedCodes, removedProperties }: ItemChanges, validFrom: string | undefined) {
  const fields = { ...patch, ...(validFrom !== undefined && { validFrom }) };
  return [
    ...(Object.keys(patch).length > 0 ? [() => call("PATCH", address, fields)] : []),
    ...removedCodes.map((code) => () => call("DELETE", `${base}/items/sic/${encodeURIComponent(code)}`)),
    ...removedProperties.map((key) => () => call("DELETE", `${address}/properties/${encodeURIComponent(key)}`)),
  ];
}

/** Returns why one of the calls did not save everything; undefined if all calls did. */
function failureIn(all: readonly Awaited<ReturnType<typeof outcomesOf>>[], form: HTMLFormElement): string | undefined {
  const text = textsIn(form);
  for (const { outcomes, refusal } of all) {
    const failed = outcomes.find(({ status }) => !status.startsWith("SUCCESS"));
    if (outcomes.length > 0 && failed === undefined) continue;
    const reason = refusal ? refusalReason(refusal, text, fieldNamesIn(form)) : failed ? rowReason(failed, text) : "";
    if (failed?.status === "PARTIAL") return text("item.savedInPart", { reason });
    return reason === "" ? text("item.failed") : text("item.refused", { reason });
  }
  return undefined;
}

const hasRemovals = ({ removedCodes, removedProperties }: ItemChanges): boolean =>
  removedCodes.length + removedProperties.length > 0;

/** Whether a request's change is scheduled. */
const isScheduled = async (request: number | undefined): Promise<boolean> =>
  (await readJson<{ requestId: number }[]>(`${address}/scheduled`)).some(({ requestId }) => requestId === request);

const isNothing = (changes: ItemChanges): boolean => Object.keys(changes.patch).length === 0 && !hasRemovals(changes);

/** Returns the form's contents; the price is in the API's format if it is valid. */
function valuesOf(form: HTMLFormElement): Editable {
  const data = new FormData(form);
  const value = (name: string) => String(data.get(name) ?? "").trim();
  const known = [...form.querySelectorAll<HTMLInputElement>("[data-property]")].map(
    (input) => [input.dataset.property ?? "", input.value.trim()] as const,
  );
  const added = [...form.querySelectorAll(".new-property")].map((row) => {
    const [key, content] = [...row.querySelectorAll("input")].map((input) => input.value.trim());
    return [key ?? "", content ?? ""] as const;
  });
  return {
    ...(Object.fromEntries(textFields.map((field) => [field, value(field)])) as Record<
      (typeof textFields)[number],
      string
    >),
    price: priceIn(element<HTMLInputElement>("#form [name=price]")) ?? value("price"),
    sics: value("sics")
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean),
    properties: Object.fromEntries([...known, ...added.filter(([key, content]) => key !== "" && content !== "")]),
  };
}

const waits = element("#waits");
waits.addEventListener("click", async ({ target }) => {
  const button = (target as HTMLElement).closest<HTMLButtonElement>("button[data-cancel]");
  if (button === null) return;
  button.disabled = true;
  const answered = await outcomesOf(base, () => call("DELETE", `${address}/scheduled/${button.dataset.cancel}`)).catch(
    () => undefined,
  );
  const isDone = answered?.outcomes.some(({ status }) => status === "SUCCESS") === true;
  // Without its item, a page shows only scheduled changes.
  if (isDone && form === null) return location.reload();
  button.disabled = false;
  // A part with the focus is not replaced.
  element("#waits-title").focus();
  element("#waits-outcome").textContent = (isDone ? waits.dataset.cancelled : waits.dataset.failed) ?? "";
  await look();
});

document.querySelector("#delete")?.addEventListener("click", async () => {
  if (!(await isConfirmed(element("#delete-dialog")))) return;
  const answered = await outcomesOf(base, () => call("DELETE", address)).catch(() => undefined);
  if (answered?.outcomes.some(({ status }) => status === "SUCCESS")) return location.assign(list);
  if (form !== null) element("#outcome").textContent = textsIn(form)("item.failed");
});

enableButtons();
