/** Messages about failed calls to other systems, by notice code, in English. */
export const calls = {
  "notice.RECEIVER_ANSWERED": "The other system responded with status {status}.",
  "notice.RECEIVER_SILENT": "The other system did not respond ({fault}).",
  "notice.RECEIVER_GONE": "The other system no longer accepts events.",
  "notice.RECEIVER_PRIVATE": "The name in its address resolves to a private network, which Shelfwire must not call.",
  "notice.RECEIVER_BEHIND": "Too many events were waiting, {count} of them for this system.",
  "notice.ADDRESS_PRIVATE": "{host} is in a private network, which Shelfwire must not call.",
  "notice.SERVER_ANSWERED": "The label server responded with status {status}.",
  "notice.SERVER_SILENT": "The label server did not respond ({fault}).",
  "notice.SERVER_DENIES_LABEL": "The label server rejects only this label (status {status}).",
  "notice.SERVER_DENIES": "The label server rejects the secret (status {status}).",
} as const;
