/** A possible next word. */
export interface Choice {
  word: string;
  means: string;
  /** True for an option with a value. */
  takesValue: boolean;
}

/** The words that may follow these words: `admin`, `admin tenant remove`. */
export interface Place {
  after: string;
  choices: readonly Choice[];
}

/** Returns every sequence of words after which the next word is known, except the empty one. */
const knownPlaces = (places: readonly Place[]): string[] =>
  places.map(({ after }) => after).filter((after) => after !== "");

/** Returns the options with a value, after which the next word is not a choice. */
const valued = (places: readonly Place[]): string[] => [
  ...new Set(places.flatMap(({ choices }) => choices.filter(({ takesValue }) => takesValue).map(({ word }) => word))),
];

/** Quotes a string in single quotes, in which a shell interprets nothing except an apostrophe. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const alternatives = (words: readonly string[]): string => words.map(quote).join("|");

/** Returns the script for bash: `source <(shelfwire completion bash)`. */
export const bashScript = (places: readonly Place[]): string => `_shelfwire() {
  local at="" next i choices=""
  COMPREPLY=()
  case "\${COMP_WORDS[COMP_CWORD-1]}" in ${alternatives(valued(places))}) return ;; esac
  for ((i = 1; i < COMP_CWORD; i++)); do
    next="\${at:+$at }\${COMP_WORDS[i]}"
    case "$next" in ${alternatives(knownPlaces(places))}) at=$next ;; *) break ;; esac
  done
  case "$at" in
${places.map(({ after, choices }) => `    ${quote(after)}) choices=${quote(choices.map(({ word }) => word).join(" "))} ;;`).join("\n")}
  esac
  # Options only if one is begun: files are completed otherwise.
  [[ "\${COMP_WORDS[COMP_CWORD]}" == -* ]] || choices=" $choices" choices="\${choices/ --*/}"
  COMPREPLY=($(compgen -W "$choices" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _shelfwire shelfwire`;

/** Returns the script for zsh: `source <(shelfwire completion zsh)`, or a file `_shelfwire` in a folder of its `fpath`. */
export const zshScript = (places: readonly Place[]): string => `#compdef shelfwire
_shelfwire() {
  local at="" next
  local -i i
  local -a choices
  case "\${words[CURRENT-1]}" in (${alternatives(valued(places))}) _files; return ;; esac
  for ((i = 2; i < CURRENT; i++)); do
    next="\${at:+$at }\${words[i]}"
    case "$next" in (${alternatives(knownPlaces(places))}) at=$next ;; (*) break ;; esac
  done
  case "$at" in
${places.map(({ after, choices }) => `    (${quote(after)}) choices=(${choices.map(described).join(" ")}) ;;`).join("\n")}
  esac
  _describe command choices || _files
}
if [[ $funcstack[1] = _shelfwire ]]; then _shelfwire "$@"; else compdef _shelfwire shelfwire; fi`;

const described = ({ word, means }: Choice): string => quote(`${word}:${means.replaceAll(":", "\\:")}`);

/**
 * Returns the script for fish. Load it with `shelfwire completion fish | source`, or save it in fish's `completions` folder.
 */
export const fishScript = (places: readonly Place[]): string => `function __shelfwire_at
  set -l at
  for word in (commandline -opc)[2..-1]
    switch (string join ' ' $at $word)
      case ${knownPlaces(places).map(quote).join(" ")}
        set -a at $word
      case '*'
        break
    end
  end
  test "$at" = "$argv[1]"
end
${places.flatMap(({ after, choices }) => choices.map((one) => `complete -c shelfwire -n ${quote(`__shelfwire_at ${quoteFish(after)}`)} ${fishChoice(one)}`)).join("\n")}`;

const quoteFish = (text: string): string => `"${text}"`;

function fishChoice({ word, means, takesValue }: Choice): string {
  const what = word.startsWith("--") ? `-l ${word.slice(2)}` : `-f -a ${word}`;
  return `${what}${takesValue ? " -r" : ""} -d ${quoteForFish(means)}`;
}

/** In fish, an apostrophe and a backslash in single quotes are preceded by a backslash. */
const quoteForFish = (text: string): string => `'${text.replaceAll(/[\\']/g, "\\$&")}'`;
