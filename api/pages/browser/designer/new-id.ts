const MAX_ID_LENGTH = 40;

/** Returns an id for something with a name: letters, digits and dashes, and a suffix that makes it unique. */
export function idFor(name: string, unnamed: string, random: number): string {
  const plain = name
    .normalize("NFD")
    .replace(/[^\w\s-]/g, "")
    .trim()
    .replace(/[\s_]+/g, "-")
    .toLowerCase()
    .slice(0, MAX_ID_LENGTH);
  const unique = Math.floor(random * 36 ** 4)
    .toString(36)
    .padStart(4, "0");
  return `${plain || unnamed}-${unique}`;
}
