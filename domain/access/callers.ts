/** Marks the subject of a token, which names a user. A person from the identity provider is never the user with the same name. */
const SUBJECT = "sub ";
const PERSON = "person ";

/** Returns the caller for the subject of a token, or for the user with this name. */
export const subjectCaller = (subject: string): string => `${SUBJECT}${subject}`;

/** Returns the caller for a person from the identity provider. */
export const personCaller = (subject = ""): string => `${PERSON}${subject}`;

/** Returns a caller's subject, if it has one, and whether the caller is a person from the identity provider. */
export function subjectOf(caller: string): { isPerson: boolean; subject: string | undefined } {
  const isPerson = caller.startsWith(PERSON);
  const hasSubject = isPerson || caller.startsWith(SUBJECT);
  return { isPerson, subject: hasSubject ? caller.slice(caller.indexOf(" ") + 1) : undefined };
}
