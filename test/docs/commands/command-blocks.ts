import { readdirSync, readFileSync } from "node:fs";

/** A block of commands in a document, with its documented output. */
export interface CommandBlock {
  /** The document's path, relative to the project's folder. */
  file: string;
  /** The nearest second-level heading. */
  section: string;
  commands: string;
  /** The output block directly after the commands. */
  output: string | undefined;
}

const root = new URL("../../../", import.meta.url);
const SHELL = ["sh", "bash", "shell", "console"];
const OUTPUT = ["", "text", "json"];

/** Returns README, CONTRIBUTING and every document in docs/, as paths relative to the project's folder. */
export function documentFiles(): string[] {
  const documents = readdirSync(new URL("docs", root), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md") && !name.includes("node_modules"))
    .map((name) => `docs/${name}`);
  return ["README.md", "CONTRIBUTING.md", ...documents.toSorted()];
}

/** Returns every command block in these documents, in order. */
export const commandBlocks = (): CommandBlock[] =>
  documentFiles().flatMap((file) => blocksOf(file, readFileSync(new URL(file, root), "utf8")));

/** Returns the command blocks of one document. A block in a list has the list's indentation removed. */
export function blocksOf(file: string, document: string): CommandBlock[] {
  const fences = [...document.matchAll(/^( *)```([\w-]*)[^\n]*\n(.*?)^\1```$/gms)].map((match) => {
    const [whole, indentation = "", language = "", text = ""] = match;
    return { language, text: text.replaceAll(new RegExp(`^${indentation}`, "gm"), ""), from: match.index, whole };
  });
  return fences.flatMap(({ language, text, from, whole }, index) => {
    if (!SHELL.includes(language)) return [];
    const next = fences[index + 1];
    const isOutput =
      next !== undefined &&
      OUTPUT.includes(next.language) &&
      document.slice(from + whole.length, next.from).trim() === "";
    const [, section = ""] = [...document.slice(0, from).matchAll(/^## (.*)$/gm)].at(-1) ?? [];
    return [{ file, section, commands: text, output: isOutput ? next.text : undefined }];
  });
}

/** Returns a document's only code block in a language, or the only one under a third-level heading, unchanged. */
export function codeBlock(document: string, language: string, heading?: string): string {
  const [, part = ""] = heading === undefined ? ["", document] : document.split(`\n### ${heading}\n`);
  const text = heading === undefined ? part : part.replace(/^##.*/ms, "");
  const blocks = [...text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "gms"))].map(
    ([, code = ""]) => code,
  );
  if (blocks.length !== 1) throw new Error(`the document has ${blocks.length} blocks of ${language}, not one`);
  return blocks[0] ?? "";
}

/**
 * Whether a program's output matches the documented one: `...` stands for any text, a number for any number, and
 * whitespace is ignored.
 */
export function isAsStated(printed: string, stated: string): boolean {
  const pattern = stated
    .trim()
    .split(/(\.\.\.|\d+|\s+)/)
    .map((part) => {
      if (part === "...") return "[^]*?";
      if (/^\d+$/.test(part)) return "\\d+";
      return [...part.replaceAll(/\s/g, "")].map((character) => RegExp.escape(character)).join("\\s*");
    });
  return new RegExp(`^\\s*${pattern.join("\\s*")}\\s*$`).test(printed);
}

/** Returns the anchors of a document's headings, as GitHub creates them. */
export const anchorsOf = (document: string): Set<string> =>
  new Set(
    [...document.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, "")
        .replace(/\s/g, "-"),
    ),
  );
