/** Starts the process of an agent; without a sandbox only when the steward lets it. */

import type { ModelDoor } from '../adapters/modelServer/server.ts';
import type { AgentOrder } from '../agent/externalPorts.ts';
import { placesToHide } from '../adapters/shell/session/obeyed.ts';
import { shownCommand } from '../core/agentTemplate.ts';
import type { CommandRunner, NotTalking, TalkingCommand, TalkRequest } from '../engine/commandPorts.ts';
import type { AgentWorld } from '../engine/context.ts';
import type { Clock } from '../shared/clock.ts';
import { failure } from '../shared/errors.ts';
import type { AgentEntry } from '../shared/executorSchemas.ts';
import type { Outfit } from './agentOutfit.ts';

export interface Starting extends AgentsOptions {
  readonly entry: AgentEntry;
  readonly order: AgentOrder;
  readonly world: AgentWorld;
  /** null: an account of its own. */
  readonly door: ModelDoor | null;
  readonly port: number | null;
  readonly worn: Outfit;
}

export interface AgentsOptions {
  readonly clock: Clock;
  readonly version: string;
  /** Where the user's own lines of the data file are. */
  readonly configDir: string;
  readonly commands: CommandRunner;
  /** Folders whose programs are not the user's own choice: the repository. */
  readonly foreign: readonly string[];
}

/** What it may print in all. */
const MAX_BYTES = 256 * 1024 * 1024;

/** `argv`: its line of the data file, filled. Throws NOT_PERMITTED, AGENT_UNUSABLE, ABORTED. */
export async function startAgent(starting: Starting, argv: readonly string[]): Promise<TalkingCommand> {
  const { entry, order, worn } = starting;
  // Once it stands it is asked to stop, and ended by whoever it does not hear: what it would still keep or report counts.
  const waiting = new AbortController();
  const stop = (): void => waiting.abort(order.signal.reason);
  if (order.signal.aborted) stop();
  order.signal.addEventListener('abort', stop, { once: true });
  try {
    const begun = await begin(starting, argv, waiting.signal);
    if (!('why' in begun)) return withoutToken(begun, worn.values.token);
    if (begun.ended === 'aborted') throw failure('ABORTED', `${entry.title} was not waited for`);
    throw failure('AGENT_UNUSABLE', `${entry.title} could not be started: ${begun.why}`, { hint: `See ${entry.url}.` });
  } finally {
    order.signal.removeEventListener('abort', stop);
  }
}

async function begin(
  { commands, entry, order, world, worn, port }: Starting,
  argv: readonly string[],
  signal: AbortSignal,
): Promise<TalkingCommand | NotTalking> {
  const { title } = entry;
  const sandboxed = (await commands.sandbox()).mode === 'sandboxed';
  const request: TalkRequest = {
    argv: [worn.program, ...argv.slice(1)],
    cwd: order.workdir,
    writable: worn.writable,
    readable: worn.readable,
    hidden: order.writes ? [] : placesToHide(order.workdir, { title, judges: order.judges, sandboxed }),
    env: worn.env,
    files: worn.files,
    localPort: port,
    hosts: entry.models === 'own' ? entry.hosts : [],
    maxBytes: MAX_BYTES,
    allowed: world.allowed,
    approved: false,
    signal,
  };
  const begun = await commands.converse(request);
  if (!('why' in begun) || begun.ended !== 'refused') return begun;
  if (!(await world.mayRun(shownCommand(entry, order.workdir), entry.title))) {
    throw failure('NOT_PERMITTED', `the steward does not let ${entry.title} run without a sandbox`, {
      hint: 'You are asked about it once more then. Or give the work to another agent first.',
    });
  }
  return commands.converse({ ...request, approved: true });
}

/** What it complains of may be shown and kept; its token is nobody's business. */
function withoutToken(command: TalkingCommand, token: string | undefined): TalkingCommand {
  if (token === undefined) return command;
  return { ...command, complaints: () => command.complaints().replaceAll(token, '[token]') };
}
