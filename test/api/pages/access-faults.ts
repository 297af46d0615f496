import axe, { type AxeResults } from "axe-core";
import type { Page } from "playwright-core";

/** Returns the serious and critical findings of axe on a page. */
export async function accessFaults(page: Page, colorScheme: "light" | "dark"): Promise<string[]> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe.source);
  const rules = colorScheme === "light" ? "" : `{ runOnly: ["color-contrast"] }`;
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${rules})`);
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`));
}
