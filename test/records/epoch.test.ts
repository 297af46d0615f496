import test from "ava";
import { openEpoch } from "../../records/epoch.ts";
import { ownDatabase } from "../harness/own.ts";

const world = ownDatabase();

test("an epoch is a time, larger than every earlier epoch, and a process keeps the epoch of its start", async (t) => {
  const [process, command] = [openEpoch(world.db), openEpoch(world.db)];
  t.deepEqual([await process.read(), await process.current()], [0, 0]);
  t.is(await command.begin(new Date(5_000)), 5_000);
  t.is(await command.current(), 5_000);
  t.deepEqual([await process.read(), await process.current()], [5_000, 0]);
  t.is(await command.begin(new Date(4_000)), 5_001, "even if the clock was set back");
  t.is(await openEpoch(world.db).current(), 5_001);
});
