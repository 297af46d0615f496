import type { CallNotice } from "../../schemas/call-notice.ts";
import type { ChangeEvent } from "../../schemas/events.ts";

/** An event on its way to a subscriber. */
export interface Delivery {
  /** Key of the subscription, topic and event id, so that an event is stored once per subscription. */
  _id: string;
  /** Key of the subscription. */
  subscription: string;
  event: ChangeEvent;
  since: Date;
  attempts: number;
  /** Time of the next attempt; absent for a dead letter. */
  due?: Date;
  /** Why the last attempt failed. */
  reason?: string;
  /** The same reason as a code; absent in deliveries from earlier releases. */
  notice?: CallNotice;
  /**
   * Id of the call that it is sent with, if the subscription takes several events per call: each attempt of the call has the
   * same events under the same id.
   */
  call?: string;
}

/** A delivery as it is stored. */
export type DeliveryDocument = Omit<Delivery, "event"> & { event: string };

export const readDelivery = ({ event, ...rest }: DeliveryDocument): Delivery => ({ ...rest, event: JSON.parse(event) });

export const deliveryId = (subscription: string, { id, type }: Pick<ChangeEvent, "id" | "type">): string =>
  `${subscription}~${type}~${id}`;
