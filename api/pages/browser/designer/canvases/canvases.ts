import { addressBelow, call, element, enableButtons } from "../../call.ts";
import { type Problem, refusalReason } from "../../notice-text.ts";
import { readJson } from "../../read-all.ts";
import { textsIn } from "../../texts.ts";
import { idFor } from "../new-id.ts";
import { beginDesign } from "./document/begin-design.ts";
import type { Canvas } from "./document/document.ts";
import { layOut, type Size } from "./templates/lay-out.ts";
import { openGallery } from "./templates/template-gallery.ts";

const form = document.querySelector<HTMLFormElement>("#new-canvas");
if (form !== null) open(form);

function open(form: HTMLFormElement): void {
  const { manage = "", base = "", store: storeId = "" } = form.dataset;
  const types = JSON.parse(form.dataset.types ?? "[]") as Size[];
  const chosen = () => {
    const numbers = new Set(new FormData(form).getAll("types").map(Number));
    return types.filter(({ type }) => numbers.has(type));
  };
  openGallery({ form, text: textsIn(form), manage, base, storeId, types, chosen });
  followStart(form);
  form.addEventListener("submit", (event) => void create(event, form, chosen()));
}

/** The chosen template names the design until somebody enters a name. Choosing an existing design makes it the starting point. */
function followStart(form: HTMLFormElement): void {
  const name = form.elements.namedItem("name") as HTMLInputElement;
  let named = "";
  form.addEventListener("change", ({ target }) => {
    const { name: field, value } = target as HTMLInputElement;
    const start = form.elements.namedItem("start") as RadioNodeList;
    if (field === "from") start.value = "design";
    if (field !== "start" || (name.value !== "" && name.value !== named)) return;
    named = form.querySelector(`[data-template="${CSS.escape(value)}"] .name`)?.textContent ?? "";
    name.value = named;
  });
}

/** Returns the start of a new design, and the label types that it is for; undefined if the interface returns none. */
async function begun(
  form: HTMLFormElement,
  types: readonly Size[],
): Promise<{ canvas: Canvas; labelTypes: readonly number[] } | undefined> {
  const { manage = "", store: storeId = "" } = form.dataset;
  const values = new FormData(form);
  const [name, start, from] = ["name", "start", "from"].map((field) => String(values.get(field) ?? "")) as [
    string,
    string,
    string,
  ];
  const all = types.map(({ type }) => type);
  if (start === "") return { canvas: beginDesign(name, types, undefined), labelTypes: all };
  if (start === "design") {
    const found = await readJson<Canvas>(`${manage}/canvas-designs/${encodeURIComponent(from)}`).catch(() => undefined);
    return found && { canvas: beginDesign(name, types, found), labelTypes: all };
  }
  const made = await layOut({ manage, storeId }, start, types);
  return made?.canvas && { canvas: { ...made.canvas, name }, labelTypes: made.labelTypes };
}

/**
 * Saves drafts of a new canvas design with a layout for each size, and of the design that names it for the rules, and
 * opens it.
 */
async function create(event: SubmitEvent, form: HTMLFormElement, types: readonly Size[]): Promise<void> {
  event.preventDefault();
  const text = textsIn(form);
  const say = (content: string) => {
    element("#outcome").textContent = content;
  };
  if (types.length === 0) return say(text("canvases.noTypes"));
  const { manage = "", page = "" } = form.dataset;
  const begin = await begun(form, types);
  if (begin === undefined) return say(text("canvas.failed"));
  const { canvas, labelTypes } = begin;
  const canvasId = idFor(canvas.name, "design", Math.random());
  const put = (path: string, content: object) => call("PUT", `${manage}${path}`, { content }).catch(() => undefined);
  const stored = await put(`/canvas-designs/${canvasId}/draft`, canvas);
  const design = { name: canvas.name, canvasId, compatible_esltype_ids: labelTypes };
  const made = stored?.ok ? await put(`/designs/${canvasId}/draft`, design) : stored;
  if (made?.ok) return location.assign(addressBelow(page, canvasId));
  const problem = made && ((await made.json().catch(() => undefined)) as Problem | undefined);
  const reason = problem && refusalReason(problem, text, () => undefined);
  say(reason ? text("canvas.refused", { reason }) : text("canvas.failed"));
}

enableButtons();
