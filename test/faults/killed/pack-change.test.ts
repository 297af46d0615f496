import test from "ava";
import { changePackUnderKills } from "../../../scripts/develop/chaos/pack-change.ts";
import { openShelfwire } from "../../harness/shelfwire.ts";

const LINKS = 3_000;
/** The maximum number of links that a process had in progress when the newer pack was stored. */
const MAX_IN_PROGRESS = 1_000;

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
  t.true(
    writes <= LINKS + old + MAX_IN_PROGRESS,
    `${writes} studio links were published, ${old} of the older pack before that`,
  );
});
