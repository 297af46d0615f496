import type { ProblemName } from "../../http/problem-kinds.ts";
import { type Html, html } from "../html/html.ts";
import type { Key } from "../messages/en.ts";
import type { Texts } from "../messages/texts.ts";
import type { Visit } from "../visit.ts";

const known: Partial<Record<ProblemName, Key>> = {
  "insufficient-scope": "problem.right",
  forbidden: "problem.store",
  "unknown-store": "problem.noStore",
  "unknown-path": "problem.noPage",
  "invalid-request": "problem.nothing",
  unavailable: "problem.later",
};

/** Returns the key of a problem's message on pages. */
export const problemKey = (problem: ProblemName): Key => known[problem] ?? "problem.failed";

/** The heading of a problem, its message, and a link back to the overview. */
export const problemSection = (texts: Texts, said: Html, overview: string): Html =>
  html`<h1>${texts("problem.title")}</h1>${said}
<p><a class="button" href="${overview}">${texts("nav.overview")}</a></p>`;

/** Shows why the interface rejected a call that a page needs, and a link back. */
export function problemContent(
  problem: ProblemName,
  { texts, link }: Visit,
  nothing: Key = "problem.nothing",
): { title: string; content: Html } {
  const key = problem === "not-found" ? nothing : problemKey(problem);
  return {
    title: texts("problem.title"),
    content: html`<div class="page narrow">${problemSection(texts, html`<p>${texts(key)}</p>`, link("/"))}</div>`,
  };
}
