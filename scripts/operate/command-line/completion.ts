import type { CommandOption } from "../admin/command.ts";
import type { Program } from "../admin/parse-call.ts";
import { bashScript, type Choice, fishScript, type Place, zshScript } from "./completion-scripts.ts";
import { programs } from "./programs.ts";

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** The shells that complete the command line. */
export const shells = Object.keys(scripts) as readonly (keyof typeof scripts)[];

export const isShell = (name: string): name is keyof typeof scripts => Object.hasOwn(scripts, name);

/** Returns a script that completes the commands and options of `shelfwire` in a shell, and file names elsewhere. */
export async function completionScript(shell: keyof typeof scripts): Promise<string> {
  const loaded = await Promise.all(
    Object.entries(programs).map(async ([name, { means, load }]) => ({ name, means, ...(await load()) })),
  );
  const first = [
    ...loaded.map(({ name, means }) => choice(name, means)),
    choice("completion", "print a script that completes commands and options"),
    choice("help", "print the usage"),
    choice("--version", "print the version"),
  ];
  const places = [
    { after: "", choices: first },
    { after: "completion", choices: shells.map((name) => choice(name, `for ${name}`)) },
    ...loaded.flatMap(({ name, program }) => placesOf(name, program)),
  ];
  return scripts[shell](places);
}

/** Returns the places of a program with this name, including those of its two-word commands. */
export function placesOf(program: string, { commands, common }: Pick<Program, "commands" | "common">): Place[] {
  const places = new Map<string, Map<string, Choice>>();
  const add = (after: string, { word, ...rest }: Choice) => {
    const known = places.get(after) ?? new Map();
    places.set(after, known);
    if (!known.has(word)) known.set(word, { word, ...rest });
  };
  for (const { name, means, options } of commands) {
    const words = [program, ...name.split(" ").filter(Boolean)];
    for (let at = 1; at < words.length; at += 1) {
      const isLast = at === words.length - 1;
      add(words.slice(0, at).join(" "), choice(words[at] ?? "", isLast ? means : `${words[at]} ...`));
    }
    for (const [option, described] of Object.entries({ ...options, ...common }))
      add(words.join(" "), optionChoice(option, described));
  }
  return [...places].map(([after, choices]) => ({ after, choices: [...choices.values()] }));
}

const choice = (word: string, means: string): Choice => ({ word, means, takesValue: false });

const optionChoice = (name: string, { takes, means }: CommandOption): Choice => ({
  ...{ word: `--${name}`, means },
  takesValue: takes !== undefined,
});
