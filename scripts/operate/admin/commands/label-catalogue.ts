import { labelTypeResource } from "../../../../api/installation/label-types.ts";
import { modelResource } from "../../../../api/installation/models.ts";
import type { InstallationWorld } from "../../../../api/installation/resource.ts";
import {
  type CatalogueEntry,
  catalogueEntry,
  catalogueEntryOf,
  labelCatalogue,
  nearestNames,
  searchCatalogue,
} from "../../../../schemas/label-catalogue.ts";
import type { LabelType } from "../../../../schemas/label-type.ts";
import { assertTenant } from "../assert-tenant.ts";
import { command, countOf, Refusal } from "../command.ts";

const NEAREST = 3;

/** `label-type catalogue`: the labels on the market. */
export const labelCatalogueCommand = command({
  name: "label-type catalogue",
  arguments: ["TEXT..."],
  means: "list the labels on the market, or those whose names contain each word of TEXT",
  options: {},
  async run({ arguments: words }) {
    const found = searchCatalogue(words.join(" "));
    if (found.length === 0) throw new Refusal(unknownText(words.join(" ")));
    return { data: { labels: found }, lines: catalogueLines(found) };
  },
});

/** `label-type add`: label types, and a model for each, from the catalogue. */
export const labelTypeAddCommand = command({
  name: "label-type add",
  arguments: ["TENANT"],
  means: "add label types from the catalogue to a tenant, with a model for each",
  options: {
    catalogue: { takes: "NAME", isRepeated: true, means: "the label's name in the catalogue; may be repeated" },
    all: { means: "add the whole catalogue" },
    type: { takes: "NUMBER", means: "number of the label type, instead of the catalogue's; with a single name" },
  },
  async run({ arguments: [tenant = ""], options, isDryRun, open, progress }) {
    const entries = options.all ? labelCatalogue : options.catalogue.map(entryNamed);
    if (options.all === options.catalogue.length > 0) throw new Refusal("Send --catalogue NAME, or --all.");
    if (options.type !== undefined && entries.length !== 1)
      throw new Refusal(`--type is the number of one label type, but ${entries.length} are named.`);
    const chosen = options.type === undefined ? undefined : countOf("--type", options.type);
    const system = await open();
    const owner = await assertTenant(system.records, tenant);
    const steps = await planSteps(system, owner, new Map(entries.map((entry) => [chosen ?? entry.type, entry])));
    const bar = progress("label types", steps.length);
    for (const [index, step] of steps.entries()) {
      if (!isDryRun) await step.take();
      bar(index + 1);
    }
    return {
      data: { labelTypes: steps.map(({ name, type, adds }) => ({ name, type, adds })) },
      lines: steps.map((step) => addedText(step, isDryRun)),
    };
  },
});

/** Plans what each label lacks. Throws a Refusal if one of the numbers belongs to another label type. Writes nothing. */
async function planSteps(world: InstallationWorld, owner: string, entries: ReadonlyMap<number, CatalogueEntry>) {
  const types = labelTypeResource(world);
  const models = modelResource(world);
  const knownTypes = new Map((await types.all(owner)).map((one) => [one.type, one]));
  const knownModels = new Set((await models.all(owner)).map(({ name }) => name));
  return [...entries].map(([type, { name, labelType }]) => {
    const present = knownTypes.get(type);
    if (present && present.hardwareType !== labelType.hardwareType) throw new Refusal(takenText(present, name));
    const hasModel = knownModels.has(name);
    return {
      name,
      type,
      adds: [...(present ? [] : ["type"]), ...(hasModel ? [] : ["model"])],
      async take() {
        if (!present) await types.put(owner, String(type), labelType);
        if (!hasModel) await models.put(owner, name, { labelTypes: [type], linkPositions: 1 });
      },
    };
  });
}

function addedText({ name, type, adds }: { name: string; type: number; adds: readonly string[] }, isDryRun: boolean) {
  const what = adds.includes("type") ? `label type ${type}` : `the model of label type ${type}`;
  const is = isDryRun ? "would be" : "is";
  const are = isDryRun ? "would be" : "are";
  if (adds.length === 0) return `${name}: label type ${type} and its model already exist`;
  return adds.length === 1 ? `${name}: ${what} ${is} added` : `${name}: ${what} and its model ${are} added`;
}

function entryNamed(name: string): CatalogueEntry {
  const entry = catalogueEntry(name);
  if (entry === undefined) throw new Refusal(unknownText(name));
  return entry;
}

const unknownText = (name: string): string =>
  `The catalogue has no label "${name}". The nearest are ${nearestNames(name, NEAREST).join(", ")}.`;

function takenText({ type, hardwareType, width, height }: LabelType, name: string): string {
  const other = catalogueEntryOf(hardwareType ?? "")?.name ?? `of ${width} x ${height} pixels`;
  return `The label type ${type} is ${other}, not ${name}. Choose another number with --type.`;
}

function catalogueLines(entries: readonly CatalogueEntry[]): string[] {
  const rows = entries.map(({ name, type, button, labelType: { width, height, colors, flash } }) => [
    String(type),
    name,
    `${width} x ${height}`,
    colors.join(", "),
    [...(flash ? ["LED"] : []), ...(button ? ["button"] : [])].join(", "),
  ]);
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
