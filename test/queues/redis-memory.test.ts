import test from "ava";
import { fillOf, readFullestMemory } from "../../queues/redis-memory.ts";

const node = (used: number, max: number) => ({
  info: async () => `# Memory\r\nused_memory:${used}\r\nused_memory_rss:9\r\nmaxmemory:${max}\r\n`,
});

test("the cluster node closest to its limit counts, however much the others use", async (t) => {
  const nodes = [node(500, 1000), node(90, 100), node(900, 2000)];
  t.deepEqual(await readFullestMemory(nodes), { used: 90, max: 100 });
});

test("the policy is read if the server reports it", async (t) => {
  const info = async () => "used_memory:1\r\nmaxmemory:2\r\nmaxmemory_policy:allkeys-lru\r\n";
  t.like(await readFullestMemory([{ info }]), { policy: "allkeys-lru" });
});

test("a node without a limit is never full", async (t) => {
  const memory = await readFullestMemory([node(500, 0)]);
  t.deepEqual(memory, { used: 500, max: 0 });
  t.is(fillOf(memory), 0);
});
