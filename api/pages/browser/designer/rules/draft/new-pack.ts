import { call } from "../../../call.ts";
import { type Problem, refusalReason } from "../../../notice-text.ts";
import { textsIn } from "../../../texts.ts";
import { idFor } from "../../new-id.ts";

const form = document.querySelector<HTMLFormElement>("#new-pack");
form?.addEventListener("submit", (event) => void create(event, form));

/** Saves the draft of a pack without rules, and opens it. */
async function create(event: SubmitEvent, { dataset, elements }: HTMLFormElement): Promise<void> {
  event.preventDefault();
  const text = textsIn({ dataset });
  const { manage = "", page = "" } = dataset;
  const name = (elements.namedItem("name") as HTMLInputElement).value.trim();
  const id = idFor(name, "rules", Math.random());
  const content = { name, scenarios: [] };
  const answer = await call("PUT", `${manage}/communication-packs/${id}/draft`, { content }).catch(() => undefined);
  if (answer?.ok) return location.assign(`${page}${page.includes("?") ? "&" : "?"}pack=${id}`);
  const problem = ((await answer?.json().catch(() => undefined)) ?? {}) as Problem;
  const reason = refusalReason(problem, text, () => undefined);
  const outcome = document.querySelector("#new-pack .outcome");
  if (outcome) outcome.textContent = reason ? text("form.refused", { reason }) : text("form.failed");
}
