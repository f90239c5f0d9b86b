/** Decides from the program's commands and options which words are possible at the cursor. */
import type { Command, Option } from 'commander';

export interface Candidate {
  readonly word: string;
  readonly description: string;
}

/** A shell's request: the words after `autonomous` up to the cursor. The last one is incomplete, perhaps empty. */
export interface Request {
  /** Commands and options that fit. */
  readonly candidates: readonly Candidate[];
  /** The placeholder of the value that fits, e.g. `job` of `show [job]`; null if no value does. */
  readonly value: string | null;
  /** The first command, e.g. `task` of `task template show`. */
  readonly verb: string;
  /** The typed part of the value. */
  readonly typed: string;
  /** The part of the word before the value, e.g. `--merge=`. */
  readonly before: string;
  /** Values of the options of all commands, by their flag, e.g. `--project-dir`. */
  readonly given: ReadonlyMap<string, string>;
}

interface CursorWord {
  command: Command;
  verb: string;
  position: number;
  /** An option whose value comes next. */
  option: Option | null;
  onlyValues: boolean;
  readonly given: Map<string, string>;
}

export function readRequest(program: Command, words: readonly string[]): Request {
  const place: CursorWord = {
    command: program,
    verb: '',
    position: 0,
    option: null,
    onlyValues: false,
    given: new Map(),
  };
  for (const word of words.slice(0, -1)) pass(place, word);
  return at(place, words.at(-1) ?? '');
}

/** The command with its parents, whose options apply too. */
function lineage(command: Command): Command[] {
  return command.parent === null ? [command] : [command, ...lineage(command.parent)];
}

function optionOf(command: Command, flag: string): Option | null {
  for (const one of lineage(command)) {
    const found = one.options.find((option) => option.long === flag || option.short === flag);
    if (found !== undefined) return found;
  }
  return null;
}

const takesValue = (option: Option): boolean => option.required || option.optional;

function pass(place: CursorWord, word: string): void {
  const { option } = place;
  place.option = null;
  if (option !== null && (option.required || !word.startsWith('-'))) {
    place.given.set(option.long ?? '', word);
    return;
  }
  if (place.onlyValues || !word.startsWith('-') || word === '-') {
    enter(place, word);
  } else if (word === '--') {
    place.onlyValues = true;
  } else {
    const [flag = '', value] = split(word);
    const known = optionOf(place.command, flag);
    if (known === null || !takesValue(known)) return;
    if (value === undefined) place.option = known;
    else place.given.set(known.long ?? '', value);
  }
}

/** `--merge=patch` in its parts; a word without `=` has one. */
function split(word: string): string[] {
  const at = word.indexOf('=');
  return at < 0 ? [word] : [word.slice(0, at), word.slice(at + 1)];
}

function enter(place: CursorWord, word: string): void {
  const inner = place.position === 0 && !place.onlyValues ? visibleCommands(place.command) : [];
  const found = inner.find((command) => command.name() === word || command.aliases().includes(word));
  if (found === undefined) {
    place.position++;
    return;
  }
  if (place.verb === '') place.verb = word;
  place.command = found;
}

function visibleCommands(command: Command): Command[] {
  return command.createHelp().visibleCommands(command);
}

function at(place: CursorWord, typed: string): Request {
  const { command, option, verb, given } = place;
  const none = { candidates: [], value: null, verb, typed, before: '', given };
  if (option !== null && (option.required || !typed.startsWith('-'))) {
    // Without a value such an option is complete: other words may follow.
    const others = option.required ? [] : wordsAt(place, typed);
    return { ...none, candidates: others, value: placeholderOf(option) };
  }
  if (!place.onlyValues && typed.startsWith('-')) {
    const [flag = '', value] = split(typed);
    if (value === undefined) return { ...none, candidates: optionsOf(command) };
    const known = optionOf(command, flag);
    if (known === null || !takesValue(known)) return none;
    return { ...none, value: placeholderOf(known), typed: value, before: `${flag}=` };
  }
  return { ...none, candidates: wordsAt(place, typed), value: argumentAt(place) };
}

function wordsAt({ command, position, onlyValues }: CursorWord, typed: string): Candidate[] {
  if (onlyValues || position > 0) return [];
  const inner = visibleCommands(command).map((one) => ({ word: one.name(), description: one.description() }));
  // A command that can only be followed by others shows them; options come with their first dash.
  return typed === '' && inner.length === 0 && command.registeredArguments.length === 0 ? optionsOf(command) : inner;
}

function optionsOf(command: Command): Candidate[] {
  const help = command.createHelp();
  const options = [
    ...help.visibleOptions(command),
    ...lineage(command)
      .slice(1)
      .flatMap((one) => one.options),
  ];
  return options
    .filter(({ hidden }) => !hidden)
    .map(({ long, short, description }) => ({
      word: long ?? short ?? '',
      description,
    }));
}

function argumentAt({ command, position }: CursorWord): string | null {
  const args = command.registeredArguments;
  const last = args.at(-1);
  return (args[position] ?? (last?.variadic === true ? last : undefined))?.name() ?? null;
}

/** `mode` of `--merge <mode>`. */
export function placeholderOf({ flags }: Pick<Option, 'flags'>): string | null {
  return /[<[]([^>\].]+)/.exec(flags)?.[1] ?? null;
}
