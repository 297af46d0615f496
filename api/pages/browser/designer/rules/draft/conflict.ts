import { element } from "../../../call.ts";
import { button, make } from "../../make.ts";
import { text } from "../desk.ts";
import type { StoredDraft } from "./draft.ts";

interface Choices {
  theirs(draft: StoredDraft): void;
  mine(draft: StoredDraft | undefined): void;
}

/**
 * Says that somebody else has saved or removed the draft meanwhile, and asks which one is continued. Nothing is lost: the page
 * keeps both.
 */
export function askAboutConflict(stored: StoredDraft | undefined, { theirs, mine }: Choices): void {
  const place = element("#conflict");
  const choose = (act: () => void) => () => {
    place.hidden = true;
    act();
  };
  const said = stored ? text("rules.conflict", { author: stored.author }) : text("rules.draftGone");
  place.replaceChildren(
    make("p", {}, said),
    make(
      "div",
      { class: "buttons" },
      ...(stored
        ? [
            button(
              text("rules.theirs"),
              choose(() => theirs(stored)),
            ),
          ]
        : []),
      button(
        text("rules.mine"),
        choose(() => mine(stored)),
      ),
    ),
  );
  place.hidden = false;
}
