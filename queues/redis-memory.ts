/** The fraction of its `maxmemory` above which Redis counts as full for bulk work, which then waits in MongoDB. */
export const FULL_RATIO = 0.7;

/** The memory of one node, in bytes. */
export interface RedisMemory {
  used: number;
  /** The node's `maxmemory`; 0 if there is no limit. */
  max: number;
  /** `maxmemory-policy`, of which only `noeviction` keeps all jobs; absent if the server does not reveal it. */
  policy?: string;
}

/** Reads the memory of the node that is closest to its limit: a cluster rejects writes as soon as one node is full. */
export async function readFullestMemory(
  nodes: readonly { info(section: string): Promise<string> }[],
): Promise<RedisMemory> {
  const read = await Promise.all(nodes.map(async (node) => memoryOf(await node.info("memory"))));
  return read.reduce((fullest, one) => (fillOf(one) > fillOf(fullest) ? one : fullest));
}

/** Returns the fraction of its limit that a node uses. A node without a limit is never full. */
export const fillOf = ({ used, max }: RedisMemory): number => (max === 0 ? 0 : used / max);

function memoryOf(info: string): RedisMemory {
  const bytesOf = (name: string): number => Number(new RegExp(`^${name}:(\\d+)`, "m").exec(info)?.[1] ?? 0);
  const [, policy] = /^maxmemory_policy:([\w-]+)/m.exec(info) ?? [];
  return { used: bytesOf("used_memory"), max: bytesOf("maxmemory"), ...(policy && { policy }) };
}
