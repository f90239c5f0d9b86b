/**
 * What another agent may do when it asks first. Pure, and fail closed. Inside a sandbox what stays in the clone and its
 * private folders is allowed, since nothing else is there to be harmed; without one a command goes by the list or to the steward.
 */
import { mayRunUnconfined, parseArgv } from '../guard/commandPolicy.ts';
import { isGitName, isStateName } from '../guard/hiddenNames.ts';
import { isFields } from '../text/json.ts';

/** What it wants to do, as it says so itself. */
export interface Asked {
  /** `read`, `edit`, `execute`, … as in ACP; anything else counts as `other`. */
  readonly kind: string;
  readonly title: string;
  /** Name of the tool, where it is told. */
  readonly name: string | null;
  /** null: it names none. */
  readonly commands: readonly string[] | null;
  /** As they are written. */
  readonly paths: readonly string[];
}

export interface Ground {
  readonly sandboxed: boolean;
  /** Its role may write the clone. */
  readonly writes: boolean;
  /** argv lists that may run without a sandbox. */
  readonly allowed: readonly (readonly string[])[];
  /** Where a path leads to below the clone or one of its private folders, over links too; null: it leads elsewhere. */
  below(path: string): string | null;
}

export type Ruling =
  | { readonly ruling: 'allow' }
  | { readonly ruling: 'reject'; readonly why: string }
  /** Each of these is the steward's to allow. */
  | { readonly ruling: 'ask'; readonly commands: readonly string[] };

/** What a person can still read before he says yes. */
const MAX_ASKED = 4_000;
const CHANGES = new Set(['edit', 'delete', 'move']);
const LOOKS = new Set(['read', 'search', 'think']);
/** Keys of inputs that hold one path or several. */
const PATH_KEYS = /^(?:path|paths|file|files|file_?paths?|notebook_path|directory|cwd|workdir)$/i;
/** What a tool may take for another place than it looks: a home, or an address. */
const ELSEWHERE = /^(?:~|[a-z][a-z0-9+.-]+:)/i;
const ABSOLUTE = /^(?:[\\/]|[a-z]:)/i;
/** The session's own tools, as agents name those of an MCP server. */
const OURS = /^(?:mcp__)?autonomous(?:__|[/:.])[a-z_]+$/;

const OUR_VERBS = new Set(['status', 'note', 'notes', 'report', 'submit_plan', 'submit_verdict']);

const ALLOW: Ruling = { ruling: 'allow' };
const reject = (why: string): Ruling => ({ ruling: 'reject', why });

export function judgePermission(asked: Asked, ground: Ground): Ruling {
  const outside = asked.paths.find((path) => ELSEWHERE.test(path) || ground.below(path) === null);
  if (outside !== undefined) return reject(`${JSON.stringify(outside)} is outside of the clone`);
  if (CHANGES.has(asked.kind)) return judgeChange(asked, ground);
  if (asked.kind === 'fetch') return reject('there is no network');
  if (ground.sandboxed || isLook(asked)) return ALLOW;
  if (asked.commands === null && OURS.test(asked.name ?? '')) return ALLOW;
  return judgeUnconfined(asked, ground);
}

/** What is read is in the clone where it is told; a look that names nothing is judged by its words, as a command is. */
const isLook = ({ kind, paths }: Asked): boolean => LOOKS.has(kind) && (kind !== 'read' || paths.length > 0);

function judgeChange({ paths }: Asked, { sandboxed, writes, below }: Ground): Ruling {
  if (!writes) return reject('this role only reads the clone');
  // Not the whole of an absolute path: the clone itself lies in a folder of ours.
  const foreign = paths.find((path) => isKept(below(path) ?? '') || (!ABSOLUTE.test(path) && isKept(path)));
  if (foreign !== undefined) return reject(`${JSON.stringify(foreign)} is not for an agent to write`);
  return sandboxed || paths.length > 0 ? ALLOW : reject('it does not say which file');
}

const isKept = (path: string): boolean => path.split(/[\\/]/).some((part) => isGitName(part) || isStateName(part));

/** The session's own script, which is on the agent's PATH before all else and out of its reach: it asks us, and changes nothing itself. */
const isOurVerb = ([program, verb = '']: readonly string[]): boolean => program === 'autonomous' && OUR_VERBS.has(verb);

function judgeUnconfined({ title, commands }: Asked, { allowed }: Ground): Ruling {
  const unlisted = (commands ?? [title]).filter((command) => {
    const argv = commands === null ? null : parseArgv(command);
    return argv === null || !(isOurVerb(argv) || mayRunUnconfined(argv, allowed));
  });
  if (commands !== null && unlisted.length === 0) return ALLOW;
  const readable = unlisted.every((command) => command.trim() !== '' && command.length <= MAX_ASKED);
  return readable ? { ruling: 'ask', commands: unlisted } : reject('nobody could read what it would run');
}

/** From the tool call of a permission request, with what was told of the same call before. Understands what it can, and no more. */
export function askedOf(call: Readonly<Record<string, unknown>>): Asked {
  const input = isFields(call['rawInput']) ? call['rawInput'] : {};
  const commands = commandsOf(input);
  const kind = textOr(call['kind'], '');
  return {
    // What names a command is one, whatever else it is called.
    kind: commands === null ? kind || 'other' : 'execute',
    title: textOr(call['title'], ''),
    name: textOr(call['name'], '') || null,
    commands,
    paths: [...new Set([...listed(call['locations'], 'path'), ...listed(call['content'], 'path'), ...pathsOf(input)])],
  };
}

/** The option to answer with; null: none of them says it. A yes for good is given only in a sandbox, where it gives nothing away. */
export function optionFor(
  options: readonly { readonly optionId: string; readonly kind: string }[],
  allow: boolean,
  { sandboxed }: Pick<Ground, 'sandboxed'>,
): string | null {
  const word = allow ? 'allow' : 'reject';
  const once = options.find(({ kind }) => kind === `${word}_once`);
  const always = allow && !sandboxed ? undefined : options.find(({ kind }) => kind === `${word}_always`);
  return (once ?? always)?.optionId ?? null;
}

function commandsOf(input: Readonly<Record<string, unknown>>): string[] | null {
  const { command, cmd, commands, args } = input;
  // Its own words may stand apart: the list is of whole commands.
  const words = Array.isArray(args) ? args.map(String) : [];
  const whole = typeof command === 'string' && words.length > 0 ? [command, ...words].join(' ') : command;
  const found = [whole, cmd, ...(Array.isArray(commands) ? commands : [commands])].flatMap((one): string[] => {
    if (typeof one === 'string') return [one];
    if (Array.isArray(one)) return [one.map(String).join(' ')];
    return isFields(one) ? (commandsOf(one) ?? []) : [];
  });
  return found.length === 0 ? null : found;
}

function pathsOf(input: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(input)
    .filter(([key]) => PATH_KEYS.test(key))
    .flatMap(([, value]) => (Array.isArray(value) ? value : [value]))
    .flatMap((one) => (isFields(one) ? Object.values(one) : [one]))
    .filter((one): one is string => typeof one === 'string' && one !== '');
}

function listed(list: unknown, key: string): string[] {
  if (!Array.isArray(list)) return [];
  return list.map((one) => (isFields(one) ? textOr(one[key], '') : '')).filter((path) => path !== '');
}

const textOr = (value: unknown, fallback: string): string => (typeof value === 'string' ? value : fallback);
