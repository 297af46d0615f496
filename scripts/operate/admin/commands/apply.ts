import { readSettings } from "../../../../runtime/read-settings.ts";
import { secretLines } from "../../installation/nouns.ts";
import { planInstallation, type Step } from "../../installation/plan-installation.ts";
import { command } from "../command.ts";
import { explainError } from "../explain-error.ts";
import { noteCommand } from "../note-command.ts";
import { readJsonFile } from "../read-json-file.ts";

export const apply = command({
  name: "apply",
  arguments: ["FILE"],
  means: "create or change tenants and their resources as described in a JSON file; - is standard input",
  options: { prune: { means: "remove resources of the file's tenants that its sections do not list" } },
  async run({ arguments: [file = ""], options, isDryRun, open, progress }) {
    const { BARCODE_PATTERN: barcodePattern } = readSettings(["BARCODE_PATTERN"]);
    const content = await readJsonFile(file);
    const system = await open();
    const { steps, kept } = await planInstallation(system, content, { barcodePattern, isPruning: options.prune });
    const bar = progress("steps", steps.length);
    const taken: (Step & { made: Readonly<Record<string, string>> })[] = [];
    let reason: string | undefined;
    for (const step of isDryRun ? [] : steps) {
      try {
        taken.push({ ...step, made: await step.take() });
        await noteCommand(system, step.tenant, `${step.noun} ${step.effect}`, { id: step.id });
      } catch (error) {
        // Stops here, since later steps may need this one.
        reason = explainError(error, system);
        break;
      }
      bar(taken.length);
    }
    const shown = isDryRun ? steps.map((step) => ({ ...step, made: {} })) : taken;
    const failed = reason === undefined ? undefined : steps[taken.length];
    return {
      hasFailed: failed !== undefined,
      data: {
        steps: shown.map(({ effect, noun, tenant, id, made }) => ({ effect, noun, tenant, id, ...made })),
        kept,
        ...(failed && {
          failed: { effect: failed.effect, noun: failed.noun, tenant: failed.tenant, id: failed.id, reason },
        }),
      },
      lines: [
        ...shown.flatMap((step) => [describe(step, isDryRun ? "would be" : "is"), ...secretLines(step.made)]),
        countsText(shown, kept, isDryRun),
        ...(failed ? [`Failed and stopped here: ${describe(failed, "cannot be")}: ${reason}`] : []),
      ],
    };
  },
});

/** Returns how many resources were created, changed and removed, if any, and how many are unchanged. */
function countsText(steps: readonly Pick<Step, "effect">[], kept: number, isDryRun: boolean): string {
  const counted = (["make", "change", "remove"] as const).flatMap((effect) => {
    const count = steps.filter((step) => step.effect === effect).length;
    return count > 0 ? `${count} ${isDryRun ? "would be " : ""}${done[effect]}` : [];
  });
  return [...(counted.length > 0 ? [`${counted.join(", ")};`] : []), `${kept} resources already match the file.`].join(
    " ",
  );
}

const done = { make: "created", change: "changed", remove: "removed" } as const;

const describe = ({ effect, noun, tenant, id }: Step, is: string): string =>
  `${noun} ${id}${noun === "tenant" ? "" : ` of ${tenant}`} ${is} ${done[effect]}`;
