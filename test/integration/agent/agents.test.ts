/** Agents put together: their line of the data file, the sandbox, our model server and tools, and how all of it is put away. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { systemClock } from '../../../src/adapters/clock.ts';
import { probeAgent } from '../../../src/app/open/agentProbe.ts';
import type { AgentEntry } from '../../../src/shared/agent/executorSchemas.ts';
import { failure, findFailure } from '../../../src/shared/errors.ts';
import type { AgentScript, Step } from '../../fixtures/agents/script.ts';
import { agentBench } from '../../support/agent/agentBench.ts';
import { scriptedAgent, startBuilt } from '../../support/agent/scriptedAgent.ts';
import { testPrograms } from '../../support/process/testPrograms.ts';
import { inTheEnd, processesWith, shellGround } from '../../support/shell/shell.ts';

startBuilt(await testPrograms(inject('tempRoot')));
const clock = systemClock();
const never = new AbortController().signal;
const homes = mkdtempSync(join(inject('tempRoot'), 'homes-'));
const sandboxed = shellGround({ privateDir: homes });
const open = shellGround({ confine: false });
let confined = false;
beforeAll(async () => {
  confined = (await sandboxed.runner.sandbox()).mode === 'sandboxed';
});
const bench = agentBench(inject('tempRoot'));
const { agentsOf, session } = bench;
afterAll(async () => {
  await bench.close();
  await Promise.all([sandboxed.close(), open.close()]);
});

const script = (...steps: Step[]): AgentScript => ({ turns: [steps] });

const filesBelow = (folder: string): string[] => readdirSync(folder, { recursive: true }).map(String);

test('in the sandbox it has a home, our models by its token and our tools, and nothing of it is left', async ({
  skip,
}) => {
  skip(!confined, 'no sandbox on this machine');
  process.env['ANTHROPIC_API_KEY'] = 'sk-the-users-own';
  const name = `left-${process.pid}-in-the-sandbox`;
  const entry = scriptedAgent(
    script(
      { do: 'model' },
      { do: 'tool', name: 'report', input: { outcome: 'done', summary: 'by MCP' } },
      { do: 'script', words: ['report', 'done', 'by script'] },
      { do: 'write', path: 'made.txt', content: 'x' },
      { do: 'run', command: 'env; cat ~/.scripted/settings.json; touch /etc/planted' },
      { do: 'background', name },
    ),
    { files: { '.scripted/settings.json': '{"key":"{token}","model":"{model}"}' } },
  );
  const agents = agentsOf(sandboxed, { scripted: entry });
  const { order, world, clone, reports, said } = session(sandboxed);
  const agent = await agents.open(order, world);
  await expect(agents.open(order, world)).rejects.toMatchObject({ code: 'AGENT_UNUSABLE' });
  expect(await agents.paidByUs('scripted')).toBe(true);
  expect((await agent.prompt('Do it.', never)).reason).toBe('end');
  const [answer, , , env = ''] = said();
  expect(answer).toContain('from the gateway');
  expect(reports).toEqual([
    { outcome: 'done', summary: 'by MCP' },
    { outcome: 'done', summary: 'by script' },
  ]);
  expect(existsSync(join(clone, 'made.txt'))).toBe(true);
  const [, token = ''] = /^ANTHROPIC_API_KEY=(\S+)$/m.exec(env) ?? [];
  const [, url = ''] = /^ANTHROPIC_BASE_URL=(\S+)$/m.exec(env) ?? [];
  expect(env).toContain(`{"key":"${token}","model":"model-a"}`);
  expect(env).not.toContain('sk-the-users-own');
  expect(existsSync('/etc/planted')).toBe(false);
  const ask = (): Promise<Response> => fetch(`${url}/v1/models`, { headers: { 'x-api-key': token } });
  expect((await ask()).status).toBe(200);
  expect(processesWith(name)).not.toEqual([]);

  await agent.close();
  await agent.close();
  expect((await ask()).status).toBe(401);
  expect(processesWith(name)).toEqual([]);
  expect(filesBelow(homes).filter((file) => file.endsWith('settings.json'))).toEqual([]);
  const again = await agents.open(order, world);
  await again.close();
});

test('a call that the gateway refuses is told once, and the agent hears why', async () => {
  const limit = failure('LIMIT_REACHED', 'the job may spend no more');
  const { order, world, refused, said } = session(sandboxed, { mayRun: true, fetch: () => Promise.reject(limit) });
  const agents = agentsOf(sandboxed, { scripted: scriptedAgent(script({ do: 'model' }, { do: 'model' })) });
  const agent = await agents.open(order, world);
  await agent.prompt('Do it.', never);
  await agent.close();
  expect(refused.map((thrown) => findFailure(thrown)?.code)).toEqual(['LIMIT_REACHED']);
  expect(said()[0]).toMatch(/^403 .*the job may spend no more/);
});

test('one that is cancelled is asked to stop, and lives on: its conversation and its bill are its own to close', async () => {
  const turns: Step[][] = [[{ do: 'say', text: 'waiting' }, { do: 'hang' }], [{ do: 'say', text: 'still here' }]];
  const agents = agentsOf(sandboxed, { scripted: scriptedAgent({ turns }) });
  const { order, world, said } = session(sandboxed, { mayRun: true });
  const stop = new AbortController();
  const agent = await agents.open({ ...order, signal: stop.signal }, world);
  const turn = agent.prompt('Do it.', stop.signal);
  expect(await inTheEnd(() => said().length > 0)).toBe(true);
  stop.abort();
  expect(await turn).toMatchObject({ reason: 'cancelled' });
  expect(await agent.prompt('And now?', never)).toMatchObject({ reason: 'end', text: 'still here' });
  await agent.close();
});

test('whoever judges obeys nothing that the clone says to run', async ({ skip }) => {
  const look = script({
    do: 'run',
    command: 'cat .git/config .cline/hooks/TaskStart bunfig.toml a.txt 2>/dev/null || true',
  });
  const agents = agentsOf(sandboxed, { scripted: scriptedAgent(look) });
  const { clone, order, world, said } = session(sandboxed, { mayRun: true });
  const judge = { ...order, writes: false, judges: true };
  mkdirSync(join(clone, '.cline', 'hooks'), { recursive: true });
  mkdirSync(join(clone, '.git'));
  for (const file of ['.cline/hooks/TaskStart', '.git/config', 'bunfig.toml', 'a.txt'])
    writeFileSync(join(clone, file), `[${file}]`);
  const unusable = { code: 'AGENT_UNUSABLE', message: expect.stringContaining('could obey') };
  const bare = agentsOf(open, { scripted: scriptedAgent(look) });
  await expect(bare.open(judge, world)).rejects.toMatchObject(unusable);
  skip(!confined, 'no sandbox on this machine');
  const agent = await agents.open(judge, world);
  await agent.prompt('Judge it.', never);
  await agent.close();
  expect(said().join('')).toContain('[a.txt]');
  expect(said().join('')).not.toMatch(/TaskStart|bunfig|config/);
  symlinkSync('elsewhere', join(clone, '.claude'));
  await expect(agents.open(judge, world)).rejects.toMatchObject(unusable);
});

test('without a sandbox it runs when the steward lets it', async () => {
  const agents = agentsOf(open, { scripted: scriptedAgent(script({ do: 'say', text: 'here' })) });
  const no = session(open);
  await expect(agents.open(no.order, no.world)).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
  const yes = session(open, { mayRun: true });
  const agent = await agents.open(yes.order, yes.world);
  await agent.prompt('Do it.', never);
  await agent.close();
  expect(yes.said()).toEqual(['here']);
  expect(yes.asked).toEqual(no.asked);
  expect(yes.asked).toEqual([expect.stringMatching(/node.* --no-warnings .*scriptedAgent\.js /)]);
});

test('one without a protocol works turn by turn, with our tools in a file', async () => {
  const entry = scriptedAgent(script(), {
    speaks: 'command',
    argv: ['/bin/sh', '-c', 'autonomous report done "$1" >&2 && cat "$2"', 'one', '{prompt}', '{mcp}'],
    output: 'json',
    field: 'mcpServers.autonomous.command',
  });
  const agents = agentsOf(sandboxed, { scripted: entry });
  const { order, world, reports } = session(sandboxed, { mayRun: true });
  const agent = await agents.open({ ...order, system: 'S' }, world);
  const end = await agent.prompt('Do it.', never);
  const { bin } = await world.place.enter();
  await agent.close();
  expect(end).toMatchObject({ reason: 'end', text: join(bin, 'autonomous') });
  expect(reports).toEqual([{ outcome: 'done', summary: 'S\n\nDo it.' }]);
});

test('what is not there is said with the way to get it', async () => {
  const gone = scriptedAgent(script(), { argv: ['no-such-agent'], install: 'npm install -g gone' });
  const own = scriptedAgent(script(), { models: 'own', login: ['.nobody/is-signed-in.json'] });
  const agents = agentsOf(sandboxed, { gone, own });
  const { order, world } = session(sandboxed);
  const starting = (executor: string): Promise<unknown> => agents.open({ ...order, executor }, world);
  await expect(starting('gone')).rejects.toMatchObject({
    code: 'AGENT_MISSING',
    hint: 'Install it: npm install -g gone.',
  });
  await expect(starting('nobody-knows')).rejects.toMatchObject({ code: 'AGENT_MISSING' });
  await expect(agents.paidByUs('nobody-knows')).rejects.toMatchObject({ code: 'AGENT_MISSING' });
  await expect(starting('own')).rejects.toMatchObject({ code: 'AGENT_LOGIN' });
  expect(await agents.paidByUs('own')).toBe(false);
});

test('a look tells which one it is, and what is wrong with it', async () => {
  const look = (entry: AgentEntry) =>
    probeAgent('scripted', entry, {
      clock,
      version: '0.0.0',
      commands: sandboxed.runner,
      env: process.env,
      foreign: [],
      signal: never,
    });
  const version = [process.execPath, '-p', '"scripted v1.2.4 (test)"'];
  expect(await look(scriptedAgent({ turns: [], resumes: true }, { version }))).toEqual({
    name: 'scripted',
    title: 'Scripted agent',
    state: 'ready',
    detail: 'asks permission, resumes, priced by us',
    fix: '',
    version: '1.2.4',
    protocol: 1,
    can: ['asks permission', 'resumes', 'priced by us'],
    lacks: [],
    priced: true,
  });
  expect(await look(scriptedAgent({ turns: [], protocol: 99 }))).toMatchObject({
    state: 'unusable',
    detail: expect.stringContaining('version 99'),
  });
  expect(await look(scriptedAgent({ turns: [], start: 'exit' }))).toMatchObject({ state: 'unusable' });
  // Installed by half, as npm does without scripts.
  const broken = {
    speaks: 'command',
    version: [process.execPath, '-e', 'console.error("no binary"); process.exit(1)'],
  };
  expect(await look({ ...scriptedAgent(script()), ...broken } as AgentEntry)).toMatchObject({
    state: 'unusable',
    detail: expect.stringContaining('no binary'),
  });
  expect(await look(scriptedAgent(script(), { argv: ['no-such-agent'] }))).toMatchObject({ state: 'missing' });
  expect(await inTheEnd(() => processesWith('scriptedAgent.js {"turns":[],"resumes"').length === 0)).toBe(true);
});
