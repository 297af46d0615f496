import test from "ava";
import { tenantResource } from "../../../../api/installation/tenants.ts";
import { labelCatalogue } from "../../../../schemas/label-catalogue.ts";
import { ownSystem } from "../../../harness/own.ts";
import { runAdminHere } from "../../../harness/processes/run-command.ts";

const world = ownSystem();
const run = (...args: string[]) => runAdminHere(world.system, args);
const json = async (...args: string[]) => JSON.parse((await run(...args, "--json")).out);
const NAME = 'M3 2.9" BWRY';
const TYPE = 100_043;

test.before(async () => {
  for (const id of ["coop", "whole"])
    await tenantResource(world.system, "^(?<type>[0-9]{4})$").put("", id, { name: id });
});

test("the catalogue is listed as lines and as data, and a search filters it", async (t) => {
  t.is((await run("label-type", "catalogue")).out.trim().split("\n").length, labelCatalogue.length);
  t.is(
    (await run("label-type", "catalogue", "m3", "2.9", "bwry")).out,
    '100043  M3 2.9" BWRY  384 x 168  white, black, red, yellow  LED\n',
  );
  const { labels } = await json("label-type", "catalogue", "m3 2.9 bwry");
  t.deepEqual(labels, [labelCatalogue.find(({ name }) => name === NAME)]);
});

test("a search that matches no name is refused, and the error lists the nearest names", async (t) => {
  const { code, err } = await run("label-type", "catalogue", "M3 2.9 BWYR");
  t.is(code, 1);
  t.true(err.includes(`The catalogue has no label "M3 2.9 BWYR". The nearest are ${NAME}, `), err);
});

test.serial("a dry run adds nothing", async (t) => {
  const { labelTypes } = await json("label-type", "add", "coop", "--catalogue", NAME, "--dry-run");
  t.deepEqual(labelTypes, [{ name: NAME, type: TYPE, adds: ["type", "model"] }]);
  t.is((await run("label-type", "list", "coop")).out, "");
});

test.serial("a label type is added by its name, with a model of the same name, and only once", async (t) => {
  const { code, out } = await run("label-type", "add", "coop", "--catalogue", "m3 2.9 bwry");
  t.deepEqual([code, out], [0, `${NAME}: label type ${TYPE} and its model are added\n`]);
  const { shown } = await json("label-type", "show", "coop", String(TYPE));
  t.deepEqual(shown, { type: TYPE, ...labelCatalogue.find(({ name }) => name === NAME)?.labelType });
  const { shown: model } = await json("model", "show", "coop", NAME);
  t.deepEqual(model, { name: NAME, labelTypes: [TYPE], linkPositions: 1 });
  const again = await run("label-type", "add", "coop", "--catalogue", NAME);
  t.is(again.out, `${NAME}: label type ${TYPE} and its model already exist\n`);
});

test.serial("several names or a chosen number are accepted, and another label type's number is refused", async (t) => {
  t.is((await run("label-type", "add", "coop", "--catalogue", "M2 2.9", "--catalogue", "M2 4.2")).code, 0);
  t.is((await run("label-type", "add", "coop", "--catalogue", "M2 7.4", "--type", "7400")).code, 0);
  const all = await json("label-type", "list", "coop");
  t.deepEqual(all.all.map(({ type }: { type: number }) => type).toSorted(), [100_001, 100_002, TYPE, 7400].toSorted());
  const { code, err } = await run("label-type", "add", "coop", "--catalogue", "M2 2.6", "--type", "7400");
  t.deepEqual(
    [code, err.trim()],
    [1, 'The label type 7400 is M2 7.4", not M2 2.6". Choose another number with --type.'],
  );
});

test("unknown names, and options that exclude each other, are refused", async (t) => {
  for (const [options, text] of [
    [["--catalogue", "M2 2.8"], 'The catalogue has no label "M2 2.8". The nearest are '],
    [[], "Send --catalogue NAME, or --all."],
    [["--all", "--catalogue", "M2 2.9"], "Send --catalogue NAME, or --all."],
    [["--all", "--type", "1"], "--type is the number of one label type, but 98 are named."],
    [["--catalogue", "M2 2.9", "--type", "x"], '--type must be a number from 1 to 999999999, not "x"'],
  ] as const) {
    const { code, err } = await run("label-type", "add", "coop", ...options);
    t.is(code, 1, options.join(" "));
    t.true(err.includes(text), err);
  }
});

test("the whole catalogue can be added", async (t) => {
  t.is((await run("label-type", "add", "whole", "--all")).code, 0);
  t.is((await json("label-type", "list", "whole")).all.length, labelCatalogue.length);
  t.is((await json("model", "list", "whole")).all.length, labelCatalogue.length);
});
