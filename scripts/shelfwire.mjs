#!/usr/bin/env node
// The command line of operators, `shelfwire` (docs/operations/README.md#commands). Plain JavaScript: an older Node is
// named before it reads TypeScript.
import "./check-node.cjs";

const { shelfwire } = await import("./operate/command-line/shelfwire.ts");
process.exitCode = await shelfwire(process.argv.slice(2));
