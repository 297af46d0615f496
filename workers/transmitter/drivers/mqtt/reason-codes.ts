/** The meaning of the broker's acknowledgement of a message. */
export type Acknowledgement = "accepted" | "denied" | "busy" | "refused";

const SUCCESS = 0x00;
/** No client is subscribed. */
const UNHEARD = 0x10;
const BUSY_CODES = new Set([UNHEARD, 0x80, 0x83, 0x88, 0x89, 0x97]);
/** These codes also occur for a connection or a subscription. */
const DENIED_CODES = new Set([0x86, 0x87, 0x8a, 0x8c]);

/**
 * Returns the meaning of an MQTT 5 reason code (section 2.4). A retained message is kept even if no client is subscribed; any
 * other message is sent again as long as it is valid.
 */
export function acknowledgementOf(code: number, isRetained: boolean): Acknowledgement {
  if (code === SUCCESS || (code === UNHEARD && isRetained)) return "accepted";
  if (isDenied(code)) return "denied";
  return BUSY_CODES.has(code) ? "busy" : "refused";
}

/** Whether a reason code means that the broker rejects the user, the password or the topic. */
export const isDenied = (code: unknown): code is number => typeof code === "number" && DENIED_CODES.has(code);
