import { communicationPacks } from "../../records/kinds/designs.ts";
import { tenants } from "../../records/kinds/tenants.ts";
import type { CommunicationPack } from "../../schemas/design.ts";
import type { Stored } from "../../schemas/record.ts";
import type { Commit } from "../changes/commit.ts";

/**
 * Activates a pack. `assert` may reject the pack within the first compare-and-set; a pack that no longer exists is not
 * activated. Returns the pack as last written.
 *
 * The pack is written last, after the tenant's choice, so that a handler of communicationpack.v1 finds the pack active. If the
 * process is killed in between, the call can be repeated, and the audit finds stale links.
 */
export async function activate(
  commit: Commit,
  tenant: string,
  pack: string,
  assert: (current: Stored<CommunicationPack> | undefined) => void = () => {},
): Promise<Stored<CommunicationPack> | undefined> {
  const mark = (check: typeof assert) => (_: string, current: Stored<CommunicationPack> | undefined) => {
    check(current);
    return current && { ...current, activations: (current.activations ?? 0) + 1 };
  };
  const present = (await commit.change(communicationPacks, [pack], mark(assert), "interactive")).get(pack);
  if (present === undefined) return undefined;
  await commit.change(
    tenants,
    [tenant],
    (_, current) => current && { ...current, communicationPack: pack },
    "interactive",
  );
  return (
    (
      await commit.change(
        communicationPacks,
        [pack],
        mark(() => {}),
        "interactive",
      )
    ).get(pack) ?? present
  );
}
