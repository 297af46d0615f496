/** The digits of a MAC address: 6 or 8 bytes. */
export const MAC_DIGITS = "[0-9A-Fa-f]{12}|[0-9A-Fa-f]{16}";

const mac = new RegExp(`^(?:${MAC_DIGITS})$`);

/** Whether a string is a MAC address without separators. */
export const isMac = (text: string): boolean => mac.test(text);

/** Returns a MAC address in the format used for comparison: access points list 16 digits, and accept 12. */
export const comparableMac = (address: string): string => address.toUpperCase().padStart(16, "0");

/** Returns the address of a label's tag: its `device`, or its barcode if that is a MAC address. */
export const deviceOf = ({
  device = "",
  barcode,
}: {
  device?: string | undefined;
  barcode: string;
}): string | undefined => [device, barcode].find(isMac);
