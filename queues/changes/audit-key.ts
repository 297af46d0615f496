import type { Walk } from "../../records/kinds/work.ts";
import type { Stored } from "../../schemas/record.ts";
import type { QueueName } from "../topology.ts";

/** Key of the walk that audits a queue, over everything or over one tenant or store. */
export const auditKey = (queue: QueueName, owner?: string): string => `${owner ? `${owner}/` : ""}audits/${queue}`;

/** Whether a walk is an audit or a part of one. */
export const isAudit = ({ _id }: Pick<Stored<Walk>, "_id">, queue: QueueName): boolean => _id.endsWith(auditKey(queue));

/** Whether a walk is an audit that started because Redis lost data or an operator requested it, not on schedule. */
export const isRepair = (walk: Pick<Stored<Walk>, "_id" | "background">, queue: QueueName): boolean =>
  isAudit(walk, queue) && walk.background !== true;
