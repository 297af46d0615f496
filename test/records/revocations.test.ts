import test from "ava";
import { revocations } from "../../records/kinds/tenants.ts";
import { openRevocations, revokedBefore } from "../../records/revocations.ts";
import { revocationKey } from "../../schemas/keys.ts";
import type { Stored } from "../../schemas/record.ts";
import { ownSystem } from "../harness/own.ts";
import { unchecked } from "../harness/part-of.ts";

const own = ownSystem();

test("tokens issued earlier or in the same second are revoked, and later tokens are not", async (t) => {
  const now = new Date(1_700_000_000_900);
  const key = revocationKey("t/demo", "a/b ü");
  await own.system.commit.change(revocations, [key], () => ({ subject: "a/b ü", before: revokedBefore(now) }), "bulk");
  const isRevoked = openRevocations(own.system.records, () => 0, 2_000);
  const token = { tenant: "demo", subject: "a/b ü", issuedAt: 1_700_000_000 };
  t.true(await isRevoked(token));
  t.true(await isRevoked({ ...token, issuedAt: undefined }));
  t.false(await isRevoked({ ...token, issuedAt: 1_700_000_001 }));
  t.false(await isRevoked({ ...token, tenant: "other" }));
  t.false(await isRevoked({ ...token, subject: "another" }));
  t.false(await isRevoked({ ...token, subject: undefined }));
});

test("revocations are read at most every five seconds, and the last known revocations apply while reads fail", async (t) => {
  let clock = 0;
  let reads = 0;
  let fails = true;
  const before = revokedBefore(new Date(1_000_000));
  const records = {
    async *scan<Body>() {
      reads += 1;
      if (fails) throw new Error("away");
      yield [unchecked<Stored<Body>>({ _id: revocationKey("t/demo", "till"), subject: "till", before })];
    },
  };
  const isRevoked = openRevocations(records, () => clock, 2_000);
  const token = { tenant: "demo", subject: "till", issuedAt: 1_000 };
  await t.throwsAsync(isRevoked(token), { message: "away" });
  fails = false;
  t.true(await isRevoked(token));
  clock = 4_999;
  t.true(await isRevoked(token));
  t.is(reads, 2);
  clock = 5_000;
  fails = true;
  t.true(await isRevoked(token));
  t.is(reads, 3);
});

test("a revocation counts after five seconds even if an earlier read is still in progress", async (t) => {
  let clock = 0;
  const reads: PromiseWithResolvers<number>[] = [];
  const records = {
    async *scan<Body>() {
      const read = Promise.withResolvers<number>();
      reads.push(read);
      yield [
        unchecked<Stored<Body>>({ _id: revocationKey("t/demo", "till"), subject: "till", before: await read.promise }),
      ];
    },
  };
  const isRevoked = openRevocations(records, () => clock, 20_000);
  const token = { tenant: "demo", subject: "till", issuedAt: 1_000 };
  const early = isRevoked(token);
  clock = 60_000;
  const late = isRevoked(token);
  const answers = (async () => {
    for (let next = 0; next < 2; next += 1) {
      while (reads.length <= next) await new Promise(setImmediate);
      reads[next]?.resolve(next === 0 ? 0 : 2_000);
    }
  })();
  t.true(await late);
  await early;
  await answers;
});
