// AVA, with reports of every error that a test can have. They are made here, and not in the thread of each test file.
import "./dump-errors.mjs";
import "../../node_modules/ava/entrypoints/cli.js";
