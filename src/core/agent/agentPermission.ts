/**
 * Decides what another agent may do when it asks for permission. Pure, and fails closed. Inside a sandbox, actions on the clone and the agent's
 * private folders are allowed, since the sandbox contains nothing else that can be harmed. Without a sandbox, the list decides about a command, or
 * the steward.
 */
import { mayRunUnconfined, parseArgv } from '../guard/commandPolicy.ts';
import { isGitName, isStateName } from '../guard/hiddenNames.ts';
import { isFields } from '../text/json.ts';

/** The requested action, as the agent describes it. */
export interface Asked {
  /** `read`, `edit`, `execute`, … as in ACP; anything else counts as `other`. */
  readonly kind: string;
  readonly title: string;
  /** Name of the tool, if the request contains it. */
  readonly name: string | null;
  /** Null if the request names no command. */
  readonly commands: readonly string[] | null;
  /** Paths in the form of the request. */
  readonly paths: readonly string[];
}

export interface Ground {
  readonly sandboxed: boolean;
  /** Whether its role may write to the clone. */
  readonly writes: boolean;
  /** argv lists that may run without a sandbox. */
  readonly allowed: readonly (readonly string[])[];
  /** Resolves a path below the clone or one of its private folders, following links. Returns null if it leads elsewhere. */
  below(path: string): string | null;
}

export type Ruling =
  | { readonly ruling: 'allow' }
  | { readonly ruling: 'reject'; readonly why: string }
  /** Each of these is the steward's to allow. */
  | { readonly ruling: 'ask'; readonly commands: readonly string[] };

/** Characters that a person can still read before approving. */
const MAX_ASKED = 4_000;
const CHANGES = new Set(['edit', 'delete', 'move']);
const LOOKS = new Set(['read', 'search', 'think']);
/** Keys of inputs with one path or several. */
const PATH_KEYS = /^(?:path|paths|file|files|file_?paths?|notebook_path|directory|cwd|workdir)$/i;
/** Text that a tool may expand to another path than the check sees: a home, or an address. */
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

/** A read request is inside the clone if it has a path. A read request without a path is checked like a command. */
const isLook = ({ kind, paths }: Asked): boolean => LOOKS.has(kind) && (kind !== 'read' || paths.length > 0);

function judgeChange({ paths }: Asked, { sandboxed, writes, below }: Ground): Ruling {
  if (!writes) return reject('this role only reads the clone');
  // Absolute paths are checked only below the clone, because the clone itself is in a folder of the state.
  const foreign = paths.find((path) => isKept(below(path) ?? '') || (!ABSOLUTE.test(path) && isKept(path)));
  if (foreign !== undefined) return reject(`${JSON.stringify(foreign)} is not for an agent to write`);
  return sandboxed || paths.length > 0 ? ALLOW : reject('it does not say which file');
}

const isKept = (path: string): boolean => path.split(/[\\/]/).some((part) => isGitName(part) || isStateName(part));

/** The session's own script, which comes first on the agent's PATH and which the agent cannot change. It only sends requests to the engine. */
const isOurVerb = ([program, verb = '']: readonly string[]): boolean => program === 'autonomous' && OUR_VERBS.has(verb);

function judgeUnconfined({ title, commands }: Asked, { allowed }: Ground): Ruling {
  const unlisted = (commands ?? [title]).filter((command) => {
    const argv = commands === null ? null : parseArgv(command);
    return argv === null || !(isOurVerb(argv) || mayRunUnconfined(argv, allowed));
  });
  if (commands !== null && unlisted.length === 0) return ALLOW;
  const readable = unlisted.every((command) => command.trim() !== '' && command.length <= MAX_ASKED);
  return readable ? { ruling: 'ask', commands: unlisted } : reject('the command is empty or too long to read');
}

/** Reads the tool call of a permission request, with the earlier updates of the same call. Ignores unknown fields. */
export function askedOf(call: Readonly<Record<string, unknown>>): Asked {
  const input = isFields(call['rawInput']) ? call['rawInput'] : {};
  const commands = commandsOf(input);
  const kind = textOr(call['kind'], '');
  return {
    // A call with a command counts as a command, whatever its kind.
    kind: commands === null ? kind || 'other' : 'execute',
    title: textOr(call['title'], ''),
    name: textOr(call['name'], '') || null,
    commands,
    paths: [...new Set([...listed(call['locations'], 'path'), ...listed(call['content'], 'path'), ...pathsOf(input)])],
  };
}

/** Returns the option to answer with, or null if none matches. Permanent permission is chosen only in a sandbox, where it permits nothing else. */
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
  // The arguments can be a separate field, but the list has whole commands.
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
