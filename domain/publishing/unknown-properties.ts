import type { Content, DraftFinding } from "../../schemas/version.ts";
import { splitTemplate } from "../expression/template-parts.ts";

/** A longer list of warnings would not help anybody. */
const MAX_WARNINGS = 100;

/** Fields whose entire text is an expression. In all other texts, only the content of `${...}` is one. */
const EXPRESSIONS = new Set(["cel_expression", "visible"]);

/** Warns about each property that an expression of a pack or a canvas names and that none of the sampled items has. */
export function unknownProperties(content: Content, known: ReadonlySet<string>, sampled: number): DraftFinding[] {
  if (sampled === 0) return [];
  const found = [...expressionsIn(content, "")].flatMap(({ pointer, expression }) =>
    namesIn(expression)
      .filter((name) => !known.has(name))
      .map((name) => ({ pointer, detail: `none of the ${sampled} items that were read has the property "${name}"` })),
  );
  return found.slice(0, MAX_WARNINGS);
}

function* expressionsIn(value: unknown, pointer: string): Generator<{ pointer: string; expression: string }> {
  if (typeof value === "string") {
    if (EXPRESSIONS.has(pointer.slice(pointer.lastIndexOf("/") + 1))) yield { pointer, expression: value };
    else
      for (const part of splitTemplate(value).parts)
        if (typeof part !== "string") yield { pointer, expression: part.expression };
    return;
  }
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) yield* expressionsIn(inner, `${pointer}/${name}`);
}

/**
 * Returns the properties that an expression names, each once. Quoted strings may look like properties, so they are removed first.
 */
function namesIn(expression: string): string[] {
  const byIndex = [...expression.matchAll(/\bitem\s*\[\s*(?:"([^"\\]*)"|'([^'\\]*)')\s*\]/g)];
  const bare = expression.replaceAll(/"(?:[^"\\]|\\[\s\S])*"?|'(?:[^'\\]|\\[\s\S])*'?/g, '""');
  const byField = [...bare.matchAll(/\bitem\s*\.\s*([A-Za-z_]\w*)/g)];
  return [...new Set([...byField, ...byIndex].map(([, one, other]) => one ?? other ?? ""))];
}
