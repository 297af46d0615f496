import { element } from "../../../call.ts";
import type { Texts } from "../../../texts.ts";
import type { PublishingPage } from "../../publishing/page.ts";
import { openPublications, type Publications } from "../../publishing/publications.ts";
import { createPublishDialog } from "../../publishing/publish.ts";
import { openVersions } from "../../publishing/versions.ts";
import type { EditorData } from "../editor-data.ts";
import type { Draft } from "./draft.ts";

/**
 * Publishes a design's draft with its pictures before and after, and lists its versions and publications; without a draft
 * the lists are read-only.
 */
export function openPublishing(
  page: PublishingPage,
  data: EditorData,
  draft: Draft | undefined,
  text: Texts,
  showPictures: () => Promise<void>,
): void {
  const publications = openPublications(page, (said) => draft?.say(said));
  const publish = draft && openPublish(page, { data, draft, showPictures }, publications);
  element("#versions").addEventListener("click", () => void publications.show());
  openVersions(page, {
    draftTag: () => draft?.tag(),
    publish,
    field: (name) => text(`canvas.field.${name}`) || undefined,
  });
}

/** Enables publishing and rolling back; returns a function that publishes the stored drafts. */
function openPublish(
  page: PublishingPage,
  { data, draft, showPictures }: { data: EditorData; draft: Draft; showPictures: () => Promise<void> },
  { takeBack }: Publications,
): () => Promise<void> {
  const back = element<HTMLButtonElement>("#take-back");
  let published = "";
  const open = createPublishDialog(page, {
    done({ publicationId, state }) {
      published = publicationId;
      back.hidden = state !== "DONE";
      if (state === "DONE") draft.published();
      draft.say(page.text(state === "DONE" ? "publishing.published" : `publishing.state.${state}`));
    },
  });
  const subjects = data.hasDesignDraft ? (["canvas-designs", "designs"] as const) : (["canvas-designs"] as const);
  const publish = () => open({ drafts: subjects.map((subject) => ({ subject, id: data.canvasId })) });
  element("#publish").addEventListener("click", async () => {
    if (!(await draft.save())) return;
    draft.say("");
    await Promise.all([publish(), showPictures().catch(() => undefined)]);
  });
  back.addEventListener("click", async () => {
    back.hidden = await takeBack(published);
  });
  return publish;
}
