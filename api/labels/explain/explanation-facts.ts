import type { Trace } from "../../../domain/packs/explain.ts";
import type { QueueName } from "../../../queues/topology.ts";
import type { Failure, Walk } from "../../../records/kinds/work.ts";
import type { RequestsNaming } from "../../../records/requests/requests-naming.ts";
import type { Design, DesignerLink, EccLink, StudioLink } from "../../../schemas/design.ts";
import type { EccEslImage, EslImage, RenderedImage } from "../../../schemas/image.ts";
import type { Item } from "../../../schemas/item.ts";
import type { Label } from "../../../schemas/label.ts";
import type { LabelState } from "../../../schemas/label-state.ts";
import type { LabelType } from "../../../schemas/label-type.ts";
import type { Link, StoreLink } from "../../../schemas/link.ts";
import type { ItemPages } from "../../../schemas/page-image.ts";
import type { Envelope, Stored } from "../../../schemas/record.ts";

/** The workers between a change and the glass, in the order in which a change passes through them. */
export const stages = ["evaluator", "link", "renderer", "merger", "transmitter"] as const satisfies QueueName[];
export type StageName = (typeof stages)[number];

/** The queues that apply requests, and the queues of the stages. */
export const servingQueues = ["item", "pages", ...stages] as const;
export type ServingQueue = (typeof servingQueues)[number];

/** The jobs of a queue and the processes that serve it. */
export interface QueueFacts {
  waiting: number;
  active: number;
  /** Undefined if Redis does not reveal it. */
  processes: number | undefined;
}

/** The facts about one display position of a label. */
export interface PositionFacts {
  key: string;
  displayPosition: number;
  link: Stored<Link> | undefined;
  /** May be a tombstone. */
  item: Stored<Item> | undefined;
  nextScheduled: Date | undefined;
  storeLink: Stored<StoreLink> | undefined;
  /** Whether the evaluator would write a choice other than the stored one. */
  isUndecided: boolean;
  studioLink: Stored<StudioLink> | undefined;
  designerLink: Stored<DesignerLink> | undefined;
  eccLink: Stored<EccLink> | undefined;
  design: Stored<Design> | undefined;
  canvasRev: number | undefined;
  rendered: Stored<RenderedImage> | undefined;
  eccImage: Stored<EccEslImage> | undefined;
  pages: PagesFacts | undefined;
  /** How the active pack chooses the link's design; only for links whose design the rules choose. */
  trace: Trace | undefined;
}

type PagesFacts = Pick<Envelope, "_id" | "rev"> & ItemPages;

/** All facts that explain what a label shows, as read at one moment. */
export interface ExplanationFacts {
  label: Stored<Label>;
  labelType: LabelType | undefined;
  state: Stored<LabelState> | undefined;
  image: Stored<EslImage> | undefined;
  positions: readonly PositionFacts[];
  /** Current revs of the records that the derived records were made from, by `{kind} {key}`; no entry if there is no record. */
  revs: ReadonlyMap<string, number>;
  /** Current digests, under the same keys, of inputs for which only some fields matter. */
  digests: ReadonlyMap<string, string>;
  failures: readonly Stored<Failure>[];
  requests: RequestsNaming;
  /** Time at which the oldest unpublished change was written. */
  unpublishedSince: Date | undefined;
  /** The tenant's walks in progress: after a change to rules or designs, or for an audit. */
  walks: readonly Stored<Walk>[];
  /** Undefined while Redis cannot be reached. */
  queues: Readonly<Record<ServingQueue, QueueFacts>> | undefined;
  /** The fraction of its memory that Redis uses, once it is full for jobs (`FULL_RATIO`); undefined while it has room. */
  redisFullTo: number | undefined;
  /** The id of the label's label server; undefined for the installation's. */
  labelServerId: string | undefined;
  /** When the store's gateway, which is connected through a broker, went offline. */
  gatewayOfflineSince: Date | undefined;
  /** When the first of the label server's unanswered calls failed. */
  labelServerAwaySince: Date | undefined;
  /** When the first call was denied because the label server rejects the secret. */
  labelServerDeniedSince: Date | undefined;
  offlineAfterMs: number;
}
