/** Messages that say why a page is not available, in English. */
export const problems = {
  "problem.title": "This page is not available",
  "problem.right": "You do not have permission to see this. Ask the person who gave you access.",
  "problem.store": "You have no access to this store.",
  "problem.noStore": "This store does not exist.",
  "problem.noPage": "There is no page at this address.",
  "problem.nothing": "This label does not exist in this store.",
  "problem.later": "Shelfwire cannot be reached right now. Try again in a moment.",
  "problem.failed": "Something went wrong. Try again. If it keeps happening, tell your operator.",
  "outage.mongodb.away": "Shelfwire cannot reach its database right now. Try again in a moment.",
  "outage.mongodb.full": "Shelfwire's database is full, so nothing can be saved.",
  "outage.mongodb.denied": "The database denies Shelfwire access.",
  "outage.redis.away": "Shelfwire cannot check logins right now, so no page opens. Try again in a moment.",
  "outage.redis.full": "Part of Shelfwire is full, so nobody can log in.",
  "outage.operator":
    "For operators: the setting is {setting}. The server's log names the host, the cause and what to do.",
} as const;
