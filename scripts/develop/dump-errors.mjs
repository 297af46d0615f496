import { createRequire } from "node:module";

/**
 * Loaded before AVA. In its TAP output an error without a stack frame has an undefined field, which the YAML writer
 * refuses: the whole run would end there, and name neither the test nor the error.
 */
const loadForTap = createRequire(createRequire(import.meta.url).resolve("supertap"));
const yaml = loadForTap("js-yaml");
const dump = yaml.safeDump;
yaml.safeDump = (/** @type {unknown} */ value, /** @type {object} */ options) =>
  dump(value, { skipInvalid: true, ...options });
