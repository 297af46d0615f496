import type { Texts } from "../../../texts.ts";
import { make } from "../../make.ts";
import type { Preview, ShownNotice } from "./preview-shapes.ts";

const levels = ["fine", "warning", "error", "fault"] as const;

/** Returns the worst level among a picture's notices. */
export const worstOf = (notices: readonly ShownNotice[]): (typeof levels)[number] =>
  levels.findLast((level) => notices.some((notice) => notice.level === level)) ?? "fine";

const severityOf = ({ notices }: Preview): number => levels.indexOf(worstOf(notices));

/** Whether a picture's worst problem is more severe than the earlier picture's. */
export const isWorse = (before: Preview | undefined, after: Preview): boolean =>
  severityOf(after) > (before ? severityOf(before) : 0);

/** Shows a picture before and after a change, side by side, and the worst problem of the later picture if it is more severe. */
export function pairOf(name: string, before: Preview | undefined, after: Preview, text: Texts): HTMLElement {
  const pictureOf = ({ png, width, height }: Preview, title: string) =>
    make("img", { class: "pixels", alt: `${name}: ${title}`, src: `data:image/png;base64,${png}`, width, height });
  const figure = (preview: Preview | undefined, title: string) =>
    make("figure", {}, ...(preview ? [pictureOf(preview, title)] : []), make("figcaption", { class: "muted" }, title));
  const title = make("p", { class: "name" }, name);
  if (isWorse(before, after))
    title.append(
      " ",
      make("span", { class: "state", "data-state": "ERROR" }, text(`canvas.${worstOf(after.notices)}`)),
    );
  return make("li", {}, title, figure(before, text("canvas.before")), figure(after, text("canvas.after")));
}
