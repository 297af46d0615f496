/** The digits of a MAC address: 6 or 8 bytes. */
export const MAC_DIGITS = "[0-9A-Fa-f]{12}|[0-9A-Fa-f]{16}";

const mac = new RegExp(`^(?:${MAC_DIGITS})$`);

/** Whether a text is a MAC address without separators. */
export const isMac = (text: string): boolean => mac.test(text);
