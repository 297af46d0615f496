import { call, element } from "../../../call.ts";
import { make } from "../../make.ts";
import type { Change, Example } from "../../publishing/counts.ts";
import type { PublishingPage } from "../../publishing/page.ts";
import { openPublications } from "../../publishing/publications.ts";
import { createPublishDialog } from "../../publishing/publish.ts";
import { openVersions } from "../../publishing/versions.ts";
import { data, designName, packId, packsAddress, text } from "../desk.ts";
import { readSentence } from "../sentence/read-sentence.ts";
import { drawPicture, pictureOf } from "../trials/pictures.ts";
import { sentenceText } from "../words.ts";

/** Lists versions and publications; returns a function that opens the dialog for a publication. */
export function openPublishing(
  page: PublishingPage,
  { draftTag }: { draftTag(): string | undefined },
): (hasDraft: boolean) => Promise<void> {
  const publications = openPublications(page, () => void showAnew());
  const open = data.mayWrite
    ? createPublishDialog(page, {
        designName,
        showExample,
        done({ state }) {
          if (state === "DONE") location.reload();
          else void publications.show(text(`publishing.state.${state}`));
        },
      })
    : undefined;
  const publish = async (hasDraft: boolean) =>
    open?.({
      ...(hasDraft && { drafts: [{ subject: "communication-packs", id: packId }] }),
      ...(!data.isActive && { activate: packId }),
    });
  openVersions(page, {
    draftTag,
    publish: () => publish(true),
    field: (name) => text(`rules.part.${name}`) || undefined,
    value: valueText,
  });
  void publications.show();
  return publish;
}

/** Reloads the page or, if the publication that was rolled back had created the rules, opens the page of all rules. */
async function showAnew(): Promise<void> {
  const answer = await call("GET", `${packsAddress}/${encodeURIComponent(packId)}`).catch(() => undefined);
  if (answer?.status === 404) location.assign(element<HTMLAnchorElement>(".crumb a").href);
  else location.reload();
}

/** Returns the values of a pack's fields as the page shows them. */
function valueText(value: unknown, field: string): string | undefined {
  if (field === "design_ids" && Array.isArray(value))
    return value.map((key) => designName(String(key))).join(", ") || text("publishing.noDesign");
  if (field !== "cel_expression" || typeof value !== "string") return undefined;
  const sentence = readSentence(value);
  return sentence && sentenceText(sentence, text);
}

/** Shows one label of a change: what it shows now, and what it would show after the publication. */
async function showExample(cell: HTMLElement, { from, to }: Change, example: Example): Promise<void> {
  const { storeId, itemId, labelType } = example;
  for (const [design, said] of [
    [from.design_id, text("rules.before")],
    [to.design_id, text("rules.after")],
  ] as const) {
    const picture = design === null ? undefined : await drawPicture(design, { storeId, itemId, labelType });
    if (picture === undefined) continue;
    const alt = `${text("rules.pictureOf", { item: itemId })}: ${said}`;
    cell.append(make("figure", {}, pictureOf(picture, alt), make("figcaption", {}, said)));
  }
}
