/** Exit code of a program whose arguments are wrong. */
export const WRONG_CALL = 2;

/**
 * Checks the arguments of a program that is configured only by settings. `--help` prints its description and exits with code 0;
 * any other argument exits with code 2, so that a mistyped call starts nothing.
 *
 * @param call the command as shown in texts: `npm run item`
 */
export function takeNoArguments(call: string, means: string, given: readonly string[] = process.argv.slice(2)): void {
  const [first] = given;
  if (first === undefined) return;
  const usage = `usage: ${call} -- [--help]`;
  if (first === "--help" || first === "help") {
    process.stdout.write(`${usage}\n\n${means}. Its settings are environment variables: .env.example.\n`);
    process.exit(0);
  }
  process.stderr.write(
    `${call} does not accept "${first}": it is configured only by environment variables\n${usage}\n`,
  );
  process.exit(WRONG_CALL);
}
