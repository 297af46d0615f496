import type { Design } from "../../../../schemas/design.ts";
import { fullDesignKey, tenantKey } from "../../../../schemas/keys.ts";
import type { LabelType } from "../../../../schemas/label-type.ts";
import type { Model } from "../../../../schemas/model.ts";
import type { DraftAnswer } from "../../../../schemas/version.ts";
import { entityTag } from "../../../http/entity-tag.ts";
import { ProblemError } from "../../../http/problem-error.ts";
import type { PackAnswer } from "../../../management/packs/pack-answer.ts";
import { type EditablePack, editablePack } from "../../browser/designer/rules/draft/editable-pack.ts";
import { type Html, html } from "../../html/html.ts";
import { scripted } from "../../html/scripted.ts";
import { drawingKeys } from "../../layout/drawing-keys.ts";
import { mark } from "../../layout/marks.ts";
import { refusalKeys } from "../../layout/reason-keys.ts";
import { scriptTexts } from "../../layout/script-texts.ts";
import { rules as ruleTexts } from "../../messages/designer/rules/en.ts";
import type { Key } from "../../messages/en.ts";
import type { Page, Visit } from "../../visit.ts";
import { assertDesigner, inOrder } from "../desk.ts";
import { publications, publishDialog, versionsButton, versionsDialog } from "../publishing.ts";
import { newPackForm } from "./new-pack.ts";

type ShownDesign = Design & { key: string };

/** The id of a retailer's first rules. */
const FIRST_PACK = "rules";

/** The rules of a pack: which design a label shows, tried on items before it is published. */
export const rulesPage: Page = {
  path: "/designer/rules",
  below: "designer",
  styles: ["items.css", "rules.css", "publishing.css"],
  scripts: ["designer/rules/rules.ts"],
  nothing: "problem.noEntry",
  async show(visit) {
    assertDesigner(visit);
    const asked = visit.query.get("pack");
    const packs = inOrder(await visit.read<PackAnswer[]>("listPacks"));
    const pack = packs.find(({ packId }) => packId === asked) ?? (asked === null ? packs[0] : undefined);
    const packId = pack?.packId ?? asked ?? FIRST_PACK;
    const draft = await readDraft(visit, packId);
    if (pack === undefined && draft === undefined && asked !== null)
      throw new ProblemError("not-found", `There is no pack "${asked}".`);
    const keyOf = (design: string) => fullDesignKey(tenantKey(visit.tenant), design) ?? design;
    const begun = draft && editablePack(draft.content, keyOf);
    const name = begun?.name || visit.texts("desk.rules");
    const shown = pack ?? { packId, name, active: false, scenarios: [] };
    const tag = draft && entityTag(JSON.stringify(draft));
    return { title: shown.name, content: await desk(visit, shown, begun && { draft: begun, tag }) };
  },
};

type ShownPack = Pick<PackAnswer, "packId" | "name" | "active" | "scenarios">;

async function readDraft({ read }: Visit, packId: string): Promise<DraftAnswer | undefined> {
  const drafts = await read<{ subject: string; id: string }[]>("listDrafts");
  const hasDraft = drafts.some(({ subject, id }) => subject === "communication-packs" && id === packId);
  return hasDraft ? read<DraftAnswer>("getPackDraft", { params: { packId } }) : undefined;
}

/** The draft in the form that the page edits, and the entity tag of the stored one. */
interface ShownDraft {
  draft: EditablePack;
  tag: string | undefined;
}

async function desk(visit: Visit, pack: ShownPack, draft: ShownDraft | undefined): Promise<Html> {
  const { texts, link, manage, storeBase, store } = visit;
  const mayWrite = visit.mayInTenant("design:write");
  const data = JSON.stringify({
    ...(await readDesk(visit, pack, draft)),
    mayWrite,
    mayReadItems: store !== undefined && visit.may("items:read"),
    mayReadLabels: store !== undefined && visit.may("labels:read"),
    store: store?.id,
    zone: store?.timeZone,
  });
  return html`<div class="rules-page" id="rules" data-manage="${manage}" data-base="${storeBase}" data-pack="${pack.packId}" data-desk="${data}" data-currency="${store?.currency}" data-texts="${scriptTexts(visit, scriptKeys)}">
<header class="title"><div><p class="crumb"><a href="${link("/designer")}">${texts("nav.designer")}</a></p><h1>${pack.name}</h1></div>
${pack.active && html`<span class="state" data-state="OK">${mark("OK")}${texts("desk.active")}</span>`}<p class="muted" id="state" role="status"></p>
<div class="buttons">${versionsButton(visit)}${mayWrite && html`<button type="button" id="undo" disabled>${texts("rules.undo")}</button><button type="button" id="discard" disabled>${texts("rules.discard")}</button><button type="button" id="save" disabled>${texts("rules.save")}</button><button type="button" class="primary" id="publish" disabled>${texts("rules.publish")}</button>`}</div></header>
<noscript><p class="hint">${texts("form.noscript")}</p></noscript>
<div class="alert" id="conflict" role="alert" hidden></div>
<div class="columns-3">
<section class="card" aria-labelledby="tree-title"><header class="bar"><h2 id="tree-title">${texts("desk.rules")}</h2>${mayWrite && html`<button${scripted} type="button" id="add">${texts("rules.add")}</button>`}</header>
<ul id="tree" role="tree" aria-labelledby="tree-title"></ul>
<p class="hint" id="counted" role="status"></p>
${mayWrite && html`<p class="hint keys">${texts("rules.keys")}</p>`}</section>
<section class="card" id="editor" aria-labelledby="editor-title"><h2 id="editor-title" class="visually-hidden">${texts("rules.chosen")}</h2><div id="fields"></div></section>
<section class="card" id="trials" aria-labelledby="trials-title"><h2 id="trials-title">${texts("rules.trials")}</h2>
<form id="pin" class="pin"><label class="field"><span>${texts("rules.pinLabel")}</span><input name="item" list="item-names" autocomplete="off" spellcheck="false"></label><datalist id="item-names"></datalist><button${scripted}>${texts("rules.pin")}</button></form>
<p class="hint" id="trials-outcome" role="status"></p><ul id="cases"></ul></section>
</div>
${mayWrite && newPackForm(visit)}
${publications(visit)}
${versionsDialog(visit)}${mayWrite && publishDialog(visit)}
</div>`;
}

/** Reads the data for the page's script. */
async function readDesk({ read }: Visit, { active, name, scenarios }: ShownPack, draft: ShownDraft | undefined) {
  const [designs, labelTypes, models] = await Promise.all([
    read<ShownDesign[]>("listDesigns"),
    read<(LabelType & { type: number })[]>("listLabelTypes"),
    read<Model[]>("listTenantModels"),
  ]);
  return {
    isActive: active,
    live: { name, scenarios },
    ...draft,
    designs: designs.map(({ key, name, canvasId, compatible_esltype_ids: types }) => ({ key, name, canvasId, types })),
    labelTypes: labelTypes.map(({ type, width, height }) => ({ type, width, height })),
    models: models.map(({ name, labelTypes }) => ({ name, labelTypes })),
  };
}

const scriptKeys: readonly Key[] = [
  ...(Object.keys(ruleTexts) as (keyof typeof ruleTexts)[]),
  "form.failed",
  "form.refused",
  ...drawingKeys,
  ...refusalKeys,
];
