/** How the interface identifies a token that names nobody: by a hash of its content. */
const UNNAMED = /^signed (?<code>[\w-]{6})/;

/** The name of who did something; a token that names nobody is called that, with the beginning of its hash to tell it apart. */
export function personText(id: string, text: (key: "person.token", values: { code: string }) => string): string {
  const code = UNNAMED.exec(id)?.groups?.code;
  return code === undefined ? id : text("person.token", { code });
}
