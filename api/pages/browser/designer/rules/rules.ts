import { element, enableButtons } from "../../call.ts";
import { newKey } from "../../new-key.ts";
import { type Problem, refusalReason } from "../../notice-text.ts";
import { readJson } from "../../read-all.ts";
import { askAboutConflict, type StoredDraft } from "../publishing/conflict.ts";
import { publishingPage } from "../publishing/page.ts";
import { catalogueOf, type ItemProperties, type Known } from "./conditions/known-properties.ts";
import { data, manage, type Pack, packId, text } from "./desk.ts";
import { deleteDraft, putDraft, readDraft } from "./draft/draft.ts";
import { type Counted, countedText, countLabels } from "./trials/counts.ts";
import { faultsAt, warningsOf } from "./trials/findings.ts";
import "./draft/new-pack.ts";
import { openPublishing } from "./draft/publishing.ts";
import { createEditor } from "./editor.ts";
import { changed, found, inserted, moved, placed, type Rule, removed, rowsOf } from "./pack-tree.ts";
import { focusRow, listenToTree, showTree } from "./tree-view.ts";
import { openTrials, type Trials } from "./trials/trials.ts";

/** Labels are counted again after a pause in typing of this length. */
const PAUSE_MS = 400;
/** Time until a failed count is repeated. */
const RETRY_MS = 5_000;
const ID_LENGTH = 12;

const page = publishingPage("communication-packs", packId);
let pack: Pack = data.draft ?? data.live;
let chosen = pack.scenarios[0]?.id;
let seenTag = data.tag;
let isSaved = true;
let lastSave = Promise.resolve(true);
let counted: Counted | undefined;
const past: Pack[] = [];
/** Changes that follow one another within this time, such as letters, are undone together. */
const STROKE_MS = 800;
let editedAt = Number.NEGATIVE_INFINITY;
let counting: AbortController | undefined;
let due: number | undefined;
let trials: Trials | undefined;
let known: readonly Known[] = [];

const editor = createEditor({
  change: (id, change) => edit(changed(pack.scenarios, id, change)),
  step: (id, step) => edit(moved(pack.scenarios, id, step), id),
  addInside: (id) => add("inside", id),
  remove,
});

/** Replaces the rules, and shows, checks and counts them. */
function edit(scenarios: readonly Rule[], focus?: string): void {
  if (scenarios === pack.scenarios) return;
  if (performance.now() - editedAt > STROKE_MS || past.length === 0) past.push(pack);
  editedAt = performance.now();
  pack = { ...pack, scenarios };
  isSaved = false;
  show();
  if (focus !== undefined && !element("#fields").contains(document.activeElement)) focusRow(focus);
  countLater();
}

function add(where: "inside" | "after", beside: string | undefined): void {
  const rule = { id: newKey().slice(0, ID_LENGTH), name: text("rules.new"), design_ids: [], children: [] };
  chosen = rule.id;
  edit(inserted(pack.scenarios, rule, where, beside));
  element("#fields").querySelector("input")?.select();
}

function remove(id: string): void {
  const rows = rowsOf(pack.scenarios);
  const at = rows.findIndex(({ rule }) => rule.id === id);
  const scenarios = removed(pack.scenarios, id);
  chosen = (rowsOf(scenarios)[at] ?? rowsOf(scenarios).at(-1))?.rule.id;
  edit(scenarios);
  if (chosen !== undefined) focusRow(chosen);
}

function show(): void {
  const rows = rowsOf(pack.scenarios);
  const row = rows.find(({ rule }) => rule.id === chosen);
  const pointers = rows.map(({ pointer }) => pointer);
  const faults = new Map(
    rows.map(({ rule, pointer }) => [rule.id, faultsAt(counted?.errors ?? [], pointer, pointers)]),
  );
  const warnings = new Map(rows.map((one) => [one.rule.id, warningsOf(one, known)]));
  const said = new Map([...warnings].map(([id, found]) => [id, found.map(({ detail }) => detail)]));
  const path = trials?.path(pack) ?? new Map();
  showTree(pack.scenarios, { chosen, counts: counted?.counts, faults, warnings: said, path });
  editor.show(row, known);
  const ofCondition = (counted?.errors ?? []).filter(({ pointer }) => pointer === `${row?.pointer}/cel_expression`);
  editor.showFaults([...ofCondition, ...((row && warnings.get(row.rule.id)) ?? [])]);
  showState();
}

function showState(): void {
  const state = isSaved ? (seenTag === undefined ? "rules.same" : "rules.draft") : "rules.unsaved";
  element("#state").textContent = text(state);
  if (!data.mayWrite) return;
  element<HTMLButtonElement>("#undo").disabled = past.length === 0;
  element<HTMLButtonElement>("#save").disabled = isSaved;
  element<HTMLButtonElement>("#discard").disabled = isSaved && seenTag === undefined;
  element<HTMLButtonElement>("#publish").disabled = isSaved && seenTag === undefined && data.isActive;
}

