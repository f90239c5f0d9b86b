/** T12: what a command in the sandbox cannot reach: of the job that it works for, of the user, of the machine, of other commands. */
import { spawn } from 'node:child_process';
import { afterAll, describe, expect, test } from 'vitest';
import type { createCommandRunner } from '../../src/adapters/shell/commandRunner.ts';
import { planted } from '../support/suite/planted.ts';
import { buildWith, type PlantedBug } from '../support/suite/plantedBug.ts';
import { amount, figure } from '../support/suite/proof.ts';
import { left, pairs } from './sandbox/between.ts';
import { type Ground, layGround, pathOf, withEscapes } from './sandbox/ground.ts';
import { anybody, anybodyBy, type Probes, rights, rightsBy } from './sandbox/probes.ts';

/** Without a compiler, the probes that need it are not tried. */
const made = withEscapes();

/** What is tried in one sandbox, one after the other; where anything comes through, each again in its own. */
const AT_ONCE = amount({ short: 6, long: 1 });

/** Those that got something, of which some are tried at once. */
async function throughTogether(
  probes: Readonly<Record<string, string>>,
  get: (command: string) => Promise<string[]>,
): Promise<string[]> {
  const found: string[] = [];
  // One of them ends all others.
  const alone = Object.entries(probes).filter(([, command]) => / -1$/.test(command));
  const others = Object.entries(probes).filter((probe) => !alone.includes(probe));
  const batches = [...alone.map((one) => [one]), ...chunked(others, AT_ONCE)];
  for (const batch of batches) {
    const took = await get(batch.map(([, command]) => (batch.length === 1 ? command : `(${command})`)).join('\n'));
    if (took.length === 0) continue;
    const each = await through(Object.fromEntries(batch), get);
    const together = `${batch.map(([name]) => name).join(' and ')}: ${took.join(', ')}`;
    found.push(...(each.length > 0 ? each : [together]));
  }
  return found;
}

const chunked = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size));

/** `get` of the names, and of what is to be tried for each, what came through. */
async function through<T>(table: Readonly<Record<string, T>>, get: (one: T) => Promise<string[]>): Promise<string[]> {
  const found: string[] = [];
  for (const [name, one] of Object.entries(table)) {
    const took = await get(one);
    if (took.length > 0) found.push(`${name}: ${took.join(', ')}`);
  }
  return found;
}

const commandsOf = (probes: Probes, ground: Ground): Record<string, string> =>
  Object.fromEntries(Object.entries(probes).map(([name, command]) => [name, command(ground)]));

const possible = (probes: Probes, ground: Ground): Probes =>
  Object.fromEntries(
    Object.entries(probes).filter(([, command]) => made.tool !== null || !/\bescape\b/.test(command(ground))),
  );

const confined =
  (ground: Ground, more: Parameters<Ground['run']>[1] = {}) =>
  async (command: string): Promise<string[]> => {
    const { output, sandboxed } = await ground.run(command, { timeoutMs: 600_000, ...more });
    const took = await ground.taken(output);
    return sandboxed ? took : [...took, 'no sandbox'];
  };

/** As any program of the user would. */
const free =
  (ground: Ground) =>
  async (command: Probes[string]): Promise<string[]> => {
    const shell = spawn('/bin/sh', ['-c', command(ground)], { cwd: ground.clone, env: { PATH: pathOf(made.tool) } });
    let output = '';
    for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (part) => (output += part));
    await new Promise((resolve) => shell.once('close', resolve));
    return ground.taken(output);
  };

const subjects: Readonly<Record<string, (ground: Ground) => Promise<{ tried: number; found: string[] }>>> = {
  ...Object.fromEntries(
    Object.entries({ ...anybodyBy, ...rightsBy }).map(([subject, probes]) => [
      subject,
      async (ground: Ground) => {
        const table = possible(probes, ground);
        return {
          tried: Object.keys(table).length,
          found: await throughTogether(commandsOf(table, ground), confined(ground)),
        };
      },
    ]),
  ),
  'in the network of a session': async (ground) => {
    const session = ground.runner.openSession();
    const started = await ground.start('sleep 600', { session });
    if (!('take' in started) || !session.sharesNetwork()) return { tried: 0, found: ['no network is shared'] };
    const table = possible({ ...anybodyBy.connecting, ...anybodyBy.processes, ...rightsBy.mounts }, ground);
    const found = await throughTogether(commandsOf(table, ground), confined(ground, { session }));
    await started.stop();
    await session.close();
    return { tried: Object.keys(table).length, found };
  },
  'what a command leaves for a later one': async (ground) => ({
    tried: Object.keys(pairs).length,
    found: await through(pairs, (pair) => left(ground, pair)),
  }),
};

