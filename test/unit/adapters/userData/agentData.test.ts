/** The data file of agents, and the user's own lines over it. */
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { isWithin } from '../../../../src/adapters/platform/executables.ts';
import { deniedReads } from '../../../../src/adapters/shell/sandbox/deniedReads.ts';
import { builtInAgents, knownAgents, ownAgents } from '../../../../src/adapters/userData/knownAgents.ts';

const MINE = ['mine:', '  title: Mine', '  speaks: acp', '  argv: [mine, --acp]', '  models: chat'];
const REST = ['  install: build it', '  url: https://example.org/mine'];

describe('the built-in lines', () => {
  const entries = Object.entries(builtInAgents());

  it('names the agents of the documents', () => {
    expect(entries.map(([name]) => name)).toEqual([
      'cline',
      'cline-cli',
      'claude',
      'claude-cli',
      'codex',
      'gemini',
      'copilot',
      'opencode',
      'goose',
    ]);
  });

  it('gives whoever is paid by us our address and a token, and nobody else', () => {
    for (const [, { models, env, files }] of entries) {
      const said = JSON.stringify([env, files]);
      expect(said.includes('{url}') && said.includes('{token}')).toBe(models !== 'own');
    }
  });

  it('gives each command the prompt, and a place of the final text in what it prints', () => {
    for (const [, { speaks, argv, output, field }] of entries) {
      expect(argv.includes('{prompt}')).toBe(speaks === 'command');
      expect(field !== undefined).toBe(output !== 'text');
    }
  });

  it('keeps JSON in templates readable when it is filled', () => {
    const texts = entries.flatMap(([, { env, files }]) => [...Object.values(env), ...Object.values(files)]);
    const json = texts.filter((text) => text.startsWith('{"'));
    expect(json.length).toBeGreaterThan(2);
    for (const text of json) expect(() => JSON.parse(text.replaceAll(/\{[a-z]+\}/g, 'x'))).not.toThrow();
  });
});

describe("the user's own lines", () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'autonomous-agents-'));
    return () => rm(folder, { recursive: true });
  });

  it('adds an agent', () => {
    const { entries, faults } = ownAgents([...MINE, ...REST].join('\n'));
    expect(faults).toEqual([]);
    expect(entries['mine']).toMatchObject({ title: 'Mine', argv: ['mine', '--acp'], env: {}, output: 'text' });
  });

  it.each([
    [
      'a field that is none',
      [...MINE, '  modle: x', ...REST],
      'agents.yaml line 6: mine: modle: Unrecognized key: "modle"',
    ],
    ['a word that is none', [...MINE.with(2, '  speaks: ftp'), ...REST], 'agents.yaml line 3: mine: speaks: '],
    [
      'a placeholder that is none',
      [...MINE.with(3, '  argv: [mine, "{key}"]'), ...REST],
      'agents.yaml line 4: mine: argv.1: there is no {key}; there are: prompt, ',
    ],
    ['a missing field', MINE, 'agents.yaml line 1: mine: install: '],
    ['a name that is none', ['Mine!: 3'], 'agents.yaml line 1: Mine!: a name is '],
    ['the name of the built-in agent', ['builtin: 3'], 'agents.yaml line 1: builtin: this name is '],
    ['no YAML', ['mine: {a: 1', 'b: ]'], 'agents.yaml line 2: '],
    ['a list', ['- mine'], 'agents.yaml line 1: it is a mapping'],
    ['an alias of nothing', ['mine: *x'], 'agents.yaml has an alias that leads nowhere'],
  ])('tells %s with its line', (_, lines, told) => {
    const { entries, faults } = ownAgents(lines.join('\n'));
    expect(entries).toEqual({});
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(told);
  });

  it('leaves the other agents usable, and never takes the built-in line for the one that is wrong', async () => {
    await write(folder, ['claude:', '  title: 3', ...MINE, ...REST], 0o600);
    const { entries, faults } = await knownAgents(folder);
    expect(Object.keys(entries)).toContain('cline');
    expect(Object.keys(entries)).toContain('mine');
    expect(Object.keys(entries)).not.toContain('claude');
    expect(faults).toHaveLength(1);
  });

  it.skipIf(process.platform === 'win32')('does not read a file that others may write', async () => {
    await write(folder, [...MINE, ...REST], 0o622);
    const { entries, faults } = await knownAgents(folder);
    expect(Object.keys(entries)).not.toContain('mine');
    expect(faults[0]).toContain('may be written by others');
  });

  it('is content without a file', async () => {
    const { entries, faults } = await knownAgents(folder);
    expect(faults).toEqual([]);
    expect(entries).toEqual(builtInAgents());
  });
});

async function write(folder: string, lines: readonly string[], mode: number): Promise<void> {
  await writeFile(join(folder, 'agents.yaml'), lines.join('\n'));
  await chmod(join(folder, 'agents.yaml'), mode);
}

it('what an agent keeps of a sign-in is read by no command, whoever runs it', () => {
  const denied = deniedReads({}, '/home/u');
  const login = Object.values(builtInAgents()).flatMap((entry) => entry.login);
  const kept = [
    ...login,
    '.cline/data/settings/providers.json',
    '.copilot/config.json',
    '.local/share/opencode/auth.json',
  ];
  for (const path of kept) {
    expect(
      denied.some((place) => isWithin(join('/home/u', path), place)),
      path,
    ).toBe(true);
  }
});
