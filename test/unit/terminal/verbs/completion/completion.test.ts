/** What shells are offered: all of the program's own commands, options and values, and nothing listed by hand. */
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { builtInAgents } from '../../../../../src/adapters/userData/knownAgents.ts';
import type { ListedConnections } from '../../../../../src/shared/model/connections.ts';
import { placeholderOf } from '../../../../../src/terminal/verbs/completion/request.ts';
import { VALUES } from '../../../../../src/terminal/verbs/completion/values.ts';
import { makeProgram } from '../../../../../src/terminal/verbs/program.ts';
import { newestJob, terminalWorld, type World } from '../../../../support/world/terminalWorld.ts';

/** Words that fit at the end of a line. */
async function offered(world: World, shell: 'bash' | 'zsh' | 'fish', ...words: string[]): Promise<string[]> {
  world.clear();
  expect(await world.run('__complete', shell, '--', ...words), world.err).toBe(0);
  expect(world.err).toBe('');
  return world.out.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\t')[0] ?? '']));
}

function* all(command: Command, path: readonly string[] = []): Generator<readonly [Command, readonly string[]]> {
  yield [command, path];
  for (const one of command.createHelp().visibleCommands(command))
    if (one.name() !== 'help') yield* all(one, [...path, one.name()]);
}

const named = Object.entries(builtInAgents()).flatMap(([name, entry]) =>
  name === 'cline' || name === 'claude' ? [{ name, entry, probe: null }] : [],
);
const workspace = {
  agent: { list: async () => ({ agents: named, faults: [], file: '' }) },
  model: {
    list: async () => ({
      connections: [{ connection: { name: 'team' }, key: 'none' }] as unknown as ListedConnections['connections'],
      presets: [{ name: 'ollama', title: 'Ollama', baseUrl: null, example: null, needsKey: false, url: '' }],
      faults: [],
      file: '',
    }),
  },
};
const world = await terminalWorld({ workspace });
const program = makeProgram(world.deps, () => undefined);
const commands = [...all(program)];

test.each(commands.map(([command, path]) => [path.join(' ') || 'autonomous', command, path] as const))(
  '%s: every subcommand and option is offered',
  async (_name, command, path) => {
    const inner = command.createHelp().visibleCommands(command);
    const names = inner.map((one) => one.name());
    expect(await offered(world, 'zsh', ...path, '')).toEqual(expect.arrayContaining(names));
    const flags = command.options.map((option) => option.long);
    const common = ['--json', '--project-dir', '--jobs-dir', '--allow-host', '--help'];
    expect(await offered(world, 'zsh', ...path, '--')).toEqual(expect.arrayContaining([...flags, ...common]));
  },
);

test('every value of a command or option is known: as words, ids, files, or as free text', () => {
  const values = commands.flatMap(([command]) => [
    ...command.registeredArguments.map((one) => one.name()),
    ...command.options.flatMap((option) => placeholderOf(option) ?? []),
  ]);
  const used = new Set(values);
  expect([...used].filter((name) => VALUES[name] === undefined)).toEqual([]);
  expect(Object.keys(VALUES).filter((name) => !used.has(name))).toEqual([]);
});

test('the hidden verb is in no help', async () => {
  expect(await offered(world, 'fish', '')).not.toContain('__complete');
  world.clear();
  expect(await world.run()).toBe(0);
  expect(world.out).toContain('completion <shell>');
  expect(world.out).not.toContain('__complete');
});

describe('values', () => {
  test.each([
    [['job', 'merge', '--'], []],
    [
      ['run', '--merge', ''],
      ['merge', 'branch', 'patch'],
    ],
    [['run', '--merge=b'], ['--merge=branch']],
    [['run', '--provider', 's'], ['simulated']],
    [
      ['run', '--gates', 'plan,'],
      ['plan,phase', 'plan,merge'],
    ],
    [
      ['run', '--executor', 'worker=cl'],
      ['worker=cline', 'worker=claude'],
    ],
    [['run', '--model', 'pl'], ['planner=']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['status', '1', 'pe'], ['pending']],
    [['run', '--file', ''], [':files']],
    [['--project-dir', ''], [':folders']],
    [['run', '--budget', ''], []],
    [['run', '--', '--me'], []],
    [['no-verb', ''], []],
  ] as const)('%j', async (words, fits) => {
    const found = await offered(world, 'zsh', ...words);
    if (words.at(-1) === '--') expect(found).toContain('--json');
    else expect(found).toEqual(fits);
  });

  test('connections, and presets that have none yet', async () => {
    expect(await offered(world, 'fish', 'models', 'show', '')).toEqual(['team']);
    expect(await offered(world, 'fish', 'models', 'add', '')).toEqual(['ollama']);
    expect(await offered(world, 'fish', 'run', '--model', 'worker=')).toEqual(['worker=team/']);
  });

  test('bash gets only what follows the =, at which it splits words', async () => {
    expect(await offered(world, 'bash', 'run', '--merge', '=', 'b')).toEqual(['branch']);
    expect(await offered(world, 'bash', 'run', '--merge', '=')).toEqual(['merge', 'branch', 'patch']);
    expect(await offered(world, 'bash', 'run', '--executor', 'worker', '=', 'cli')).toEqual(['cline']);
  });

  test('ids come from the state: open questions, jobs, features', async () => {
    const asking = await terminalWorld({ workspace, script: { attempts: { 'push and pop': ['stuck'] } } });
    await asking.run('run', 'x', '--yes');
    const job = newestJob(asking).id;
    const [open] = [...asking.store.state.approvals.values()].filter(({ status }) => status === 'pending');
    expect(await offered(asking, 'fish', 'approve', '')).toEqual([String(open?.id)]);
    expect(await offered(asking, 'fish', 'job', 'show', '')).toEqual([job]);
    expect(await offered(asking, 'fish', 'run', '--resume', '')).toEqual([job]);
    expect(await offered(asking, 'fish', 'agents', 'choose', '')).toEqual(['1', '2', '3']);
    expect(await offered(asking, 'fish', 'agents', 'choose', '2', 'cl')).toEqual(['cline', 'claude']);
    expect(asking.out).not.toContain('Exception');
  });

  test('a folder without a readable state has no ids, and no error', async () => {
    const look = async (): Promise<never> => {
      throw new Error('no such folder');
    };
    const none = await terminalWorld({ workspace: { look } });
    expect(await offered(none, 'zsh', 'approve', '')).toEqual([]);
  });
});
