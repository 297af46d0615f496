import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
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

const sourcesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".java"))
    .map((name) => join(folder, name));

export function obtainJava(): Tool {
  const generate = obtainGenerator();
  return {
    make: ({ folder, document }) => {
      const source = join(folder, "source");
      generate(document, source, ["-g", "java", "--library", "native"]);
      const libraries = join(folder, "libraries");
      const copy = ["dependency:copy-dependencies", "-DincludeScope=compile", `-DoutputDirectory=${libraries}`];
      run("mvn", ["-q", "-f", join(source, "pom.xml"), ...copy]);
      const files = [...sourcesIn(join(source, "src/main/java")), program("Calls.java")];
      const places = ["-cp", join(libraries, "*"), "-d", join(folder, "classes")];
      // The names are in a list file, so that the report of a failure does not contain hundreds of them.
      const list = join(folder, "files");
      writeFileSync(list, files.join("\n"));
      run("javac", ["-nowarn", "-parameters", "-proc:none", ...places, `@${list}`]);
    },
    call: (folder, orderFile) => {
      const classPath = [join(folder, "classes"), join(folder, "libraries", "*")].join(delimiter);
      return printedBy("java", ["-cp", classPath, "Calls", orderFile]);
    },
  };
}
