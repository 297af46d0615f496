import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run, which } from "../../../../prepare/programs.mjs";
import { Missing, printedBy, program, type Tool } from "./tool.ts";

const OAPI_CODEGEN = "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2";

/** Some enum values have the same names as fields. Without a prefix, they would become constants of the package. */
const SETTINGS = `package: client
output: client/client.go
generate: {models: true, client: true}
compatibility: {always-prefix-enum-values: true}
`;

export function obtainGo(): Tool {
  if (which("go") === undefined) throw new Missing("there is no go");
  return {
    make: ({ folder, document }) => {
      cpSync(program("go"), folder, { recursive: true });
      mkdirSync(join(folder, "client"));
      writeFileSync(join(folder, "settings.yaml"), SETTINGS);
      run("go", ["run", OAPI_CODEGEN, "-config", "settings.yaml", document], { cwd: folder });
      run("go", ["vet", "./..."], { cwd: folder });
      run("go", ["build", "-o", "calls", "."], { cwd: folder });
    },
    call: (folder, orderFile) => printedBy(join(folder, "calls"), [orderFile]),
  };
}
