/** The part of its `maxmemory` above which Redis is full for bulk work, which waits in MongoDB then. */
export const FULL_RATIO = 0.7;

/** For one node, in bytes. */
export interface RedisMemory {
  used: number;
  /** `maxmemory`; 0 if there is no limit. */
  max: number;
  /** `maxmemory-policy`; only `noeviction` keeps all jobs; absent if the server does not reveal it. */
  policy?: string;
}

/** The memory of the node that is next to its limit: a cluster refuses writes as soon as one node is full. */
export async function readFullestMemory(
  nodes: readonly { info(section: string): Promise<string> }[],
): Promise<RedisMemory> {
  const read = await Promise.all(nodes.map(async (node) => memoryOf(await node.info("memory"))));
  return read.reduce((fullest, one) => (fillOf(one) > fillOf(fullest) ? one : fullest));
}

/** Returns the part of its limit that a node uses. One without a limit is never full. */
export const fillOf = ({ used, max }: RedisMemory): number => (max === 0 ? 0 : used / max);

function memoryOf(info: string): RedisMemory {
  const bytesOf = (name: string): number => Number(new RegExp(`^${name}:(\\d+)`, "m").exec(info)?.[1] ?? 0);
  const [, policy] = /^maxmemory_policy:([\w-]+)/m.exec(info) ?? [];
  return { used: bytesOf("used_memory"), max: bytesOf("maxmemory"), ...(policy && { policy }) };
}
