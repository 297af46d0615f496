import { addressBelow, call, element, enableButtons } from "../../call.ts";
import { type Problem, refusalReason } from "../../notice-text.ts";
import { readJson } from "../../read-all.ts";
import { textsIn } from "../../texts.ts";
import { beginDesign, idFor } from "./document/begin-design.ts";
import type { Canvas } from "./document/document.ts";

interface Size {
  type: number;
  width: number;
  height: number;
}

const form = document.querySelector<HTMLFormElement>("#new-canvas");
if (form !== null) form.addEventListener("submit", (event) => void create(event, form));

/** Saves drafts of a new design with a layout for each size, and of what names it for the rules, and opens it. */
async function create(event: SubmitEvent, form: HTMLFormElement): Promise<void> {
  event.preventDefault();
  const text = textsIn(form);
  const say = (content: string) => {
    element("#outcome").textContent = content;
  };
  const values = new FormData(form);
  const chosen = new Set(values.getAll("types").map(Number));
  const types = (JSON.parse(form.dataset.types ?? "[]") as Size[]).filter(({ type }) => chosen.has(type));
  if (types.length === 0) return say(text("canvases.noTypes"));
  const { manage = "", page = "" } = form.dataset;
  const name = String(values.get("name"));
  const start = String(values.get("start"));
  const canvasId = idFor(name, Math.random());
  const found =
    start === "" ? undefined : await readJson<Canvas>(`${manage}/canvas-designs/${encodeURIComponent(start)}`);
  const canvas = beginDesign(name, types, found);
  const stored = await call("PUT", `${manage}/canvas-designs/${canvasId}/draft`, { content: canvas }).catch(
    () => undefined,
  );
  const design = { name, canvasId, compatible_esltype_ids: types.map(({ type }) => type) };
  const made = stored?.ok
    ? await call("PUT", `${manage}/designs/${canvasId}/draft`, { content: design }).catch(() => undefined)
    : stored;
  if (made?.ok) return location.assign(addressBelow(page, canvasId));
  const problem = made && ((await made.json().catch(() => undefined)) as Problem | undefined);
  const reason = problem && refusalReason(problem, text, () => undefined);
  say(reason ? text("canvas.refused", { reason }) : text("canvas.failed"));
}

enableButtons();
