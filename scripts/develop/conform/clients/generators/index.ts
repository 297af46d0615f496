import { obtainGo } from "./go.ts";
import { obtainJava } from "./openapi-generator.ts";
import { obtainPythonClient } from "./python.ts";
import type { Generator } from "./tool.ts";
import { obtainHeyApi, obtainOpenapiTypescript } from "./typescript.ts";

export const generators: readonly Generator[] = [
  { name: "openapi-typescript", obtain: obtainOpenapiTypescript },
  { name: "@hey-api/openapi-ts", obtain: obtainHeyApi },
  { name: "openapi-python-client", obtain: obtainPythonClient },
  { name: "openapi-generator (Java)", obtain: obtainJava },
  { name: "oapi-codegen", obtain: obtainGo },
];
