// AVA, with reports of every error that a test can have. They are made here, and not in the thread of each test file.
import "./dump-errors.mjs";
import "./share-threads.mjs";

// V8's flags are those of the whole process; AVA would hand them to each thread, which Node refuses.
process.execArgv = [];

await import(import.meta.resolve("../../../node_modules/ava/entrypoints/cli.js"));
