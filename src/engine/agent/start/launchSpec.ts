/** Computes the launch of an agent: its program, environment, files and template values. */

import path from 'node:path';
import { loginFailure } from '../../../core/agent/agentFaults.ts';
import { filledEnv, filledFiles, type TemplateValues } from '../../../core/agent/agentTemplate.ts';
import type { AgentEntry } from '../../../shared/agent/executorSchemas.ts';
import { type AutonomousError, failure } from '../../../shared/errors.ts';
import type { InteractiveRequest } from '../../session/commandPorts.ts';
import type { AgentWorld } from '../agentWorld.ts';
import type { AgentOrder } from '../ports.ts';
import type { AgentMachine } from './startPorts.ts';

export interface LaunchSpec {
  /** Absolute path, outside of the agent's writable folders. */
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
  readonly files: InteractiveRequest['files'];
  readonly writable: readonly string[];
  readonly readable: readonly string[];
  readonly values: TemplateValues;
  /** The session's `autonomous`, and the environment that it needs. */
  readonly script: string;
  readonly placeEnv: Readonly<Record<string, string>>;
  /** Writes a prompt that is too long for an argument to a file that the agent can read, and returns its path. */
  promptFile(text: string): Promise<string>;
}

export interface LaunchOptions {
  readonly entry: AgentEntry;
  readonly order: AgentOrder;
  readonly world: AgentWorld;
  /** The endpoint of the model server. Null for a separate account. */
  readonly door: { readonly url: string; readonly token: string } | null;
  readonly machine: AgentMachine;
  /** Folders whose programs are not the user's own choice: the repository. */
  readonly foreign: readonly string[];
}

/** Throws AGENT_MISSING, and AGENT_LOGIN if an agent with a separate account is not signed in. */
export async function launchSpec({ entry, order, world, door, foreign, machine }: LaunchOptions): Promise<LaunchSpec> {
  const place = await world.place.enter();
  const searched = place.env['PATH'] ?? '';
  const clone = path.resolve(order.workdir);
  const banned = [clone, ...place.writable, ...foreign];
  const [name = ''] = entry.argv;
  const program = machine.findProgram(name, searched, banned);
  if (program === null) throw missing(entry, name);
  const script = path.join(place.bin, 'autonomous');
  const values: TemplateValues = {
    model: order.model,
    clone,
    ...(door === null ? {} : { url: door.url, token: door.token }),
    mcp: path.join(place.bin, 'mcp.json'),
  };
  if (entry.argv.some((word) => word.includes('{mcp}'))) {
    const server = { type: 'stdio', command: script, args: ['mcp'], env: place.env };
    await machine.writeFile(path.join(place.bin, 'mcp.json'), JSON.stringify({ mcpServers: { autonomous: server } }));
  }
  const beside = Object.entries(entry.programs).flatMap(([variable, wanted]) => {
    const file = machine.findProgram(wanted, searched, banned);
    return file === null ? [] : [[variable, file] as const];
  });
  let prompts = 0;
  return {
    program,
    env: { ...place.env, ...filledEnv(entry, values), ...Object.fromEntries(beside) },
    files: [...filledFiles(entry, values), ...(await loginFiles(entry, machine))],
    writable: [...(order.writes ? [clone] : []), ...place.writable],
    readable: [
      ...world.readable,
      ...place.readable,
      ...machine.installations([program, ...beside.map(([, file]) => file)], banned),
    ],
    values,
    script,
    placeEnv: place.env,
    async promptFile(text) {
      const file = path.join(place.bin, `prompt-${++prompts}.md`);
      await machine.writeFile(file, text);
      return file;
    },
  };
}

function missing({ title, install }: AgentEntry, program: string): AutonomousError {
  return failure('AGENT_MISSING', `${title} is not installed: there is no ${program} on the PATH`, {
    hint: `Install it: ${install}.`,
    details: { program },
  });
}

/** Copies of what its own sign-in left in the user's home. */
async function loginFiles(entry: AgentEntry, machine: AgentMachine): Promise<InteractiveRequest['files'][number][]> {
  if (entry.models !== 'own' || entry.login.length === 0) return [];
  const copies = await Promise.all(
    entry.login.map(async (file) => {
      const content = await machine.homeText(file);
      return content === null ? [] : [{ path: file, content, secret: true }];
    }),
  );
  const found = copies.flat();
  if (found.length === 0) throw loginFailure(entry, `none of ${entry.login.join(', ')} is in your home`);
  return found;
}
