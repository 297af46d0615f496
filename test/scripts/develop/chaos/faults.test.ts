import test from "ava";
import { type Fault, whileFaultsHappen } from "../../../../scripts/develop/chaos/faults.ts";

const FAR_MS = 3_600_000;

test("if work under faults fails, no further fault happens, and the work's reason is reported", async (t) => {
  const happened: string[] = [];
  const begun = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const faults: Fault[] = [
    {
      at: 0,
      what: "slow",
      async happen() {
        begun.resolve();
        await released.promise;
        happened.push("slow");
      },
    },
    { at: FAR_MS, what: "later", happen: async () => void happened.push("later") },
  ];
  const work = async () => {
    await begun.promise;
    setImmediate(released.resolve);
    throw new Error("the price list was refused");
  };
  await t.throwsAsync(() => whileFaultsHappen(faults, t.log, work), { message: "the price list was refused" });
  t.deepEqual(happened, ["slow"], "a fault that has begun is over before the stack may stop");
});

test("if a fault fails, the work ends first, and the fault's reason is reported", async (t) => {
  const ends: string[] = [];
  const faults: Fault[] = [
    {
      at: 0,
      what: "broken",
      async happen() {
        throw new Error("there is no backup");
      },
    },
  ];
  const work = async (happening: Promise<void>) => {
    await happening.catch(() => {});
    ends.push("work");
  };
  await t.throwsAsync(() => whileFaultsHappen(faults, t.log, work), { message: "there is no backup" });
  t.deepEqual(ends, ["work"]);
});
