#!/usr/bin/env node
// The operators' command line, `shelfwire` (docs/operations/README.md#commands). Plain JavaScript, so that an older Node can
// report its version before it reads TypeScript.
import "./check-node.cjs";

const { shelfwire } = await import("./operate/command-line/shelfwire.ts");
process.exitCode = await shelfwire(process.argv.slice(2));
