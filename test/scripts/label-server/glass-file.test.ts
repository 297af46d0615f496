import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import test from "ava";
import { keepGlass } from "../../../scripts/label-server/glass-file.ts";
import { createLabels } from "../../../scripts/label-server/labels.ts";

const STORE = "t/demo/s/main";

/** Opens a file, and label servers that store their glass in it. */
function inFile(t: { teardown(end: () => void): void }) {
  const folder = mkdtempSync(join(tmpdir(), "shelfwire-glass-"));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "glass.ndjson");
  const open = () => {
    const labels = createLabels({ airTimeMs: 0, report: () => {}, now: () => new Date() });
    const { store } = keepGlass(labels, file);
    const send = (number: number, content: string) => {
      const transmission = { key: `A-0-${number}`, number, page: 0, png: Buffer.from(content) };
      labels.receive(labels.obtain("A", STORE), transmission);
    };
    const shown = () => labels.get("A")?.pages.get(0)?.png.toString();
    return { labels, store, send, shown };
  };
  return { file, open };
}

test("a label server killed after it acknowledged a picture shows it after a restart", async (t) => {
  const { open } = inFile(t);
  const first = open();
  for (const [number, content] of ["1.00", "2.00"].entries()) {
    first.send(number + 1, content);
    await setImmediate();
    first.store();
  }
  const second = open();
  t.is(second.shown(), "2.00");
  t.is(second.labels.totals().pages, 1);
  t.is(open().shown(), "2.00");
});

test("a line that was incomplete when the process was killed is skipped", async (t) => {
  const { file, open } = inFile(t);
  const first = open();
  first.send(1, "1.00");
  await setImmediate();
  first.store();
  const whole = readFileSync(file, "utf8");
  writeFileSync(file, whole + whole.replaceAll("A", "B").slice(0, -5));
  const { labels, shown } = open();
  t.is(shown(), "1.00");
  t.is(labels.totals().labels, 1);
});
