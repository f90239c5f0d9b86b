/** What an agent is given when it starts: its program, environment, files and what fills its templates. */

import { realpathSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve, sep } from 'node:path';
import type { ModelDoor } from '../adapters/modelServer/server.ts';
import { findExecutable, isWithin } from '../adapters/shell/executables.ts';
import type { AgentOrder } from '../agent/externalPorts.ts';
import { loginFailure } from '../core/agentFaults.ts';
import { filledEnv, filledFiles, type TemplateValues } from '../core/agentTemplate.ts';
import type { TalkRequest } from '../engine/commandPorts.ts';
import type { AgentWorld } from '../engine/context.ts';
import { type AutonomousError, errnoOf, failure } from '../shared/errors.ts';
import type { AgentEntry } from '../shared/executorSchemas.ts';

export interface Outfit {
  /** Absolute path, outside of what it may write. */
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
  readonly files: TalkRequest['files'];
  readonly writable: readonly string[];
  readonly readable: readonly string[];
  readonly values: TemplateValues;
  /** The session's `autonomous`, and the environment that it needs. */
  readonly script: string;
  readonly placeEnv: Readonly<Record<string, string>>;
  /** Leaves a prompt that is too long for an argument where the agent can read it, and gives the path. */
  promptFile(text: string): Promise<string>;
}

export interface OutfitOf {
  readonly entry: AgentEntry;
  readonly order: AgentOrder;
  readonly world: AgentWorld;
  readonly door: ModelDoor | null;
  /** Folders whose programs are not the user's own choice: the repository. */
  readonly foreign: readonly string[];
}

/** Throws AGENT_MISSING, and AGENT_LOGIN where an account of its own has left no trace. */
export async function outfit({ entry, order, world, door, foreign }: OutfitOf): Promise<Outfit> {
  const place = await world.place.enter();
  const path = place.env['PATH'] ?? '';
  const clone = resolve(order.workdir);
  const banned = [clone, ...place.writable, ...foreign];
  const program = programOf(entry, path, banned);
  const script = join(place.bin, 'autonomous');
  const values: TemplateValues = {
    model: order.model,
    clone,
    ...(door === null ? {} : { url: door.url, token: door.token }),
    mcp: join(place.bin, 'mcp.json'),
  };
  if (entry.argv.some((word) => word.includes('{mcp}'))) {
    const server = { type: 'stdio', command: script, args: ['mcp'], env: place.env };
    await writeFile(join(place.bin, 'mcp.json'), JSON.stringify({ mcpServers: { autonomous: server } }));
  }
  const beside = Object.entries(entry.programs).flatMap(([name, wanted]) => {
    const file = findExecutable(wanted, path, banned);
    return file === null ? [] : [[name, file] as const];
  });
  let prompts = 0;
  return {
    program,
    env: { ...place.env, ...filledEnv(entry, values), ...Object.fromEntries(beside) },
    files: [...filledFiles(entry, values), ...(await loginFiles(entry))],
    writable: [...(order.writes ? [clone] : []), ...place.writable],
    readable: [
      ...world.readable,
      ...place.readable,
      ...installations([program, ...beside.map(([, file]) => file)], banned),
    ],
    values,
    script,
    placeEnv: place.env,
    async promptFile(text) {
      const file = join(place.bin, `prompt-${++prompts}.md`);
      await writeFile(file, text);
      return file;
    },
  };
}

function programOf(entry: AgentEntry, path: string, banned: readonly string[]): string {
  const [name = ''] = entry.argv;
  const program = findExecutable(name, path, banned);
  if (program === null) throw missing(entry, name);
  return program;
}

function missing({ title, install }: AgentEntry, program: string): AutonomousError {
  return failure('AGENT_MISSING', `${title} is not installed: there is no ${program} on the PATH`, {
    hint: `Install it: ${install}.`,
    details: { program },
  });
}

/** Copies of what its own sign-in left in the user's home. */
async function loginFiles(entry: AgentEntry): Promise<TalkRequest['files'][number][]> {
  if (entry.models !== 'own' || entry.login.length === 0) return [];
  const copies = await Promise.all(
    entry.login.map(async (path) => {
      const content = await textOf(join(homedir(), path));
      return content === null ? [] : [{ path, content, secret: true }];
    }),
  );
  const found = copies.flat();
  if (found.length === 0) throw loginFailure(entry, `none of ${entry.login.join(', ')} is in your home`);
  return found;
}

async function textOf(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (thrown) {
    if (errnoOf(thrown) !== undefined) return null;
    throw thrown;
  }
}

/** Folders that hold the programs and what belongs to them: they may lie in a place that is denied otherwise, but no home is one. */
export function installations(programs: readonly string[], banned: readonly string[]): string[] {
  const homes = [homedir(), ...banned];
  const folders = programs.flatMap((file) => {
    const real = realpathSync(file);
    const modules = real.indexOf(`${sep}node_modules${sep}`);
    return [dirname(file), modules < 0 ? dirname(real) : join(real.slice(0, modules), 'node_modules')];
  });
  return [...new Set(folders)].filter((folder) => homes.every((home) => !isWithin(home, folder)));
}
