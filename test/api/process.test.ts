import { execFile } from "node:child_process";
import { promisify } from "node:util";
import test from "ava";

const program = `
import { registerHooks } from "node:module";
const loaded = new Set();
registerHooks({
  resolve(specifier, context, next) {
    loaded.add(specifier);
    return next(specifier, context);
  },
});
await import(process.argv[1]);
process.stdout.write(JSON.stringify([...loaded]));
`;

test("the web process loads no drawing code, and without an endpoint no OpenTelemetry SDK", async (t) => {
  const entry = new URL("../../api/process.ts", import.meta.url).href;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program, entry]);
  const loaded: string[] = JSON.parse(stdout);
  t.true(loaded.includes("koa"), "the hook sees what is loaded");
  t.deepEqual(
    loaded.filter((name) =>
      /^(@napi-rs\/canvas|jimp|bwip-js|lean-qr|harfbuzzjs|bidi-js|@expo-google-fonts|@opentelemetry\/(?!api$)|bullmq-otel)/.test(
        name,
      ),
    ),
    [],
  );
});
