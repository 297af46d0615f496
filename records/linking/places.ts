import { ownerOf } from "../../schemas/keys.ts";
import { labels } from "../kinds/labels.ts";
import { stores } from "../kinds/tenants.ts";
import type { FoundTogether } from "../read-together.ts";

/** The reads of labels and their stores, which determine what is drawn for a label and how the label is reached. */
export const placesOf = (labelKeys: readonly string[]) =>
  [
    { kind: labels, keys: labelKeys },
    { kind: stores, keys: labelKeys.map(ownerOf) },
  ] as const;
export type Places = FoundTogether<ReturnType<typeof placesOf>>;
