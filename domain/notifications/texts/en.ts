/** The texts of mails, in English. */
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
    "The label server has rejected Shelfwire since {since}. Labels keep their pictures until the operator has seen to it.",
  "LABEL_SERVER.OFFLINE": "The labels of the store cannot be reached since {since}. They keep their pictures.",
  "LABEL_SERVER.OVER": "The label server responds again. It did not from {since} to {at}.",
  "HELD.BEGUN": {
    one: "{count} change of a price waits for approval.",
    other: "{count} changes of prices wait for approval.",
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
    one: "{count} battery is to be replaced.",
    other: "{count} batteries are to be replaced.",
  },
  look: "Open the page",
  left: { one: "{count} more notification had no room.", other: "{count} more notifications had no room." },
  why: "You get this mail since you chose it in Shelfwire.",
  until: "You get these mails until {time}. Log in to Shelfwire before then to go on getting them.",
  choose: "Choose what you are notified of",
  stop: "Stop all notifications",
  "confirm.text": "Somebody, we hope you, wants to get notifications of Shelfwire at this address.",
  "confirm.go": "Confirm the address",
  "confirm.until": "You can confirm it until {time}. If it was not you, do nothing: nobody sends you anything.",
} as const;
