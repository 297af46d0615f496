import { ProblemError } from "../../../api/http/problem-error.ts";
import type { InstallationWorld } from "../../../api/installation/resource.ts";
import type { ShownTenant } from "../../../api/installation/tenants.ts";
import { tenantKey } from "../../../schemas/keys.ts";
import { removedText } from "../admin/assert-tenant.ts";
import { Refusal } from "../admin/command.ts";
import { explainError } from "../admin/explain-error.ts";
import { effectOf, formFaults } from "./compare-order.ts";
import { type AnyResource, idOf, madeSecrets, type Noun, tenantNoun, tenantNouns } from "./nouns.ts";

/** A step from an installation's current state to the state in a file. */
export interface Step {
  effect: "make" | "change" | "remove";
  noun: string;
  tenant: string;
  id: string;
  /** Carries out the step. Returns the secrets that were created for it. */
  take(): Promise<Readonly<Record<string, string>>>;
}

export interface Plan {
  steps: Step[];
  /** How many resources already match the file. */
  kept: number;
}

/** Orders by id, from one section of a tenant. */
type Section = Readonly<Record<string, object>>;
/** The content of a file: tenants by id, each with the fields of the tenant's own order, and its sections. */
interface InstallationFile {
  tenants: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export interface PlanOptions {
  barcodePattern: string;
  /**
   * Whether resources missing from a section are removed. Tenants and sections that the file does not contain are not
   * changed.
   */
  isPruning: boolean;
}

/**
 * Returns the steps that make an installation match a file. Writes nothing. Throws a Refusal with every fault of the file's
 * form or, if there is none, with every order that would be rejected.
 */
export async function planInstallation(world: InstallationWorld, file: unknown, options: PlanOptions): Promise<Plan> {
  const { barcodePattern, isPruning } = options;
  const open = (noun: Noun): AnyResource => noun.open(world, barcodePattern);
  const tenants = open(tenantNoun);
  const kinds = tenantNouns.map((noun) => ({ noun, resource: open(noun) }));
  const { tenants: wanted } = assertForm(file, tenants, kinds);
  const plan: Plan = { steps: [], kept: 0 };
  const refusals: string[] = [];
  const put = async (noun: Noun, resource: AnyResource, owner: string, tenant: string, id: string, order: object) => {
    const effect = effectOf(resource.order, order, await resource.find(owner, id));
    if (effect === "keep") plan.kept += 1;
    else {
      // An order may need what an earlier step creates. If there is no earlier step, an order that is rejected now would also
      // be rejected when its step is taken.
      if (!plan.steps.some((step) => step.tenant === tenant))
        await resource
          .check(owner, id, order)
          .catch((error: unknown) => refusals.push(`${noun.name} ${id} of ${tenant}: ${reasonOf(error)}`));
      const take = async () => madeSecrets(order, await resource.put(owner, id, order));
      plan.steps.push({ effect, noun: noun.name, tenant, id, take });
    }
  };

  for (const [tenant, content] of Object.entries(wanted)) {
    const owner = tenantKey(tenant);
    const { removal } = ((await tenants.find("", tenant)) ?? {}) as Partial<ShownTenant>;
    if (removal) {
      refusals.push(removedText(tenant, { since: new Date(removal.since), due: new Date(removal.due) }));
      continue;
    }
    await put(tenantNoun, tenants, "", tenant, tenant, ownOrder(content));
    for (const { noun, resource } of kinds)
      for (const [id, order] of Object.entries(sectionOf(content, noun) ?? {}))
        await put(noun, resource, owner, tenant, id, order);
    if (!isPruning) continue;
    // Dependent resources come before the resources that they need.
    for (const { noun, resource } of kinds.toReversed()) {
      const section = sectionOf(content, noun);
      const ids = section ? (await resource.all(owner)).map((shown) => idOf(noun, shown)) : [];
      for (const id of ids.filter((present) => !Object.hasOwn(section ?? {}, present)))
        plan.steps.push({
          effect: "remove",
          noun: noun.name,
          tenant,
          id,
          take: () => resource.remove(owner, id).then(() => ({})),
        });
    }
  }
  if (refusals.length > 0) throw new Refusal(["The installation would be rejected:", ...refusals].join("\n  "));
  return plan;
}

/** Returns why an order is rejected. Throws any other error. */
function reasonOf(error: unknown): string {
  if (error instanceof ProblemError) return explainError(error);
  throw error;
}

const sections = tenantNouns.flatMap(({ section }) => section ?? []);

const sectionOf = (content: Readonly<Record<string, unknown>>, { section = "" }: Noun): Section | undefined =>
  content[section] as Section | undefined;

/** Returns the fields of a tenant's own order. */
const ownOrder = (content: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(content).filter(([field]) => !sections.includes(field)));

function assertForm(
  file: unknown,
  tenants: AnyResource,
  kinds: readonly { noun: Noun; resource: AnyResource }[],
): InstallationFile {
  if (!isObject(file) || !isObject(file.tenants) || Object.keys(file).length !== 1)
    throw new Refusal('An installation must have the form {"tenants": {ID: {"name": ..., ...}}}.');
  const faults = Object.entries(file.tenants).flatMap(([id, content]) => {
    const at = `/tenants/${id}`;
    if (!isObject(content)) return [`${at} must be an object`];
    const ofSections = kinds.flatMap(({ noun, resource }) => {
      const section = sectionOf(content, noun);
      if (section === undefined) return [];
      if (!isObject(section)) return [`${at}/${noun.section} must be an object that maps ids to resources`];
      return Object.entries(section).flatMap(([one, order]) =>
        formFaults(resource, one, order).map(
          ({ pointer, detail }) => `${at}/${noun.section}/${one}${pointer} ${detail}`,
        ),
      );
    });
    const own = formFaults(tenants, id, ownOrder(content)).map(({ pointer, detail }) => `${at}${pointer} ${detail}`);
    return [...own, ...ofSections];
  });
  if (faults.length > 0) throw new Refusal(["The installation has faults:", ...faults].join("\n  "));
  return file as unknown as InstallationFile;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
