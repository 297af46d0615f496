/** The wording of e-mails, in English. */
export const en = {
  "subject.several": { one: "Shelfwire: {count} notification", other: "Shelfwire: {count} notifications" },
  "subject.confirm": "Shelfwire: confirm your e-mail address",
  "LATE_LABELS.BEGUN": {
    one: "{count} label has been waiting for its picture for more than {minutes} minutes.",
    other: "{count} labels have been waiting for their pictures for more than {minutes} minutes.",
  },
  "LATE_LABELS.OVER": "All labels show their pictures again. Some had been waiting since {since}.",
  "LABEL_SERVER.AWAY": "The label server has not responded since {since}. Labels keep their pictures until it does.",
  "LABEL_SERVER.DENIES":
    "The label server has rejected Shelfwire since {since}. Labels keep their pictures until the operator has solved the problem.",
  "LABEL_SERVER.OFFLINE": "The store's labels have been out of reach since {since}. They keep their pictures.",
  "LABEL_SERVER.OVER": "The label server is responding again. It did not respond from {since} to {at}.",
  "HELD.BEGUN": {
    one: "{count} price change is waiting for approval.",
    other: "{count} price changes are waiting for approval.",
  },
  "FAILED_LIST.LIST": {
    one: "{count} row of a price list has failed.",
    other: "{count} rows of a price list have failed.",
  },
  "FAILED_LIST.CAMPAIGN": {
    one: "{count} row of a campaign has failed.",
    other: "{count} rows of a campaign have failed.",
  },
  "FAILED_LIST.SCHEDULED": {
    one: "{count} scheduled change has failed.",
    other: "{count} scheduled changes have failed.",
  },
  "BATTERIES.HAPPENED": {
    one: "{count} battery must be replaced.",
    other: "{count} batteries must be replaced.",
  },
  look: "Open the page",
  left: { one: "{count} more notification did not fit.", other: "{count} more notifications did not fit." },
  why: "You get this e-mail because you chose it in Shelfwire.",
  until: "You get these e-mails until {time}. Log in to Shelfwire before then to keep getting them.",
  choose: "Choose your notifications",
  stop: "Stop all notifications",
  "confirm.text": "Somebody, hopefully you, wants to get notifications from Shelfwire at this address.",
  "confirm.go": "Confirm the address",
  "confirm.until":
    "You can confirm the address until {time}. If it was not you, do nothing, and you will get no e-mails.",
} as const;
