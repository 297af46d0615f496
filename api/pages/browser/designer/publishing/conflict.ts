import { element } from "../../call.ts";
import type { Texts } from "../../texts.ts";
import { button, make } from "../make.ts";

/** A stored draft. */
export interface StoredDraft<Content> {
  content: Content;
  author: string;
  tag: string | undefined;
}

interface Choices<Content> {
  /** Absent if the page cannot show the stored draft. */
  theirs?: ((draft: StoredDraft<Content>) => void) | undefined;
  mine(draft: StoredDraft<Content> | undefined): void;
}

/**
 * Reports that somebody else has saved or removed the draft in the meantime, and asks which version to continue with. Nothing
 * is lost: the page keeps both.
 */
export function askAboutConflict<Content>(
  stored: StoredDraft<Content> | undefined,
  text: Texts,
  { theirs, mine }: Choices<Content>,
): void {
  const place = element("#conflict");
  const choice = (label: string, act: () => void) =>
    button(label, () => {
      place.hidden = true;
      act();
    });
  const said = stored ? text("publishing.conflict", { author: stored.author }) : text("publishing.draftGone");
  place.replaceChildren(
    make("p", {}, said),
    make(
      "div",
      { class: "buttons" },
      ...(stored && theirs ? [choice(text("publishing.theirs"), () => theirs(stored))] : []),
      choice(text("publishing.mine"), () => mine(stored)),
    ),
  );
  place.hidden = false;
}
