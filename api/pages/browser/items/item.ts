import { call, element, enableButtons, fieldNamesIn } from "../call.ts";
import { isConfirmed } from "../confirm.ts";
import { look } from "../live.ts";
import { refusalReason, rowReason } from "../notice-text.ts";
import { isMeant, noPrice, priceIn, showPrice } from "../price-field.ts";
import { readJson } from "../read-all.ts";
import { outcomesOf } from "../requests.ts";
import { textsIn } from "../texts.ts";
import { changedMeanwhile, changesOf, type Editable, type ItemChanges, textFields } from "./changes-of-item.ts";
import { isOver, wallTimeOf } from "./item-time.ts";
import type { ItemAnswer } from "./item-words.ts";

const { base = "", item: itemId = "", list = "", tag = "" } = element("#item").dataset;
const address = `${base}/items/${encodeURIComponent(itemId)}`;

const form = document.querySelector<HTMLFormElement>("#form");
if (form !== null) edit(form);

/** Saves the differences from what was shown, once it is sure that nobody else has changed the same fields. */
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
    const now = await readAgain();
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

  /** The current item; `same` if it is the picture that was shown. */
  async function readAgain(): Promise<"same" | { item: ItemAnswer; tag: string } | undefined> {
    const answer = await fetch(address, { cache: "no-store", headers: { "if-none-match": seenTag } }).catch(
      () => undefined,
    );
    if (answer?.status === 304) return "same";
    if (!answer?.ok) return undefined;
    const { value } = (await answer.json()) as { value: ItemAnswer };
    return { item: value, tag: answer.headers.get("etag") ?? "" };
  }

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

  async function save({ patch, removedCodes, removedProperties }: ItemChanges): Promise<void> {
    if (patch.price !== undefined && priceIn(priceField) === undefined) return say(noPrice(priceField));
    const validFrom = wallTimeOf(String(new FormData(form).get("validFrom") ?? ""));
    const isPlanned = validFrom !== undefined;
    if (isPlanned && removedCodes.length + removedProperties.length > 0) return say(text("item.cannotPlan"));
    if (isPlanned && isOver(validFrom, new Date(), form.dataset.zone)) return say(text("item.past"));
    if (typeof patch.price === "string" && !(await isMeant(shown.price ?? "", patch.price)))
      return say(text("price.kept"));
    say(text("item.saving"));
    const calls = [
      ...(Object.keys(patch).length > 0
        ? [() => call("PATCH", address, { ...patch, ...(isPlanned && { validFrom }) })]
        : []),
      ...removedCodes.map((code) => () => call("DELETE", `${base}/items/sic/${encodeURIComponent(code)}`)),
      ...removedProperties.map((key) => () => call("DELETE", `${address}/properties/${encodeURIComponent(key)}`)),
    ];
    // They change different parts of the item, so none waits for another.
    const all = await Promise.all(calls.map((send) => outcomesOf(base, send))).catch(() => undefined);
    if (all === undefined) return say(text("item.failed"));
    for (const { outcomes, refusal } of all) {
      const failed = outcomes.find(({ status }) => !status.startsWith("SUCCESS"));
      if (outcomes.length > 0 && failed === undefined) continue;
      const reason = refusal ? refusalReason(refusal, text, fieldNamesIn(form)) : failed ? rowReason(failed, text) : "";
      if (failed?.status === "PARTIAL") return say(text("item.savedInPart", { reason }));
      return say(reason === "" ? text("item.failed") : text("item.refused", { reason }));
    }
    // The clocks of a browser and of a store may differ: the interface decides which changes are scheduled.
    const isListed = isPlanned && (await isScheduled(all[0]?.requestId).catch(() => true));
    say(text(isListed ? "item.planned" : isPlanned ? "item.atOnce" : "item.saved"));
    if (isListed) form.reset();
    else await rest();
    await look();
  }

  /** Further changes are compared with the current values. */
  async function rest(): Promise<void> {
    const now = await readAgain();
    if (now === undefined || now === "same") return;
    seenTag = now.tag;
    const values = valuesOf(form);
    showPrice(priceField, now.item.price ?? "");
    for (const input of form.querySelectorAll<HTMLInputElement>("input, textarea")) input.defaultValue = input.value;
    shown = { ...values, price: now.item.price, properties: now.item.properties, sics: now.item.sics };
  }
}

/** Whether the change of a request is scheduled. */
const isScheduled = async (request: number | undefined): Promise<boolean> =>
  (await readJson<{ requestId: number }[]>(`${address}/scheduled`)).some(({ requestId }) => requestId === request);

const isNothing = ({ patch, removedCodes, removedProperties }: ItemChanges): boolean =>
  Object.keys(patch).length + removedCodes.length + removedProperties.length === 0;

/** The content of the form; a price in the format of the interface, if it is valid. */
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
