import { WRONG_CALL } from "../../runtime/take-no-arguments.ts";
import { type Command, command, type Options, Refusal, type Values } from "../operate/admin/command.ts";
import { commandHelp } from "../operate/admin/help-text.ts";
import { helpOption, type ParsedCall, parseCall } from "../operate/admin/parse-call.ts";

/** The arguments of a developers' command. */
interface Given<O extends Options> {
  arguments: readonly string[];
  options: Values<O>;
}

/**
 * Reads this process's command line before it does anything. `--help` prints the usage and exits with 0. An unknown option or
 * argument also prints the error, and exits with 2.
 *
 *
 * @param call the command as shown in messages: `npm run bench --`
 */
export function readCommandLine<const O extends Options>(
  call: string,
  { arguments: names, means, options }: Pick<Command<O>, "arguments" | "means" | "options">,
  line: readonly string[] = process.argv.slice(2),
): Given<O> {
  const only = command({
    name: "",
    arguments: names,
    means,
    options,
    run: () => Promise.reject(new Error(`${call} is read here, and run by its own file`)),
  });
  const program = { call, commands: [only], common: helpOption };
  const parsed = parseOrEnd(() => parseCall(program, line));
  if (!parsed.asksHelp) return { arguments: parsed.arguments, options: parsed.options as Values<O> };
  process.stdout.write(`${commandHelp(program, only)}\n`);
  process.exit(0);
}

function parseOrEnd(parse: () => ParsedCall): ParsedCall {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(WRONG_CALL);
  }
}
