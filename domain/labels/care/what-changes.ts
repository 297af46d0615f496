import type { RefreshKind } from "../../../schemas/care.ts";
import type { Content } from "../../../schemas/glass.ts";
import type { PageImage } from "../../../schemas/image.ts";
import type { LabelState } from "../../../schemas/label-state.ts";

/**
 * Returns what a picture changes on its page. `content` is the picture's content. If only the pixels of the previous picture
 * are known, its design counts as changed.
 */
export function whatChanges(
  { shown, sent }: Pick<LabelState, "shown" | "sent">,
  { page, image }: PageImage,
  content: Content | undefined,
): RefreshKind {
  const known = shown.find((one) => one.page === page);
  if (known === undefined) return "link";
  if (known.image === image) return "repeat";
  const before = sent.findLast((one) => one.page === page && one.image === known.image);
  if (before === undefined) return "design";
  return contentChange(before.content, content);
}

function contentChange(before: Content | undefined, after: Content | undefined): "link" | "price" | "design" {
  const [former = [], present = []] = [before?.items, after?.items];
  const isSame = (name: "itemId" | "price") => present.every((item, index) => item[name] === former[index]?.[name]);
  if (former.length !== present.length || !isSame("itemId")) return "link";
  return isSame("price") ? "design" : "price";
}
