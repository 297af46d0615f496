import { type Commit, createCommit } from "../../queues/changes/commit.ts";
import type { System } from "../../queues/system.ts";
import { publishedBy } from "../../queues/topology.ts";
import { links } from "../../records/kinds/links.ts";
import type { Link } from "../../schemas/link.ts";
import type { Urgency } from "../../schemas/urgency.ts";

/**
 * Creates commits that write the designerlink.v1 or ecclink.v1 of designer and ECC links before the links' changes are published,
 * so that a process that is notified of such a link finds these records. Studio links' records wait for the rules.
 */
export function createProjectFirst(
  system: System,
  project: (linkKeys: readonly string[], urgency: Urgency) => Promise<void>,
): Commit {
  const { publisher } = system;
  const publishes = publishedBy("link");
  /** Collects, in `own`, the links that are decided in one call and do not depend on the rules. */
  const commitOf = (own: ReadonlySet<string>): Commit =>
    createCommit({
      ...system,
      publishes,
      publisher: {
        ...publisher,
        async publish(topic, changes) {
          const keys = changes.flatMap(({ key }) => (own.has(key) ? [key] : []));
          if (keys.length > 0) await project(keys, changes[0]?.urgency ?? "bulk");
          return publisher.publish(topic, changes);
        },
      },
    });
  return {
    ...system.commit,
    change(kind, keys, decide, urgency, present) {
      if (kind.name !== links.name) return system.commit.change(kind, keys, decide, urgency, present);
      const own = new Set<string>();
      const noted: typeof decide = (key, current) => {
        const body = decide(key, current);
        if (body !== undefined && (body as Link).origin !== "studio") own.add(key);
        return body;
      };
      return commitOf(own).change(kind, keys, noted, urgency, present);
    },
  };
}
