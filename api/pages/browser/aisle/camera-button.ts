import { element } from "../call.ts";
import { NoReaderError, openCamera } from "./camera.ts";
import { say, text } from "./view.ts";

let closeCamera: (() => void) | undefined;
let isOpening = false;
/** Opens the camera, or closes it; `scan` is called with the codes of each picture. */
export async function toggleCamera(scan: (codes: readonly string[]) => void): Promise<void> {
  if (isOpening) return;
  const isOpen = closeCamera !== undefined;
  closeCamera?.();
  closeCamera = undefined;
  if (!isOpen) {
    isOpening = true;
    try {
      element("#seen").hidden = false;
      closeCamera = await openCamera(element<HTMLVideoElement>("#seen video"), scan);
    } catch (error) {
      const why = error instanceof NoReaderError ? "noReader" : "refused";
      say(text(`camera.${navigator.mediaDevices === undefined ? "none" : why}`));
    }
    isOpening = false;
  }
  element("#seen").hidden = closeCamera === undefined;
  element("#camera").setAttribute("aria-pressed", String(closeCamera !== undefined));
}
