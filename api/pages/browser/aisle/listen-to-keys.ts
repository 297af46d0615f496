import { createKeyReader } from "./keys.ts";

/** Calls `scan` with each code that a scanner types, wherever the focus is except in a field. */
export function listenToKeys(scan: (code: string) => void): void {
  const readKey = createKeyReader();
  document.addEventListener(
    "keydown",
    (event) => {
      // In a field, a scanner types like a person.
      if ((event.target as HTMLElement).matches("input")) return;
      const code = readKey(event.key, event.timeStamp);
      if (code === undefined) return;
      // The scanner's Enter must not press the focused button.
      event.preventDefault();
      scan(code);
    },
    { capture: true },
  );
}
