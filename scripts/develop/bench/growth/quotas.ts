import { randomUUID } from "node:crypto";
import { accessSync, constants, existsSync, mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Quotas of processor time by Linux control groups. */
interface Quotas {
  /** Limits a process to at most this share of one core. */
  limit(pid: number, share: number): void;
  /** Removes the groups. Their processes must have ended. */
  close(): void;
}

const PERIOD_US = 100_000;
/** Where the processor-time controller is. Version 1 has a tree for each controller, version 2 has one for all of them. */
const VERSION_1 = "/sys/fs/cgroup/cpu";
const VERSION_2 = "/sys/fs/cgroup";

/** Opens quotas. Throws if this user cannot write control groups. */
export function openQuotas(): Quotas {
  const isFirst = existsSync(join(VERSION_1, "cpu.cfs_period_us")) || existsSync(join(VERSION_1, "tasks"));
  const root = isFirst ? VERSION_1 : VERSION_2;
  try {
    accessSync(root, constants.W_OK);
  } catch {
    throw new Error(`${root} cannot be written: quotas need root, or a delegated control group`);
  }
  const groups: string[] = [];
  return {
    limit(pid, share) {
      const group = join(root, `shelfwire-bench-${randomUUID()}`);
      mkdirSync(group);
      groups.push(group);
      const quota = Math.round(share * PERIOD_US);
      if (isFirst) {
        writeFileSync(join(group, "cpu.cfs_period_us"), String(PERIOD_US));
        writeFileSync(join(group, "cpu.cfs_quota_us"), String(quota));
      } else writeFileSync(join(group, "cpu.max"), `${quota} ${PERIOD_US}`);
      writeFileSync(join(group, "cgroup.procs"), String(pid));
    },
    close() {
      for (const group of groups) rmdirSync(group);
    },
  };
}
