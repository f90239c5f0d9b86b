/** Starts the process of an agent; without a sandbox only when the steward lets it. */

import { shownCommand } from '../../../core/agent/agentTemplate.ts';
import type { AgentEntry } from '../../../shared/agent/executorSchemas.ts';
import { failure } from '../../../shared/errors.ts';
import type {
  CommandRunner,
  InteractiveProcess,
  InteractiveRequest,
  NotInteractive,
} from '../../session/commandPorts.ts';
import type { AgentWorld } from '../agentWorld.ts';
import type { AgentOrder } from '../ports.ts';
import type { LaunchSpec } from './launchSpec.ts';
import type { CloneReader } from './startPorts.ts';

export interface Starting {
  readonly commands: CommandRunner;
  readonly entry: AgentEntry;
  readonly order: AgentOrder;
  readonly world: AgentWorld;
  readonly worn: LaunchSpec;
  /** Port of the model server. Null if the agent has a separate account. */
  readonly port: number | null;
  /** Paths that are kept from an agent that may not write. Throws AGENT_UNUSABLE if one cannot be kept from a judge. */
  placesToHide(clone: string, reader: CloneReader): string[];
}

/** Limit of its total output. */
const MAX_BYTES = 256 * 1024 * 1024;

/** `argv`: its line of the data file, filled. Throws NOT_PERMITTED, AGENT_UNUSABLE, ABORTED. */
export async function startAgent(starting: Starting, argv: readonly string[]): Promise<InteractiveProcess> {
  const { entry, order, worn } = starting;
  // A started agent is stopped by its caller, gracefully first: its last messages and its usage report still count.
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
  { commands, entry, order, world, worn, port, placesToHide }: Starting,
  argv: readonly string[],
  signal: AbortSignal,
): Promise<InteractiveProcess | NotInteractive> {
  const { title } = entry;
  const sandboxed = (await commands.sandbox()).mode === 'sandboxed';
  const request: InteractiveRequest = {
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

/** Its error output may be shown and stored, but its token is secret. */
function withoutToken(command: InteractiveProcess, token: string | undefined): InteractiveProcess {
  if (token === undefined) return command;
  return { ...command, complaints: () => command.complaints().replaceAll(token, '[token]') };
}
