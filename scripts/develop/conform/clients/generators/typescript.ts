import { createHash, randomUUID } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder, run, say } from "../../../../prepare/programs.mjs";
import { pinned, printedBy, program, type Tool } from "./tool.ts";

function obtainNpm(): string {
  const version = createHash("sha256")
    .update(readFileSync(pinned("packages.json")))
    .digest("hex")
    .slice(0, 16);
  const folder = join(cacheFolder(), `client-generators-${version}`);
  if (existsSync(folder)) return folder;
  say("installing client generators from npm ...");
  const work = `${folder}.${randomUUID()}`;
  mkdirSync(work, { recursive: true });
  cpSync(pinned("packages.json"), join(work, "package.json"));
  run("npm", ["install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts"], { cwd: work });
  if (existsSync(folder)) rmSync(work, { recursive: true });
  else renameSync(work, folder);
  return folder;
}

/** Compiles a TypeScript program together with the client. */
function compileTypeScript(tools: string, folder: string, file: string): void {
  cpSync(program(file), join(folder, file));
  symlinkSync(join(tools, "node_modules"), join(folder, "node_modules"));
  const compilerOptions = {
    strict: true,
    skipLibCheck: true,
    target: "es2022",
    module: "commonjs",
    moduleResolution: "node10",
    outDir: "compiled",
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts", "client"] }));
  run(process.execPath, [join(tools, "node_modules/typescript/bin/tsc"), "--project", folder]);
}

const runCompiled = (file: string) => (folder: string, orderFile: string) =>
  printedBy(process.execPath, [join(folder, "compiled", file), orderFile]);

export function obtainOpenapiTypescript(): Tool {
  const tools = obtainNpm();
  return {
    make: ({ folder, document }) => {
      const cli = join(tools, "node_modules/openapi-typescript/bin/cli.js");
      run(process.execPath, [cli, document, "--output", join(folder, "schema.d.ts")]);
      compileTypeScript(tools, folder, "fetch.ts");
    },
    call: runCompiled("fetch.js"),
  };
}

export function obtainHeyApi(): Tool {
  const tools = obtainNpm();
  return {
    make: ({ folder, document }) => {
      const cli = join(tools, "node_modules/.bin/openapi-ts");
      run(cli, ["-i", document, "-o", join(folder, "client"), "-c", "@hey-api/client-fetch"]);
      compileTypeScript(tools, folder, "hey-api.ts");
    },
    call: runCompiled("hey-api.js"),
  };
}