describe('no command gets out of the sandbox', () => {
  const all = { tried: 0, found: 0 };
  test.for(Object.entries(subjects))('%s', async ([_subject, attempt], { skip }) => {
    const ground = await layGround(made.tool);
    try {
      skip((await ground.runner.sandbox()).mode !== 'sandboxed', 'no sandbox on this machine');
      const { tried, found } = await attempt(ground);
      all.tried += tried;
      all.found += found.length;
      expect(found).toEqual([]);
    } finally {
      await ground.close();
    }
  });
  afterAll(() => {
    const tried = { method: 'T12', what: 'hostile inputs tried: probes of the sandbox', value: all.tried, unit: '' };
    figure({ ...tried, aim: { atLeast: 60 } });
    figure({ method: 'T12', what: 'probes that got through', value: all.found, unit: '', aim: { atMost: 0 } });
  });
});

planted('no sandbox around the same probes', async () => {
  const ground = await layGround(made.tool);
  try {
    const { 'connect to a port by IPv6': ipv6, ...rest } = possible(anybody, ground);
    const table = { ...rest, ...(ground.ports.tcp6 === 0 || ipv6 === undefined ? {} : { ipv6 }) };
    const blind: string[] = [];
    for (const [name, command] of Object.entries(table))
      if ((await free(ground)(command)).length === 0) blind.push(name);
    expect(blind).toEqual([]);
  } finally {
    await ground.close();
  }
});

const bugs: readonly (PlantedBug & { readonly name: string; readonly by: readonly string[] })[] = [
  {
    name: "the clone's git directory is writable in the sandbox",
    file: 'src/adapters/shell/sandbox/confined.ts',
    find: 'const writable = [...stay.writable.map((path) => resolve(path)),',
    put: "const writable = [...stay.writable.flatMap((path) => [resolve(path), resolve(path, '..', 'git')]),",
    by: ['write HEAD', 'write a hook', 'write by a link'],
  },
  {
    name: 'the network of the machine in the sandbox',
    file: 'src/adapters/shell/sandbox/confined.ts',
    find: 'args: wrapped.argv.slice(1),',
    put: "args: wrapped.argv.slice(1).map((word) => word.replace(' --unshare-net', '')),",
    by: ['connect to a port', 'connect by socat', 'send a datagram'],
  },
  {
    name: 'the numbered memory of the machine in the sandbox',
    file: 'src/adapters/shell/sandbox/sandboxRuntime.ts',
    find: "' --unshare-ipc --unshare-uts',",
    put: "'',",
    by: ['shared memory by number', 'a queue by name'],
  },
  {
    name: 'one private home for all jobs',
    file: 'src/adapters/shell/sandbox/privateFolders.ts',
    find: "createHash('sha256').update(resolve(clone)).digest('hex').slice(0, 16)",
    put: "createHash('sha256').update(String(resolve(clone) === '')).digest('hex').slice(0, 16)",
    by: ["another job looks into this one's home"],
  },
];
for (const { by, name, ...bug } of bugs)
  planted(name, async ({ skip }) => {
    using built = await buildWith(bug, ['src/adapters/shell/commandRunner.ts']);
    const planted = (await import(built.program('commandRunner').href)) as {
      createCommandRunner: typeof createCommandRunner;
    };
    const ground = await layGround(made.tool, planted.createCommandRunner);
    try {
      skip((await ground.runner.sandbox()).mode !== 'sandboxed', 'no sandbox on this machine');
      const all = possible({ ...anybody, ...rights }, ground);
      const of = <T>(table: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
        Object.fromEntries(Object.entries(table).filter(([each]) => by.includes(each)));
      const found = [
        ...(await through(commandsOf(of(all), ground), confined(ground))),
        ...(await through(of(pairs), (pair) => left(ground, pair))),
      ];
      expect(found).toHaveLength(Object.keys({ ...of(all), ...of(pairs) }).length);
      expect(found).not.toEqual([]);
    } finally {
      await ground.close();
    }
  });
