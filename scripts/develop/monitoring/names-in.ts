/** PromQL keywords in the expressions. Any other word is the name of a metric. */
const words = new Set(
  "absent and by for histogram_quantile increase label_replace max on or rate sum unless without".split(" "),
);

/** Returns the names of metrics in an expression: what remains without strings, label selectors, groups and numbers. */
export function namesIn(expression: string): string[] {
  const bare = expression
    .replaceAll(/"[^"]*"/g, " ")
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]/g, " ")
    .replaceAll(/\b(by|on|without) *\([^)]*\)/g, " ");
  const names = bare.match(/[a-zA-Z_:][a-zA-Z0-9_:]*/g) ?? [];
  return [...new Set(names.filter((name) => !words.has(name)))];
}
