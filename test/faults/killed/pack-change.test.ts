import test from "ava";
import { changePackUnderKills } from "../../../scripts/develop/chaos/packs/pack-change.ts";
import { openShelfwire } from "../../harness/shelfwire.ts";

/** Enough links to exceed the maximum if the older pack's walk continues after the newer pack has been stored. */
const LINKS = 4_500;
/** The batch in progress when the newer pack was stored and, for each kill, a batch that was announced but never written. */
const MAX_IN_PROGRESS = 1_500;

test("rule 10: a killed pack change is resumed, replaced by a newer one, and leaves every link with the newest design", async (t) => {
  const shelfwire = await openShelfwire({ workers: [] });
  t.teardown(() => shelfwire.close());
  const { system, environment } = shelfwire;
  const { wrong, writes, old, restarted } = await changePackUnderKills({
    system,
    environment,
    links: LINKS,
    log: t.log,
  });
  t.deepEqual(wrong, []);
  t.is(restarted, 0, "a killed walk continues where it stopped");
  // A killed process may not have published its last writes.
  t.true(writes > LINKS / 2, `only ${writes} studio links were published`);
  t.log(`${writes} studio links were published, ${old} of the older pack before the newer one`);
  t.true(
    writes <= LINKS + old + MAX_IN_PROGRESS,
    `${writes} studio links were published, ${old} of the older pack before that`,
  );
});
