import { ImageFault } from "./image-fault.ts";

/** A tag of an SVG, with its attributes as written. */
export interface Tag {
  kind: "start" | "end" | "empty";
  name: string;
  attributes: readonly (readonly [name: string, value: string])[];
}

/** Maximum number of elements in a file, and of elements drawn, where each reference to an element counts. */
export const MAX_ELEMENTS = 20_000;
export const MAX_ATTRIBUTES = 256;

/** Parts that are skipped, by their beginning; a DOCTYPE may name a file, which is not read. */
const passedOver: readonly (readonly [start: string, end: string])[] = [
  ["<!--", "-->"],
  ["<![CDATA[", "]]>"],
  ["<?xml ", "?>"],
  ["<!DOCTYPE ", ">"],
];

/**
 * Reads the tags of an SVG in one pass. Throws an ImageFault if it is not well-formed, or has a DTD or processing
 * instructions.
 */
export function readTags(text: string): Tag[] {
  const tags: Tag[] = [];
  let elements = 0;
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at)) {
    const passed = passedOver.find(([start]) => text.startsWith(start, at));
    if (passed) {
      const end = text.indexOf(passed[1], at);
      if (end < 0) throw new ImageFault("is truncated");
      if (passed[1] === ">" && text.slice(at, end).includes("["))
        throw new ImageFault("contains a DTD: send an SVG without it");
      at = end + passed[1].length;
      continue;
    }
    if (text[at + 1] === "?" || text[at + 1] === "!")
      throw new ImageFault("contains processing instructions, which are not supported");
    const end = endOfTag(text, at);
    const tag = tagOf(text.slice(at + 1, end));
    if (tag.kind !== "end") elements += 1;
    if (elements > MAX_ELEMENTS) throw new ImageFault(`contains more than ${MAX_ELEMENTS} elements`);
    tags.push(tag);
    at = end + 1;
  }
  return tags;
}

/** Returns the offset of the > that closes a tag, whose attributes may contain others. */
function endOfTag(text: string, from: number): number {
  let quote = "";
  for (let at = from + 1; at < text.length; at += 1) {
    const character = text[at] as string;
    if (quote !== "") quote = character === quote ? "" : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === ">") return at;
    else if (character === "<") break;
  }
  throw new ImageFault("is damaged: a tag is not closed");
}

/** An attribute of a tag. The pattern is sticky, so that nothing can stand between two attributes. */
const ATTRIBUTE = /\s+([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/y;

function tagOf(inside: string): Tag {
  const [, slash, name, rest = ""] = /^(\/?)([A-Za-z_][\w:.-]*)(.*)$/s.exec(inside) ?? [];
  if (name === undefined) throw new ImageFault("is damaged: a tag has no name");
  const attributes: [string, string][] = [];
  ATTRIBUTE.lastIndex = 0;
  let end = 0;
  for (let found = ATTRIBUTE.exec(rest); found; found = ATTRIBUTE.exec(rest)) {
    if (attributes.length === MAX_ATTRIBUTES)
      throw new ImageFault(`has more than ${MAX_ATTRIBUTES} attributes in an element <${name}>`);
    attributes.push([found[1] ?? "", found[2] ?? found[3] ?? ""]);
    end = ATTRIBUTE.lastIndex;
  }
  const tail = rest.slice(end).trim();
  if (tail !== "" && tail !== "/") throw new ImageFault(`is damaged: the attributes of <${name}> cannot be parsed`);
  return { kind: slash ? "end" : tail === "/" ? "empty" : "start", name, attributes };
}
