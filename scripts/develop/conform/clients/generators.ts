import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { cacheFolder, run, say, which } from "../../../prepare/programs.mjs";
import { obtainPackages } from "../obtain-python.ts";

/** Where a client is made, and of what. */
interface Work {
  folder: string;
  /** Path of the document. */
  document: string;
}

/** A generator of clients. Each step throws with what was wrong. */
export interface Generator {
  name: string;
  /** Brings it; a Missing says what this machine lacks. */
  obtain(): Tool;
}
interface Tool {
  /** Makes a client in the folder and compiles it. */
  make(work: Work): void;
  /** Runs the program that calls every operation of the order, and gives what it prints. */
  call(folder: string, orderFile: string): Promise<string>;
}

/** What a machine has not; the generator is skipped. */
export class Missing extends Error {}

const OPENAPI_GENERATOR = "org.openapitools:openapi-generator-cli:7.14.0";
/** Programs that call for longer hang. */
const CALLS_TIMEOUT_MS = 180_000;
const here = (name: string) => fileURLToPath(new URL(`./${name}`, import.meta.url));
const program = (name: string) => here(`programs/${name}`);

export const generators: readonly Generator[] = [
  { name: "openapi-typescript", obtain: obtainOpenapiTypescript },
  { name: "@hey-api/openapi-ts", obtain: obtainHeyApi },
  { name: "openapi-python-client", obtain: obtainPythonClient },
  { name: "openapi-generator (Java)", obtain: obtainJava },
  { name: "openapi-generator (C#)", obtain: () => missing("a C# compiler (dotnet)", "dotnet") },
  { name: "kiota", obtain: () => missing("kiota, which is in none of npm, PyPI and Maven", "kiota") },
];

/** A generator that has no program here yet: where the machine has what it needs, that is said too. */
function missing(what: string, command: string): never {
  throw new Missing(
    which(command) === undefined ? `there is no ${what}` : `there is no program that calls with ${command}`,
  );
}

function obtainNpm(): string {
  const pinned = createHash("sha256")
    .update(readFileSync(here("packages.json")))
    .digest("hex")
    .slice(0, 16);
  const folder = join(cacheFolder(), `client-generators-${pinned}`);
  if (existsSync(folder)) return folder;
  say("installing generators of clients from npm ...");
  const work = `${folder}.${process.pid}`;
  mkdirSync(work, { recursive: true });
  cpSync(here("packages.json"), join(work, "package.json"));
  run("npm", ["install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts"], { cwd: work });
  if (existsSync(folder)) rmSync(work, { recursive: true });
  else renameSync(work, folder);
  return folder;
}

/** Compiles a program in TypeScript with the client beside it. */
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

/** Not `run`, which would stop what of the server is in this process. */
const printedBy = async (command: string, args: readonly string[]): Promise<string> =>
  (await promisify(execFile)(command, args, { timeout: CALLS_TIMEOUT_MS, maxBuffer: 16 << 20 })).stdout;

const runCompiled = (file: string) => (folder: string, orderFile: string) =>
  printedBy(process.execPath, [join(folder, "compiled", file), orderFile]);

function obtainOpenapiTypescript(): Tool {
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

function obtainHeyApi(): Tool {
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

/** A picture is bytes to it where it is told so; else it leaves the answer out and says so. */
const PYTHON_SETTINGS = `content_type_overrides:
  image/png: application/octet-stream
  image/jpeg: application/octet-stream
  image/svg+xml: application/octet-stream
  font/ttf: application/octet-stream
  font/otf: application/octet-stream
`;

function obtainPythonClient(): Tool {
  const python = obtainPackages("openapi-python-client", here("openapi-python-client.txt"));
  // Its commands may not be moved with their folder, its modules may.
  const path = `${join(python, "..")}${delimiter}${process.env.PATH}`;
  return {
    make: ({ folder, document }) => {
      const settings = join(folder, "settings.yml");
      writeFileSync(settings, PYTHON_SETTINGS);
      const args = ["generate", "--path", document, "--output-path", join(folder, "made"), "--meta", "none"];
      const environment = { ...process.env, PATH: path };
      const said = run(python, ["-m", "openapi_python_client", ...args, "--config", settings], { env: environment });
      if (/WARNING|omitted/.test(said)) throw new Error(said);
      run(python, ["-m", "compileall", "-q", join(folder, "made")]);
    },
    call: (folder, orderFile) => {
      cpSync(program("python_client.py"), join(folder, "python_client.py"));
      return printedBy(python, [join(folder, "python_client.py"), orderFile]);
    },
  };
}

function obtainJava(): Tool {
  for (const command of ["java", "javac", "mvn"])
    if (which(command) === undefined) throw new Missing(`there is no ${command}`);
  const [, artifact = "", version = ""] = OPENAPI_GENERATOR.split(":");
  const tools = join(cacheFolder(), "client-generators-maven");
  const jar = join(tools, `${artifact}-${version}.jar`);
  if (!existsSync(jar)) {
    say("fetching openapi-generator from Maven ...");
    run("mvn", ["-q", "dependency:copy", `-Dartifact=${OPENAPI_GENERATOR}`, `-DoutputDirectory=${tools}`]);
  }
  return {
    make: ({ folder, document }) => {
      const source = join(folder, "source");
      run("java", [
        "-Xmx700m",
        "-jar",
        jar,
        "generate",
        "-i",
        document,
        "-g",
        "java",
        "--library",
        "native",
        "-o",
        source,
      ]);
      const libraries = join(folder, "libraries");
      const copy = ["dependency:copy-dependencies", "-DincludeScope=compile", `-DoutputDirectory=${libraries}`];
      run("mvn", ["-q", "-f", join(source, "pom.xml"), ...copy]);
      const files = readdirSync(join(source, "src/main/java"), { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".java"))
        .map((name) => join(source, "src/main/java", name));
      const options = [
        "-nowarn",
        "-parameters",
        "-proc:none",
        "-cp",
        join(libraries, "*"),
        "-d",
        join(folder, "classes"),
      ];
      run("javac", [...options, ...files, program("Calls.java")]);
    },
    call: (folder, orderFile) => {
      const classPath = [join(folder, "classes"), join(folder, "libraries", "*")].join(delimiter);
      return printedBy("java", ["-cp", classPath, "Calls", orderFile]);
    },
  };
}
