import { element, enableButtons, fieldNamesIn } from "../call.ts";
import { isConfirmed } from "../confirm.ts";
import { newKey } from "../new-key.ts";
import { type Problem, refusalReason } from "../notice-text.ts";
import { textsIn } from "../texts.ts";
import { resourceIn } from "./resource-in-form.ts";

const form = element<HTMLFormElement>("#resource");
const { list = "", back = "" } = form.dataset;
// A new resource has an empty id and tag.
const id = form.dataset.id || undefined;
const kept = JSON.parse(form.dataset.kept || "{}") as object;
const text = textsIn(form);
const outcome = element("#outcome");
let seenTag = form.dataset.tag || undefined;

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { id: chosen, ...resource } = resourceIn(form);
  outcome.textContent = text("form.saving");
  const name = id ?? chosen;
  const isNew = id === undefined;
  const answer = await write(
    name === undefined ? "POST" : "PUT",
    name === undefined ? list : `${list}/${encodeURIComponent(name)}`,
    { ...kept, ...resource },
    name === undefined ? {} : isNew ? { "if-none-match": "*" } : { "if-match": seenTag ?? "*" },
  );
  if (answer === undefined) return;
  seenTag = answer.headers.get("etag") ?? undefined;
  const { password, secret } = (await answer.json()) as { password?: string; secret?: string };
  // A secret that was generated here is not in any response.
  const once = password ?? secret ?? (resource.password as string | undefined);
  if (once !== undefined) {
    // A value that is shown only once remains visible until its reader continues.
    element("#once code").textContent = once;
    element("#once").hidden = false;
    for (const fields of form.querySelectorAll("fieldset")) fields.disabled = true;
  }
  // Last, since a user who reads it may leave immediately.
  outcome.textContent = text("form.saved");
  if (once === undefined && isNew) location.assign(back);
});

/** Makes a call; if it is rejected, shows why and returns nothing. */
async function write(
  method: string,
  address: string,
  body: unknown,
  headers: Record<string, string>,
  said: HTMLElement = outcome,
): Promise<Response | undefined> {
  const answer = await fetch(address, {
    method,
    headers: { "idempotency-key": newKey(), "content-type": "application/json", ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch(() => undefined);
  if (answer?.ok) return answer;
  if (answer?.status === 412) said.textContent = text("if-none-match" in headers ? "form.taken" : "form.changed");
  else {
    const problem = ((await answer?.json().catch(() => undefined)) ?? {}) as Problem;
    const reason = refusalReason(problem, text, fieldNamesIn(form));
    said.textContent = reason === "" ? text("form.failed") : text("form.refused", { reason });
  }
  return undefined;
}

document.querySelector("#add-department")?.addEventListener("click", () => {
  element("#departments").append(element<HTMLTemplateElement>("#department").content.cloneNode(true));
  element("#departments").querySelector<HTMLInputElement>(".department:last-of-type input")?.focus();
});

document.querySelector("#remove")?.addEventListener("click", async () => {
  if (!(await isConfirmed(element("#remove-dialog")))) return;
  const headers = { "if-match": seenTag ?? "*" };
  const answer = await write(
    "DELETE",
    `${list}/${encodeURIComponent(id ?? "")}`,
    undefined,
    headers,
    element("#remove-outcome"),
  );
  if (answer !== undefined) location.assign(back);
});

enableButtons();
