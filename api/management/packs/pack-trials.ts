import { Type } from "typebox";
import type { Stored } from "../../../records/kind.ts";
import { communicationPacks } from "../../../records/kinds/communication-pack.ts";
import { designs } from "../../../records/kinds/design.ts";
import { links } from "../../../records/kinds/link.ts";
import { studioLinks } from "../../../records/kinds/studio-link.ts";
import type { Records } from "../../../records/records.ts";
import type { CommunicationPack, Design } from "../../../schemas/design.ts";
import { communicationPackKey, designKey, labelOfLink } from "../../../schemas/keys.ts";
import { PackOrder } from "../../../schemas/pack.ts";
import { PackDifference, PackTrace, PackTrial, UnsavedPackTrial } from "../../../schemas/trial.ts";
import { checkPack } from "../../../workers/evaluator/packs/check-pack.ts";
import { createComparison, scenarioNames } from "../../../workers/evaluator/packs/compare-packs.ts";
import { compilePack } from "../../../workers/evaluator/packs/compile-pack.ts";
import { explain } from "../../../workers/evaluator/packs/explain.ts";
import { createPackEvaluator } from "../../../workers/evaluator/packs/pack-evaluator.ts";
import type { studioLinkDerivation } from "../../../workers/evaluator/packs/studio-link-derivation.ts";
import type { Permit } from "../../access/verify-token.ts";
import { createPause } from "../../body/in-turns.ts";
import { tenantRoute } from "../../http/route.ts";
import { createFinder } from "../find-records.ts";
import { readTrialItem } from "../trial-item.ts";
import { readActivePack } from "./active-pack.ts";
import { assertSound, PackPath } from "./packs.ts";

export interface PackTrialsWorld {
  records: Records;
  studioLinkRule: ReturnType<typeof studioLinkDerivation>;
  clock(): number;
}

/** A longer comparison continues in the next call: well below the timeouts of common gateways. */
const MAX_COMPARISON_MS = 10_000;

const After = Type.Object({ after: Type.Optional(Type.String({ description: "`next` of the call before" })) });

/** Trials of a pack, and its comparison with the active one; nothing is changed (docs/integrators.md#management). */
export const packTrials = ({ records, studioLinkRule, clock }: PackTrialsWorld) => {
  const found = createFinder(records, {
    kind: communicationPacks,
    noun: "communication pack",
    keyOf: communicationPackKey,
  });
  const allDesigns = createFinder(records, { kind: designs, noun: "design", keyOf: designKey });
  const designsOf = async (tenant: string): Promise<Map<string, Stored<Design>>> =>
    new Map((await allDesigns.all(tenant)).map((design) => [design._id, design]));

  async function soundPack(tenant: string, order: PackOrder, pointer = "") {
    const known = await designsOf(tenant);
    const checked = checkPack(order, tenant, (key) => known.has(key));
    assertSound(checked, pointer);
    return { pack: checked.pack, designs: known };
  }

  async function trace(
    tenant: string,
    permit: Permit,
    trial: PackTrial,
    { pack, designs: known }: { pack: CommunicationPack; designs: ReadonlyMap<string, Design> },
  ) {
    const { item, labelType } = await readTrialItem(records, tenant, permit, trial);
    const { location, facings } = trial;
    const link = { ...(location !== undefined && { location }), ...(facings && { facings }) };
    return { status: 200, body: explain({ pack, item, link, type: labelType.type, designs: known }) };
  }

  async function compare(tenant: string, order: PackOrder, after: string | undefined): Promise<PackDifference> {
    const [{ pack, designs: known }, active] = await Promise.all([
      soundPack(tenant, order),
      readActivePack(records, tenant),
    ]);
    // soundPack has refused what does not compile. Errors of an evaluation are not reported here; a trial shows them.
    const compiled = compilePack(pack, (_, error) => {
      throw error;
    });
    const proposed = {
      chooseScenario: createPackEvaluator(compiled, () => {}),
      designs: known,
      nameOf: scenarioNames(pack),
    };
    const comparison = createComparison(proposed, scenarioNames(active));
    const began = clock();
    const pause = createPause();
    for await (const batch of records.scan(links, `${tenant}/`, after)) {
      const keys = batch.map(({ _id }) => _id);
      const [loaded, present] = await Promise.all([studioLinkRule.load(keys), records.read(studioLinks, keys)]);
      for (const [key, { facts }] of loaded) {
        comparison.add({ label: labelOfLink(key).label, facts, present: present.get(key) });
        // The budget of a pack bounds one link; a batch of links must not keep other calls waiting.
        const paused = pause();
        if (paused) await paused;
      }
      if (clock() - began > MAX_COMPARISON_MS) return { ...comparison.result(), next: keys.at(-1) ?? null };
    }
    return { ...comparison.result(), next: null };
  }

  return [
    tenantRoute({
      method: "POST",
      path: "/communication-packs/evaluate",
      operationId: "tryPack",
      summary: "Try a pack that is saved nowhere: which design an item would have on a label, and why",
      description: "An item that is named by its id needs the scope `items:read` too.",
      scope: "design:read",
      body: UnsavedPackTrial,
      answers: { 200: PackTrace },
      handle: async ({ tenant, permit, body }) =>
        trace(tenant, permit, body, await soundPack(tenant, body.pack, "/pack")),
    }),

    tenantRoute({
      method: "POST",
      path: "/communication-packs/:packId/evaluate",
      operationId: "trySavedPack",
      summary: "Try a saved pack: which design an item would have on a label, and why",
      description: "An item that is named by its id needs the scope `items:read` too.",
      scope: "design:read",
      params: PackPath,
      body: PackTrial,
      answers: { 200: PackTrace },
      problems: ["not-found"],
      handle: async ({ tenant, permit, params, body }) =>
        trace(tenant, permit, body, { pack: await found.one(tenant, params.packId), designs: await designsOf(tenant) }),
    }),

    tenantRoute({
      method: "POST",
      path: "/communication-packs/diff",
      operationId: "comparePack",
      summary: "How many labels would change their design, if a pack were the active one",
      description:
        "Every link that the rules choose for is looked at. One call takes ten seconds at the most; where there is more, " +
        "its answer says where to go on.",
      scope: "design:read",
      query: After,
      body: PackOrder,
      answers: { 200: PackDifference },
      handle: async ({ tenant, body, query }) => ({ status: 200, body: await compare(tenant, body, query.after) }),
    }),
  ];
};
