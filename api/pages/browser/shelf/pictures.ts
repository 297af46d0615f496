/** Which picture of a label: the one that it shows, or the one that is being sent. */
export type PictureOf = "shown" | "next";

const WIDTH = 204;
const HEIGHT = 104;
const CAPTION_HEIGHT = 18;

/**
 * Loads one of a cell's pictures; without an address, the picture is removed. A picture that cannot be fetched does not
 * exist: if a label shows its newest picture, none is being sent.
 */
export function setPicture(place: HTMLElement, of: PictureOf, address: string | undefined, caption: string): void {
  const present = place.querySelector<HTMLElement>(`[data-of=${of}]`);
  if (address === undefined) {
    present?.remove();
    arrange(place);
    return;
  }
  const picture = (present ?? createPicture(place, of, caption)).querySelector("img");
  if (picture === null || picture.dataset.address === address) return;
  picture.dataset.address = address;
  picture.src = address;
}

/** Removes the pictures, which belong to a different label. */
export function clearPictures(place: HTMLElement): void {
  for (const picture of place.querySelectorAll("[data-of]")) picture.remove();
  arrange(place);
}

function createPicture(place: HTMLElement, of: PictureOf, caption: string): HTMLElement {
  const one = document.createElement("span");
  one.dataset.of = of;
  one.hidden = true;
  one.innerHTML = `<img class="pixels" alt="" decoding="async"><span class="caption"></span>`;
  const words = one.querySelector(".caption");
  if (words) words.textContent = caption;
  const picture = one.querySelector("img");
  const take = (isThere: boolean) => {
    one.hidden = !isThere;
    one.dataset.tried = "true";
    arrange(place);
  };
  picture?.addEventListener("load", () => take(true));
  picture?.addEventListener("error", () => take(false));
  place.append(one);
  return one;
}

/** Arranges the pictures that exist. A single picture needs no caption, unless it is not on the label yet. */
function arrange(place: HTMLElement): void {
  const all = [...place.querySelectorAll<HTMLElement>("[data-of]")];
  const seen = all.filter(({ hidden }) => !hidden);
  const isCaptioned = seen.some(({ dataset }) => dataset.of === "next");
  place.toggleAttribute("data-captioned", isCaptioned);
  for (const one of seen) {
    const picture = one.querySelector("img");
    if (picture) scaleToPixels(picture, WIDTH / seen.length, HEIGHT - (isCaptioned ? CAPTION_HEIGHT : 0));
  }
  const none = place.querySelector<HTMLElement>(".none");
  if (none) none.hidden = seen.length > 0 || all.length === 0 || all.some(({ dataset }) => dataset.tried === undefined);
}

/** Shows a picture at a whole multiple of its pixels if it fits, and otherwise as large as possible. */
function scaleToPixels(picture: HTMLImageElement, mostWidth: number, mostHeight: number): void {
  const { naturalWidth: width, naturalHeight: height } = picture;
  if (width === 0) return;
  const scale = Math.min(mostWidth / width, mostHeight / height);
  const whole = scale >= 1 ? Math.floor(scale) : scale;
  picture.style.imageRendering = whole < 1 ? "auto" : "";
  picture.width = Math.round(width * whole);
  picture.height = Math.round(height * whole);
}
