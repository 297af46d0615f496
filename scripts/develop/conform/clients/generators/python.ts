import { cpSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { run } from "../../../../prepare/programs.mjs";
import { obtainPackages } from "../../obtain-python.ts";
import { pinned, printedBy, program, type Tool } from "./tool.ts";

/** The generator treats a picture as bytes only if configured to. Otherwise it skips the response and reports that. */
const PYTHON_SETTINGS = `content_type_overrides:
  image/png: application/octet-stream
  image/jpeg: application/octet-stream
  image/svg+xml: application/octet-stream
  font/ttf: application/octet-stream
  font/otf: application/octet-stream
`;

export function obtainPythonClient(): Tool {
  const python = obtainPackages("openapi-python-client", pinned("openapi-python-client.txt"));
  // The folder's commands cannot be moved with it, but its modules may.
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
