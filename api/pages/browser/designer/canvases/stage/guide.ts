import { element } from "../../../call.ts";

/**
 * Shows a picture of an earlier label over the drawn one, as a guide. It is read in the browser and never sent; it is
 * stretched over the whole label.
 */
export function openGuide(): void {
  const [file, strength, guide] = [
    element<HTMLInputElement>("#guide-file"),
    element<HTMLInputElement>("#guide-strength"),
    element<HTMLCanvasElement>("#guide"),
  ];
  const apply = () => {
    guide.style.opacity = String(Number(strength.value) / 100);
  };
  strength.addEventListener("input", apply);
  file.addEventListener("change", async () => {
    const [chosen] = file.files ?? [];
    const bitmap = chosen && (await createImageBitmap(chosen).catch(() => undefined));
    guide.hidden = bitmap === undefined;
    strength.hidden = bitmap === undefined;
    if (bitmap === undefined) return;
    Object.assign(guide, { width: bitmap.width, height: bitmap.height });
    guide.getContext("2d")?.drawImage(bitmap, 0, 0);
    bitmap.close();
    apply();
  });
}
