/**
 * Decides what may run without a sandbox: only a whole argv that the user listed. Pure, and deliberately narrow: a command that a shell could read in
 * a second way has no argv here, and the steward is asked.
 */

/** Longest command text that is read at all, in UTF-16 units. */
const MAX_COMMAND = 8192;

/** Characters that have no special meaning in any shell, at any position outside quotes. */
const BARE = /^[A-Za-z0-9_./:@%+,=-]$/;

/** Words that a shell treats as grammar if they come first and unquoted. */
const RESERVED = new Set(
  'if then else elif fi case esac for select while until do done in function time coproc'.split(' '),
);
const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*\+?=/;

/** Controls, line separators, invisible and direction-changing characters: a person could not see what they approve. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u;
/** Special between double quotes; `!` is history expansion in some shells. */
const SPECIAL_IN_DOUBLE = /[$`\\!]/;

interface Word {
  readonly text: string;
  readonly bare: boolean;
}

/** Reads one word that starts at `start`; null when any of it is not plain. */
function readWord(command: string, start: number): { readonly word: Word; readonly end: number } | null {
  let text = '';
  let bare = true;
  let at = start;
  while (at < command.length) {
    const char = command.charAt(at);
    if (char === ' ' || char === '\t') break;
    if (char === "'" || char === '"') {
      const close = command.indexOf(char, at + 1);
      if (close < 0) return null;
      const inside = command.slice(at + 1, close);
      if (char === '"' && SPECIAL_IN_DOUBLE.test(inside)) return null;
      text += inside;
      bare = false;
      at = close + 1;
    } else if (BARE.test(char)) {
      text += char;
      at++;
    } else return null;
  }
  return { word: { text, bare }, end: at };
}

/**
 * The words of a command made only of plain words and simple quotes, or null: any operator, expansion, glob, assignment,
 * comment, escape, newline, reserved word or invisible character makes it shell text.
 */
export function parseArgv(command: string): string[] | null {
  if (command.length > MAX_COMMAND || INVISIBLE.test(command.replaceAll('\t', ' '))) return null;
  const words: Word[] = [];
  let at = 0;
  while (at < command.length) {
    const char = command.charAt(at);
    if (char === ' ' || char === '\t') {
      at++;
      continue;
    }
    const read = readWord(command, at);
    if (read === null) return null;
    words.push(read.word);
    at = read.end;
  }
  const first = words[0];
  if (first === undefined || first.text === '') return null;
  // `A"=b"` is no assignment to a shell, but nobody needs to name a program so.
  if (ASSIGNMENT.test(first.text) || (first.bare && RESERVED.has(first.text))) return null;
  return words.map((word) => word.text);
}

/** Whether the whole argv, word for word, is one of the allowed ones. No prefixes, no patterns, no base names. */
export function mayRunUnconfined(argv: readonly string[], allowed: readonly (readonly string[])[]): boolean {
  if (argv.length === 0) return false;
  return allowed.some((entry) => entry.length === argv.length && entry.every((word, index) => word === argv[index]));
}
