/** Messages that say why a picture or an action did not reach its label, by notice code, in English. */
export const history = {
  "notice.NO_REPORT": "The label did not confirm it (attempts: {tries}).",
  "notice.ORDER_LATE": "It could not be sent within {seconds} s.",
  "notice.ORDER_REPLACED": "A newer action replaced it.",
} as const;
