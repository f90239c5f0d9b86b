/** Inspects an agent on this machine: whether it is installed, its version, and its capabilities. Sends nothing to its models. */
import { lastWords } from '../../../core/agent/agentFaults.ts';
import { filled } from '../../../core/agent/agentTemplate.ts';
import type { AgentEntry } from '../../../shared/agent/executorSchemas.ts';
import type { AgentProbe } from '../../../shared/agent/executors.ts';
import type { Clock } from '../../../shared/clock.ts';
import { asFailure, type ErrorCode, failure } from '../../../shared/errors.ts';
import type { CommandRunner, InteractiveProcess } from '../../session/commandPorts.ts';
import type { AgentMachine } from './startPorts.ts';

export interface ProbeParts {
  readonly clock: Clock;
  readonly machine: AgentMachine;
  readonly commands: CommandRunner;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folders whose programs are not the user's own choice: the repository. */
  readonly foreign: readonly string[];
  readonly signal: AbortSignal;
  /** Gives the work an empty folder that is removed afterwards. */
  withFolder<T>(work: (folder: string) => Promise<T>): Promise<T>;
  /** Makes a handshake with an agent that speaks ACP. Throws what makes the agent unusable. */
  greet(entry: AgentEntry, command: InteractiveProcess): Promise<Seen>;
}

export type Seen = Pick<AgentProbe, 'version' | 'protocol' | 'can' | 'lacks'>;

const NOTHING: Seen = { version: null, protocol: null, can: [], lacks: [] };
/** Time limit for the version. The handshake has a separate limit. */
const VERSION_MS = 20_000;
const MAX_BYTES = 1024 * 1024;

const STATES: Partial<Readonly<Record<ErrorCode, AgentProbe['state']>>> = {
  AGENT_LOGIN: 'login',
  AGENT_MISSING: 'missing',
};

/** Throws only for a bug: a fault of the agent is the result. */
export async function probe(name: string, entry: AgentEntry, parts: ProbeParts): Promise<AgentProbe> {
  const { title, models, argv, signIn = `start ${argv[0]} in a terminal and sign in` } = entry;
  const base = { name, title, priced: models !== 'own' };
  const program = parts.machine.findProgram(argv[0] ?? '', parts.env['PATH'] ?? '', parts.foreign);
  if (program === null) {
    const detail = `there is no ${argv[0]} on the PATH`;
    return { ...base, ...NOTHING, state: 'missing', detail, fix: entry.install };
  }
  if (models === 'own' && !(await isSignedIn(entry, parts.machine))) {
    const detail = 'your home folder has no trace of a sign-in';
    return { ...base, ...NOTHING, state: 'login', detail, fix: signIn };
  }
  try {
    const seen = await parts.withFolder((folder) => look(entry, { ...parts, folder, program }));
    return { ...base, ...seen, state: 'ready', detail: seen.can.join(', '), fix: '' };
  } catch (thrown) {
    const { code, message, hint } = asFailure(thrown);
    const state = STATES[code] ?? 'unusable';
    return { ...base, ...NOTHING, state, detail: message, fix: hint || `see ${entry.url}` };
  }
}

/** An entry that names no files has its sign-in elsewhere: the look at it is the first session. */
async function isSignedIn({ login }: AgentEntry, machine: AgentMachine): Promise<boolean> {
  if (login.length === 0) return true;
  const found = await Promise.all(login.map((path) => machine.isInHome(path)));
  return found.includes(true);
}

interface Look extends ProbeParts {
  readonly folder: string;
  readonly program: string;
}

async function look(entry: AgentEntry, parts: Look): Promise<Seen> {
  const priced = entry.models === 'own' ? [] : ['priced by us'];
  const unpriced = entry.models === 'own' ? ['priced by us'] : [];
  const version = await versionOf(entry, parts);
  if (entry.speaks === 'command') {
    const hasMcp = entry.argv.some((word) => word.includes('{mcp}'));
    const can = [...(hasMcp ? ['MCP'] : []), ...priced];
    return {
      version,
      protocol: null,
      can,
      lacks: ['asks permission', 'resumes', ...(hasMcp ? [] : ['MCP']), ...unpriced],
    };
  }
  const values = { model: 'none', clone: parts.folder, url: 'http://127.0.0.1:9', token: 'none' };
  const argv = entry.argv.map((word) => filled(word, values));
  const command = await start(entry, parts, [parts.program, ...argv.slice(1)]);
  const seen = await parts.greet(entry, command);
  return {
    ...seen,
    version: version ?? seen.version,
    can: [...seen.can, ...priced],
    lacks: [...seen.lacks, ...unpriced],
  };
}

async function start(
  entry: AgentEntry,
  { commands, machine, folder, foreign, signal }: Look,
  argv: readonly [string, ...string[]],
): Promise<InteractiveProcess> {
  const command = await commands.converse({
    argv,
    cwd: folder,
    writable: [folder],
    readable: machine.installations([argv[0]], foreign),
    env: {},
    files: [],
    localPort: null,
    hosts: [],
    maxBytes: MAX_BYTES,
    allowed: [],
    // The user asks for this probe of a program that they installed.
    approved: true,
    signal,
  });
  if (!('why' in command)) return command;
  throw failure(
    command.ended === 'aborted' ? 'ABORTED' : 'AGENT_UNUSABLE',
    `${entry.title} could not be started: ${command.why}`,
  );
}

/** The first version number in the output. Null if there is none. Throws AGENT_UNUSABLE. */
async function versionOf(entry: AgentEntry, parts: Look): Promise<string | null> {
  const [name, ...words] = entry.version ?? [];
  const program = name === undefined ? null : parts.machine.findProgram(name, parts.env['PATH'] ?? '', parts.foreign);
  if (program === null) return null;
  const command = await start(entry, parts, [program, ...words]);
  const cancel = parts.clock.timer(VERSION_MS, () => void command.end());
  try {
    let text = '';
    const decoder = new TextDecoder();
    for await (const bytes of command.output) text += decoder.decode(bytes, { stream: true });
    const { exitCode } = await command.ended;
    // The only probe of an agent that works by command: it must at least start.
    if (entry.speaks === 'command' && exitCode !== 0) {
      const said = lastWords(command.complaints()) || lastWords(text) || 'no output';
      throw failure('AGENT_UNUSABLE', `${entry.title} cannot report its version: ${said}`, {
        hint: `Try it in a terminal; how to install it: ${entry.install}.`,
      });
    }
    return /\d+\.\d+(?:\.\d+)?[\w.+-]*/.exec(lastWords(text))?.[0] ?? null;
  } finally {
    cancel();
    await command.end();
  }
}
