import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { aptInstall } from "../../../../prepare/debian.mjs";
import { cacheFolder, run, say, which } from "../../../../prepare/programs.mjs";
import { Missing, printedBy, program, type Tool } from "./tool.ts";

const OPENAPI_GENERATOR = "org.openapitools:openapi-generator-cli:7.14.0";

/** Returns a function that generates a client's sources from a document. */
function obtainGenerator(): (document: string, folder: string, options: readonly string[]) => void {
  for (const command of ["java", "javac", "mvn"])
    if (which(command) === undefined) throw new Missing(`there is no ${command}`);
  const [, artifact = "", version = ""] = OPENAPI_GENERATOR.split(":");
  const tools = join(cacheFolder(), "client-generators-maven");
  const jar = join(tools, `${artifact}-${version}.jar`);
  if (!existsSync(jar)) {
    say("fetching openapi-generator from Maven ...");
    run("mvn", ["-q", "dependency:copy", `-Dartifact=${OPENAPI_GENERATOR}`, `-DoutputDirectory=${tools}`]);
  }
  return (document, folder, options) =>
    void run("java", ["-Xmx700m", "-jar", jar, "generate", "-i", document, "-o", folder, ...options]);
}

const filesIn = (folder: string, ending: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name));

/** Compiles files by a list of them, so that a failure is reported without hundreds of names. */
function compile(folder: string, compiler: string, options: readonly string[], files: readonly string[]): void {
  const list = join(folder, "files");
  writeFileSync(list, files.join("\n"));
  run(compiler, [...options, `@${list}`]);
}

export function obtainJava(): Tool {
  const generate = obtainGenerator();
  return {
    make: ({ folder, document }) => {
      const source = join(folder, "source");
      generate(document, source, ["-g", "java", "--library", "native"]);
      const libraries = join(folder, "libraries");
      const copy = ["dependency:copy-dependencies", "-DincludeScope=compile", `-DoutputDirectory=${libraries}`];
      run("mvn", ["-q", "-f", join(source, "pom.xml"), ...copy]);
      const files = [...filesIn(join(source, "src/main/java"), ".java"), program("Calls.java")];
      const places = ["-cp", join(libraries, "*"), "-d", join(folder, "classes")];
      compile(folder, "javac", ["-nowarn", "-parameters", "-proc:none", ...places], files);
    },
    call: (folder, orderFile) => {
      const classPath = [join(folder, "classes"), join(folder, "libraries", "*")].join(delimiter);
      return printedBy("java", ["-cp", classPath, "Calls", orderFile]);
    },
  };
}

/** Debian's library for JSON, the only one that is available without NuGet. */
const NEWTONSOFT = "/usr/lib/cli/Newtonsoft.Json-5.0/Newtonsoft.Json.dll";
const ASSEMBLIES = [
  "System.Net.Http",
  "System.Runtime.Serialization",
  "System.ComponentModel.DataAnnotations",
  "System.Web",
];
const MONO = [
  "mono-mcs",
  "mono-runtime",
  "libnewtonsoft-json5.0-cil",
  "libmono-system-net-http4.0-cil",
  "libmono-system-runtime-serialization4.0-cil",
  "libmono-system-componentmodel-dataannotations4.0-cil",
  "libmono-system-web4.0-cil",
];
/** Only what a program has set is sent: a null that is sent clears a forced design. */
const CSHARP_SETTINGS =
  "targetFramework=net48,packageName=Made,nullableReferenceTypes=false,conditionalSerialization=true";
/** Debian's library is older than these, which change nothing: every field of a generated model says its name. */
const NAMING_STRATEGY = /NamingStrategy = new CamelCaseNamingStrategy\s*\{[^}]*\}/g;

export function obtainCsharp(): Tool {
  const generate = obtainGenerator();
  const isThere = () => which("mcs") !== undefined && which("mono") !== undefined && existsSync(NEWTONSOFT);
  if (!isThere() && !(aptInstall(MONO) && isThere()))
    throw new Missing(`there is no mono, of Debian's packages ${MONO.join(", ")}`);
  return {
    make: ({ folder, document }) => {
      const source = join(folder, "source");
      generate(document, source, ["-g", "csharp", "--library", "httpclient", "-p", CSHARP_SETTINGS]);
      const files = filesIn(join(source, "src/Made"), ".cs");
      for (const file of files) writeFileSync(file, readFileSync(file, "utf8").replace(NAMING_STRATEGY, ""));
      const references = [...ASSEMBLIES, NEWTONSOFT].map((one) => `-r:${one}`);
      const programs = [program("Calls.cs"), program("Polly.cs")];
      const out = `-out:${join(folder, "Calls.exe")}`;
      compile(folder, "mcs", ["-langversion:latest", out, ...references], [...programs, ...files]);
    },
    call: (folder, orderFile) => printedBy("mono", [join(folder, "Calls.exe"), orderFile]),
  };
}
