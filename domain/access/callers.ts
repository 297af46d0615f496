/** Of the subject of tokens, whose user has its name; and of a person of the identity provider, who is not the user of the same name. */
const SUBJECT = "sub ";
const PERSON = "person ";

/** Who the subject of a token is among callers, or the user of its name. */
export const subjectCaller = (subject: string): string => `${SUBJECT}${subject}`;

/** Who a person of the identity provider is among callers. */
export const personCaller = (subject = ""): string => `${PERSON}${subject}`;

/** The subject of a caller, and whether it is a person of the identity provider; a caller may have none. */
export function subjectOf(caller: string): { isPerson: boolean; subject: string | undefined } {
  const isPerson = caller.startsWith(PERSON);
  const hasSubject = isPerson || caller.startsWith(SUBJECT);
  return { isPerson, subject: hasSubject ? caller.slice(caller.indexOf(" ") + 1) : undefined };
}
