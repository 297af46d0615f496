// AVA, with reports of every error that a test can have. They are made here, and not in the thread of each test file.
import v8 from "node:v8";
import "./dump-errors.mjs";

// For the threads of test files, which live for seconds side by side: collections are fewer, and none has helpers of its own.
v8.setFlagsFromString("--single-threaded-gc");
v8.setFlagsFromString("--min-semi-space-size=16");
v8.setFlagsFromString("--max-semi-space-size=32");

await import(import.meta.resolve("../../../node_modules/ava/entrypoints/cli.js"));
