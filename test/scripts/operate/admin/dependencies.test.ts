import { globSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import test from "ava";

test("operator commands run without development dependencies", (t) => {
  const { dependencies } = JSON.parse(readFileSync("package.json", "utf8"));
  const files = [
    ...globSync("scripts/{operate,label-server,mqtt-gateway,access-point}/**/*.ts"),
    ...globSync("scripts/develop/{command-line,load,designs}.ts"),
    ...globSync("scripts/develop/{load,designs}/**/*.ts"),
  ];
  t.true(files.length > 15);
  for (const file of files)
    for (const [, name = ""] of readFileSync(file, "utf8").matchAll(/from "((?:@[^/"]+\/)?[^./"][^/"]*)/g))
      t.true(name.startsWith("node:") || builtinModules.includes(name) || name in dependencies, `${file}: ${name}`);
});
