// AVA, with a report of every kind of error that a test can have. The reports are created here, and not in the thread of each
// test file.
import "./dump-errors.mjs";
import "./share-threads.mjs";

// V8's flags apply to the whole process. AVA would pass them to each thread, which Node rejects.
process.execArgv = [];

await import(import.meta.resolve("../../../node_modules/ava/entrypoints/cli.js"));
