/** The interface's id for a token that names nobody: a hash of its content. */
const UNNAMED = /^signed (?<code>[\w-]{6})/;

/**
 * Returns the name of the person behind an action. A token that names nobody is described as a token, with the beginning of its
 * hash to distinguish it from others.
 */
export function personText(id: string, text: (key: "person.token", values: { code: string }) => string): string {
  const code = UNNAMED.exec(id)?.groups?.code;
  return code === undefined ? id : text("person.token", { code });
}
