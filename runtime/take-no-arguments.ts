const WRONG_CALL = 2;

/**
 * For an entry that runs by its settings alone. `--help` prints what it is and does nothing (exit code 0), and whatever
 * else it is called with is refused (2): a call that was meant otherwise starts nothing.
 *
 * @param call how it is called, as texts show it: `npm run item`
 */
export function takeNoArguments(call: string, means: string, given: readonly string[] = process.argv.slice(2)): void {
  const [first] = given;
  if (first === undefined) return;
  const usage = `usage: ${call} -- [--help]`;
  if (first === "--help" || first === "help") {
    process.stdout.write(`${usage}\n\n${means}. Its settings are environment variables: .env.example.\n`);
    process.exit(0);
  }
  process.stderr.write(`${call} takes no "${first}", only settings of the environment\n${usage}\n`);
  process.exit(WRONG_CALL);
}
