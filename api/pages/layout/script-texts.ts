import type { Key, Message } from "../messages/en.ts";
import type { Visit } from "../visit.ts";

/** Returns the messages for a page's script, as JSON for the `data-texts` attribute. */
export function scriptTexts<Name extends Key>({ language, formsOf }: Visit, keys: readonly Name[]): string {
  const texts = Object.fromEntries(keys.map((key): [string, Message] => [key, formsOf(key)]));
  return JSON.stringify({ language, texts });
}
