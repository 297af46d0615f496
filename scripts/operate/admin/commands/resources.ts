import { isDeepStrictEqual } from "node:util";
import type { TObject } from "typebox";
import type { System } from "../../../../queues/system.ts";
import { readSettings } from "../../../../runtime/read-settings.ts";
import { effectOf, formFaults } from "../../installation/compare-order.ts";
import {
  type AnyResource,
  madeSecrets,
  type Noun,
  secretLines,
  tenantNoun,
  tenantNouns,
} from "../../installation/nouns.ts";
import { assertTenant } from "../assert-tenant.ts";
import { type Command, command, Refusal } from "../command.ts";
import { noteCommand } from "../note-command.ts";
import { readJsonFile } from "../read-json-file.ts";

/** `store list`, `store show`, `store put` and `store remove`, and the same for everything else that an operator sets up. */
export const resourceCommands: readonly Command[] = [
  // `tenant remove` is a separate command, because it sets a grace period.
  ...commandsOf(tenantNoun, []).filter(({ name }) => name !== "tenant remove"),
  ...tenantNouns.flatMap((noun) => commandsOf(noun, ["TENANT"])),
];

function commandsOf(noun: Noun, owners: readonly string[]): Command[] {
  const { name, argument } = noun;
  const what = name.replace("-", " ");
  const whose = owners.length > 0 ? " of a tenant" : "";
  /** Returns the resource, the key of its tenant, and the arguments after the tenant. */
  const openWith = async (open: () => Promise<System>, args: readonly string[]) => {
    const system = await open();
    const { BARCODE_PATTERN } = readSettings(["BARCODE_PATTERN"]);
    const [tenant] = owners.length > 0 ? args : [];
    const owner = tenant === undefined ? "" : await assertTenant(system.records, tenant);
    const resource = noun.open(system, BARCODE_PATTERN);
    /** Records what a command did in the log of the tenant, which may be the resource itself. */
    const note = (operation: string, id: string) =>
      noteCommand(system, tenant ?? id, operation, { [noun.idField]: id });
    return { resource, owner, rest: args.slice(owners.length), note };
  };
  const named = (id: string, args: readonly string[]) => `${what} ${id}${owners.length > 0 ? ` of ${args[0]}` : ""}`;

  return [
    command({
      name: `${name} list`,
      arguments: owners,
      means: `list all ${what}s${whose}`,
      options: {},
      async run({ arguments: args, open }) {
        const { resource, owner } = await openWith(open, args);
        const all = await resource.all(owner);
        return { data: { all }, lines: all.map((one) => JSON.stringify(one)) };
      },
    }),
    command({
      name: `${name} show`,
      arguments: [...owners, argument],
      means: `show a ${what}${whose}`,
      options: {},
      async run({ arguments: args, open }) {
        const { resource, owner, rest } = await openWith(open, args);
        const shown = await resource.one(owner, rest[0] ?? "");
        return { data: { shown }, lines: [JSON.stringify(shown, undefined, 2)] };
      },
    }),
    command({
      name: `${name} put`,
      arguments: [...owners, argument, "FILE"],
      means: `create or change a ${what}${whose} as described in a JSON file; - is standard input`,
      options: {},
      async run({ arguments: args, isDryRun, open }) {
        const { resource, owner, rest, note } = await openWith(open, args);
        const [id = "", file = ""] = rest;
        const before = await resource.find(owner, id);
        const order = orderOf(noun, resource, id, (await readJsonFile(file)) as object, before);
        const faults = formFaults(resource, id, order).map(({ pointer, detail }) => `  ${pointer} ${detail}`);
        if (faults.length > 0) throw new Refusal([`${file} is not a valid ${what}:`, ...faults].join("\n"));
        await resource.check(owner, id, order);
        const effect = effectOf(resource.order, order, before);
        const shown = isDryRun ? order : await resource.put(owner, id, order);
        if (!isDryRun && effect !== "keep") await note(`${name} put`, id);
        const is = isDryRun ? "would be" : "is";
        return {
          data: { id, effect, shown },
          lines: [
            `${named(id, args)} ${effect === "keep" ? "already matches the file" : `${is} ${effect === "make" ? "created" : "changed"}`}`,
            ...secretLines(madeSecrets(order, shown)),
          ],
        };
      },
    }),
    command({
      name: `${name} remove`,
      arguments: [...owners, argument],
      means: `remove a ${what}${whose} that is no longer in use`,
      options: {},
      async run({ arguments: args, isDryRun, open }) {
        const { resource, owner, rest, note } = await openWith(open, args);
        const [id = ""] = rest;
        await (isDryRun ? resource.one(owner, id) : resource.remove(owner, id));
        if (!isDryRun) await note(`${name} remove`, id);
        return {
          data: { id },
          lines: [`${named(id, args)} ${isDryRun ? "would be removed, unless it is in use" : "is removed"}`],
        };
      },
    }),
  ];
}

/**
 * Returns the order in a file, which may be the output of `show`, with the id and possibly more fields. Throws a Refusal if the
 * order belongs to another resource.
 */
function orderOf(noun: Noun, resource: AnyResource, id: string, file: object, present: object | undefined): object {
  const ofOrder = Object.keys((resource.order as TObject).properties);
  const shown = { ...present, [noun.idField]: id } as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(file).filter(([field, value]) => {
      if (ofOrder.includes(field) || !(field in shown)) return true;
      if (field === noun.idField && String(value) !== id)
        throw new Refusal(`The file describes ${noun.name.replace("-", " ")} "${value}", not "${id}".`);
      return field !== noun.idField && !isDeepStrictEqual(value, shown[field]);
    }),
  );
}
