import { refusalTexts } from "../../../schemas/refusal-notice.ts";
import { rowTexts } from "../../../schemas/row-notice.ts";
import { refusals } from "../messages/refusals/en.ts";

/** Returns the keys of a table of notices. */
const keysOf = <Code extends string>(texts: Readonly<Record<Code, string>>) =>
  (Object.keys(texts) as Code[]).map((code) => `notice.${code}` as const);

/** Keys of the messages with which a page's script shows why a call was rejected. */
export const refusalKeys = [
  ...keysOf(refusalTexts),
  ...(Object.keys(refusals) as (keyof typeof refusals)[]).filter((key) => key.startsWith("refusal.")),
];

/** Those keys, and the keys for why a row of an accepted call was not applied. */
export const rowKeys = [...refusalKeys, ...keysOf(rowTexts)];