function countLater(): void {
  window.clearTimeout(due);
  element("#counted").textContent = text("rules.counting");
  due = window.setTimeout(() => void count(), PAUSE_MS);
}

/** Checks and counts the current rules; a newer count ends an older one. */
async function count(): Promise<void> {
  counting?.abort();
  counting = new AbortController();
  const found = await countLabels(pack, counting.signal).catch((error: Error) => error);
  if (found instanceof Error) {
    if (found.name === "AbortError") return;
    element("#counted").textContent = text("rules.countFailed");
    due = window.setTimeout(() => void count(), RETRY_MS);
    return;
  }
  counted = found;
  element("#counted").textContent = countedText(found);
  show();
  if (found.errors.length === 0) await trials?.tryAll(pack);
}

/**
 * Saves the draft; returns whether the stored draft has the current rules. Saves run one after another, because each is
 * checked against the draft that the previous one stored.
 */
function save(): Promise<boolean> {
  lastSave = lastSave.then(put, put);
  return lastSave;
}

async function put(): Promise<boolean> {
  if (isSaved) return true;
  const saved = pack;
  element("#state").textContent = text("rules.saving");
  const answer = await putDraft(saved, seenTag);
  if (answer?.ok) {
    seenTag = answer.headers.get("etag") ?? undefined;
    isSaved = saved === pack;
    showState();
    return isSaved;
  }
  if (answer?.status === 412) {
    await ask();
    return false;
  }
  const problem = ((await answer?.json().catch(() => undefined)) ?? {}) as Problem;
  const reason = refusalReason(problem, text, () => undefined);
  element("#state").textContent = reason === "" ? text("form.failed") : text("form.refused", { reason });
  return false;
}

/** Asks which draft to continue if somebody else has changed it. */
async function ask(): Promise<void> {
  showState();
  const stored = await readDraft().catch((error: Error) => error);
  if (stored instanceof Error) element("#state").textContent = text("form.failed");
  else askAboutConflict(stored, page.text, { theirs, mine });
}

/** Continues with the draft that somebody else saved; undo restores the user's own. */
function theirs({ content, tag }: StoredDraft<Pack>): void {
  seenTag = tag;
  replace(content, true);
}

/** Replaces the stored draft with the user's own; undo restores the replaced draft. */
function mine(stored: StoredDraft<Pack> | undefined): void {
  seenTag = stored?.tag;
  if (stored) past.push(stored.content);
  void save();
}

/** Shows other rules; undo shows the current ones. */
function replace(other: Pack, isStored: boolean): void {
  past.push(pack);
  take(other, isStored);
}

function take(other: Pack, isStored: boolean): void {
  pack = other;
  isSaved = isStored;
  if (found(pack.scenarios, chosen ?? "") === undefined) chosen = pack.scenarios[0]?.id;
  show();
  countLater();
}

async function discard(): Promise<void> {
  if (seenTag !== undefined) {
    const answer = await deleteDraft(seenTag);
    if (answer?.status === 412) return ask();
    if (!answer?.ok && answer?.status !== 404) {
      element("#state").textContent = text("form.failed");
      return;
    }
  }
  seenTag = undefined;
  replace(data.live, true);
}

listenToTree({
  choose(id) {
    chosen = id;
    show();
    focusRow(id);
  },
  step: (id, step) => edit(moved(pack.scenarios, id, step), id),
  place: (id, where, target) => edit(placed(pack.scenarios, id, where, target), id),
  remove,
});

/** Saves the draft and opens its publication. */
async function publish(): Promise<void> {
  if (!(await save())) return;
  await openDialog(seenTag !== undefined);
}

const openDialog = openPublishing(page, { draftTag: () => seenTag });
if (data.mayWrite) {
  element("#publish").addEventListener("click", () => void publish());
  element("#add").addEventListener("click", () => add("after", undefined));
  element("#save").addEventListener("click", () => void save());
  element("#discard").addEventListener("click", () => void discard());
  element("#undo").addEventListener("click", () => take(past.pop() ?? pack, false));
}
window.addEventListener("beforeunload", (event) => {
  if (!isSaved) event.preventDefault();
});

show();
countLater();
enableButtons();
showState();
if (data.mayReadItems) void readCatalogue();
trials = await openTrials(pack, show);
show();
await trials.tryAll(pack);

/** Reads the item properties for completion and warnings; without permission to see items, there are none. */
async function readCatalogue(): Promise<void> {
  const found = await readJson<ItemProperties>(`${manage}/item-properties`).catch(() => undefined);
  if (found === undefined) return;
  known = catalogueOf(found);
  show();
}
