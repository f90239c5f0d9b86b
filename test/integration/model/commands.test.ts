/** `autonomous models` in real processes: a person adds a connection, checks it, and works with it, in three commands. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, inject, test } from 'vitest';
import { CRASH_BRIEF, oneFile } from '../../support/crash/crashScenario.ts';
import { terminalProcess } from '../../support/process/terminalProcess.ts';
import { testPrograms } from '../../support/process/testPrograms.ts';

const programs = await testPrograms(inject('tempRoot'));

test('a company’s gateway: add, check, plan; then it is removed', async () => {
  let server = '';
  await using world = await terminalProcess(programs, {
    scenario: oneFile,
    env: (url) => {
      server = url;
      return { TEAM_KEY: 'test-key', ANTHROPIC_API_KEY: '' };
    },
  });
  const added = await world.cli(
    'models',
    'add',
    'team',
    '--preset',
    'gateway',
    '--base-url',
    server,
    '--auth',
    'x-api-key',
    '--key-env',
    'TEAM_KEY',
  ).exit;
  expect([added.code, added.stderr]).toEqual([0, '']);
  expect(added.stdout).toContain(`Added the connection team (A company gateway): ${server}, wire messages.`);

  const checked = await world.cli('models', 'check', 'team/claude-opus-5-5').exit;
  expect(checked.stdout).toContain('ok       price: $4 for a million tokens of input');
  expect(checked.code).toBe(0);

  const reported = await world.cli('models', 'check', 'team', '--report').exit;
  expect(reported.stdout).toMatch(
    /^Autonomous .*\nteam \(gateway\): messages at 127\.0\.0\.1:\d+, x-api-key, key environment\n/,
  );
  expect(reported.stdout).not.toContain('test-key');
  // The proof of the oldest Node must not run on this one.
  expect(reported.stdout).toContain(process.env['PROOF_NODE'] === undefined ? `Node ${process.version}` : 'Node v22.');

  const planned = await world.cli('plan', CRASH_BRIEF, '--no-setup', '--model', 'team/claude-opus-5-5').exit;
  expect([planned.code, planned.stderr]).toEqual([3, '']);
  const shown = await world.cli('--json', 'models', 'list').exit;
  expect(JSON.parse(shown.stdout)).toMatchObject({
    connections: [{ name: 'team', key: 'environment', headers: [] }],
    faults: [],
  });

  expect((await world.cli('models', 'remove', 'team').exit).code).toBe(0);
  expect((await world.cli('models', 'show', 'team').exit).code).not.toBe(0);
});

/** A gateway that lists its models with the price of this many dollars for a million tokens of input. */
async function listing(price: () => number) {
  const server = createServer((_, response) => {
    const pricing = { prompt: String(price() / 1e6), completion: String((price() * 5) / 1e6) };
    const models = [
      { id: 'maker/model-1', context_length: 200_000, pricing },
      { id: 'maker/free', pricing: { prompt: '0', completion: '0' } },
    ];
    response.end(JSON.stringify({ data: models }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

test('a list of prices is read again: a higher one applies, one that was halved is held until it is taken', async () => {
  let price = 2;
  await using gateway = await listing(() => price);
  await using world = await terminalProcess(programs, { scenario: oneFile, env: () => ({ TEAM_KEY: 'test-key' }) });
  const models = (...args: string[]) => world.cli('models', ...args).exit;
  await models('add', 'team', '--preset', 'gateway', '--base-url', gateway.baseUrl, '--key-env', 'TEAM_KEY');
  const first = await models('refresh', 'team');
  expect([first.code, first.stdout]).toEqual([
    0,
    expect.stringMatching(/team: 2 models;[\s\S]*maker\/model-1 +- +2\/10/),
  ]);
  const shown = await models('show', 'team');
  expect(shown.stdout).toMatch(/maker\/model-1 +200k +\$2 +\$10 +team, \d{4}-\d\d-\d\d/);
  expect(shown.stdout).toMatch(/maker\/free +- +- +-/);

  await models('add', 'other', '--preset', 'gateway', '--base-url', gateway.baseUrl, '--key-command', 'exit 127');
  expect((await models('refresh', 'other')).stderr).toContain('(exit code 127: its program was not found)');
  const one = await models('refresh');
  expect([one.code, one.stdout]).toEqual([1, expect.stringContaining('other: the key command of')]);
  await models('remove', 'other');

  price = 1;
  const fell = await models('refresh');
  expect(fell.stdout).toMatch(/maker\/model-1 +2\/10 +1\/5 +kept/);
  expect(fell.stdout).toContain('To take them: --lower');
  expect((await models('show', 'team')).stdout).toMatch(/\$2 +\$10/);
  await models('refresh', '--lower');
  expect((await models('show', 'team')).stdout).toMatch(/\$1 +\$5/);
  price = 3;
  expect((await models('refresh', 'team')).stdout).toMatch(/1\/5 +3\/15/);
  expect((await models('refresh', 'team')).stdout).toContain('team: 2 models, no price changed.');
});

test.each([
  [
    'a base URL with a password',
    ['--base-url', 'https://me:pa55word@x.example', '--wire', 'chat'],
    'without a user, a password',
  ],
  ['a base URL without TLS', ['--base-url', 'http://x.example', '--wire', 'chat'], 'it must be https'],
  ['a header without a value', ['--preset', 'ollama', '--header', 'X-Team'], '--header is not'],
  ['a price without an output', ['--preset', 'ollama', '--price', 'm=1'], 'is not model=input/output'],
  ['a price with an empty rate', ['--preset', 'ollama', '--price', 'm=1//3'], 'is not model=input/output'],
])('%s is refused, and nothing is written', async (_, options, words) => {
  await using world = await terminalProcess(programs, { scenario: oneFile });
  const { code, stderr } = await world.cli('models', 'add', 'bad', ...options).exit;
  expect(code).not.toBe(0);
  expect(stderr).toContain(words);
  expect(stderr).not.toContain('pa55word');
  expect((await world.cli('models', 'list').exit).stdout).not.toContain('bad ');
});
