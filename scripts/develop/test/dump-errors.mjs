import { createRequire } from "node:module";

/*
 * Loaded before AVA, to report errors that are missing from its TAP output. Such an error would end the whole run without
 * naming the test or the error. An error without a stack frame has an undefined field, which the YAML writer rejects. Tests
 * that were under way when the run stalled, or when their file called `process.exit`, have an error in a different format.
 */
const loadForTap = createRequire(createRequire(import.meta.url).resolve("supertap"));
const yaml = loadForTap("js-yaml");
const dump = yaml.safeDump;
yaml.safeDump = (/** @type {unknown} */ value, /** @type {object} */ options) =>
  dump(value, { skipInvalid: true, ...options });

const { default: TapReporter } = await import(import.meta.resolve("../../../node_modules/ava/lib/reporters/tap.js"));
const { writeTest } = TapReporter.prototype;
TapReporter.prototype.writeTest = function (/** @type {{ err?: unknown }} */ event, /** @type {object} */ flags) {
  const { err } = event;
  const reported = err instanceof Error ? { type: "unknown", formattedError: err.message } : err;
  return writeTest.call(this, { ...event, err: reported }, flags);
};
