/** The Agent Client Protocol with an agent that plays a script: each deed, and each fault, over a real process. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { type AcpAgentOptions, openAcpAgent } from '../../../src/adapters/acp/openAcpAgent.ts';
import { systemClock } from '../../../src/adapters/clock.ts';
import { openTree } from '../../../src/adapters/tree/treeFiles.ts';
import type { AgentUpdate, RunningAgent, TurnEnd } from '../../../src/engine/agent/ports.ts';
import type { InteractiveProcess } from '../../../src/engine/session/commandPorts.ts';
import type { AgentScript, Step } from '../../fixtures/agents/script.ts';
import { scriptedAgent, startBuilt } from '../../support/agent/scriptedAgent.ts';
import { testPrograms } from '../../support/process/testPrograms.ts';
import { inTheEnd, processesWith, shellGround } from '../../support/shell/shell.ts';

startBuilt(await testPrograms(inject('tempRoot')));
const ground = shellGround({ confine: false });
const started: InteractiveProcess[] = [];
afterAll(async () => {
  await Promise.all(started.map((command) => command.end()));
  await ground.close();
});

interface Case {
  readonly script: Omit<AgentScript, 'turns'> & { readonly steps?: readonly Step[] };
  readonly maxBytes?: number;
  readonly resume?: string;
  readonly writes?: boolean;
  readonly system?: string;
  readonly mode?: string;
  readonly model?: string;
  /** A folder of its own, since one clone has one agent. */
  readonly clone?: string;
  readonly options?: Partial<AcpAgentOptions>;
}

interface Run {
  readonly agent: RunningAgent;
  readonly clone: string;
  readonly told: readonly AgentUpdate[];
  /** What it said, of all turns. */
  said(): string[];
  prompt(text?: string, signal?: AbortSignal): Promise<TurnEnd>;
}

let made = 0;

async function open(given: Case): Promise<Run> {
  const { script, resume = null } = given;
  const clone = given.clone ?? join(ground.root, 'jobs', `clone-${made++}`);
  mkdirSync(clone, { recursive: true });
  const entry = scriptedAgent({ ...script, turns: [script.steps ?? []] });
  const command = await ground.runner.converse({
    argv: entry.argv as [string, ...string[]],
    cwd: clone,
    writable: [clone],
    readable: [],
    env: {},
    files: [],
    localPort: null,
    hosts: [],
    maxBytes: given.maxBytes ?? 4_000_000,
    allowed: [],
    approved: true,
    signal: new AbortController().signal,
  });
  if (!('input' in command)) throw new Error(command.why);
  started.push(command);
  const told: AgentUpdate[] = [];
  const never = new AbortController().signal;
  const agent = await openAcpAgent({
    clock: systemClock(),
    version: '0.0.0',
    name: 'scripted',
    names: { ...entry, loginHint: 'please sign in' },
    mode: given.mode ?? null,
    command,
    files: openTree(clone),
    order: {
      executor: 'scripted',
      sessionId: 1,
      model: given.model ?? 'model-a',
      system: given.system ?? 'Behave.',
      workdir: clone,
      writes: given.writes ?? true,
      judges: false,
      resume,
      heard: (update) => told.push(update),
      refused: () => undefined,
      signal: never,
    },
    world: {
      allowed: [['ls', '-l']],
      mayRun: async (text) => text.startsWith('make'),
      commands: {
        run: async (text, { signal }) => {
          if (text.startsWith('sleep')) {
            await new Promise((done) => signal.addEventListener('abort', done));
            return { exitCode: null, ended: 'aborted', output: '' };
          }
          return { exitCode: 0, ended: null, output: `ran ${text} ${'é'.repeat(2_000)}` };
        },
      },
    },
    tools: { command: 'nothing', env: {} },
    calling: () => false,
    ...given.options,
  });
  return {
    agent,
    clone,
    told,
    said: () => told.flatMap((update) => (update.kind === 'text' ? [update.text] : [])),
    prompt: (text = 'Do it.', signal = never) => agent.prompt(text, signal),
  };
}

const times = (some: object): Partial<AcpAgentOptions> => ({
  times: { silence: 60_000, answer: 60_000, grace: 60_000, ...some },
});

describe.concurrent('an agent over ACP', () => {
  test('what it does is told in our form, in its order', async () => {
    const { agent, clone, told, prompt } = await open({
      script: {
        steps: [
          { do: 'think', text: 'hm' },
          { do: 'plan', entries: ['one', 'two'] },
          { do: 'say', text: 'I begin.' },
          { do: 'write', path: 'a.txt', content: 'hello\n' },
          { do: 'update', update: { sessionUpdate: 'from_the_future', what: 1 } },
          { do: 'update', update: { sessionUpdate: 'tool_call', toolCallId: 7, title: null } },
          {
            do: 'update',
            update: { sessionUpdate: 'usage_update', used: 1, size: 2, cost: { amount: 0.25, currency: 'USD' } },
          },
          { do: 'say', text: 'Done' },
          { do: 'say', text: ' it.' },
        ],
      },
    });
    expect(agent.facts).toEqual({
      name: 'scripted',
      title: 'Scripted agent',
      version: '1.2.3',
      protocol: 1,
      resumed: false,
    });
    expect(await prompt()).toEqual({ reason: 'end', text: 'Done it.', usage: null, costMicroUsd: 250_000 });
    expect(told).toEqual([
      { kind: 'thought', text: 'hm' },
      {
        kind: 'plan',
        entries: [
          { text: 'one', state: 'pending' },
          { text: 'two', state: 'pending' },
        ],
      },
      { kind: 'text', message: 'm1', text: 'I begin.' },
      {
        kind: 'tool',
        id: 'call-1',
        title: 'Write a.txt',
        what: 'edit',
        input: { path: join(clone, 'a.txt') },
        status: 'running',
      },
      { kind: 'tool', id: 'call-1', status: 'completed', output: 'written' },
      { kind: 'usage', usage: null, costMicroUsd: 250_000 },
      { kind: 'text', message: 'm1', text: 'Done' },
      { kind: 'text', message: 'm1', text: ' it.' },
    ]);
    expect(readFileSync(join(clone, 'a.txt'), 'utf8')).toBe('hello\n');
  });

  test('what it asks before is answered by our rules, and never for always', async () => {
    const { prompt, said } = await open({
      script: {
        steps: [
          { do: 'permit', kind: 'edit', path: 'src/a.ts' },
          { do: 'permit', kind: 'edit', path: '/etc/passwd' },
          { do: 'permit', kind: 'read', path: '../other/secret' },
          { do: 'permit', kind: 'execute', command: 'ls -l' },
          { do: 'permit', kind: 'execute', command: 'make all' },
          { do: 'permit', kind: 'execute', command: 'rm -rf /' },
        ],
      },
    });
    await prompt();
    expect(said()).toEqual([
      'allowed by once',
      'rejected by no',
      'rejected by no',
      'allowed by once',
      'allowed by once',
      'rejected by no',
    ]);
  });

  test('its files are those of the clone, whatever leads out', async () => {
    const clone = join(ground.root, 'jobs', 'files');
    mkdirSync(join(clone, '.git'), { recursive: true });
    writeFileSync(join(ground.root, 'secret'), 'secret');
    writeFileSync(join(clone, 'in.txt'), 'one\ntwo\nthree');
    symlinkSync(join(ground.root, 'secret'), join(clone, 'link'));
    symlinkSync(ground.root, join(clone, 'out'));
    const read = (path: string, more = {}): Step => ({
      do: 'ask',
      method: 'fs/read_text_file',
      params: { path, ...more },
    });
    const write = (path: string): Step => ({
      do: 'ask',
      method: 'fs/write_text_file',
      params: { path, content: 'new' },
    });
    const { prompt, said } = await open({
      clone,
      script: {
        steps: [
          read(join(clone, 'in.txt'), { line: 2, limit: 1 }),
          read(join(clone, 'link')),
          read(join(clone, 'out', 'secret')),
          read(join(clone, '..', '..', 'secret')),
          read('/etc/passwd'),
          read(join(clone, 'none')),
          write(join(clone, 'deep', 'new.txt')),
          write(join(clone, 'link')),
          write(join(clone, 'out', 'planted')),
          write(join(clone, '.git', 'config')),
          { do: 'ask', method: 'elicitation/create', params: { message: 'Who are you?', mode: 'form' } },
        ],
      },
    });
    await prompt();
    const texts = said();
    expect(texts[0]).toBe('{"content":"two"}');
    expect(texts[6]).toBe('{}');
    expect(readFileSync(join(clone, 'deep', 'new.txt'), 'utf8')).toBe('new');
    expect(texts.filter((text) => text.startsWith('error -3'))).toHaveLength(9);
    expect(texts[10]).toContain('error -32601');
    expect(readFileSync(join(ground.root, 'secret'), 'utf8')).toBe('secret');
    expect(existsSync(join(ground.root, 'planted'))).toBe(false);
    expect(existsSync(join(clone, '.git', 'config'))).toBe(false);
  });

  test('a role that only reads writes no file through us', async () => {
    const { clone, prompt, said } = await open({
      writes: false,
      script: {
        steps: [
          { do: 'ask', method: 'fs/write_text_file', params: { path: 'a.txt', content: 'x' } },
          { do: 'permit', kind: 'edit', path: 'a.txt' },
        ],
      },
    });
    await prompt();
    expect(said()).toEqual([expect.stringContaining('error -32602'), 'rejected by no']);
    expect(existsSync(join(clone, 'a.txt'))).toBe(false);
  });

  test('its terminals are commands of ours: bounded, killed, released', async () => {
    const { prompt, said } = await open({
      script: {
        steps: [
          { do: 'terminal', command: 'npm', args: ['run', 'a b'] },
          { do: 'terminal', command: 'sleep 9', kill: true },
          { do: 'ask', method: 'terminal/output', params: { terminalId: 'terminal-1' } },
        ],
      },
    });
    await prompt();
    const [ran, killed, gone] = said();
    const shown = JSON.parse(ran ?? '') as { readonly output: string };
    expect(shown).toMatchObject({ exitCode: 0, truncated: true });
    expect(Buffer.byteLength(shown.output)).toBe(1_000);
    expect(JSON.parse(killed ?? '')).toMatchObject({ exitCode: null, signal: 'aborted' });
    expect(gone).toContain('error -32002');
  });

  test('it is told how to behave once, its mode and model are set where it has them', async () => {
    const { agent, prompt, said } = await open({
      system: 'SYSTEM',
      mode: 'ask',
      model: 'model-b',
      script: {
        modes: ['auto', 'ask'],
        models: ['model-a', 'model-b'],
        stop: 'max_tokens',
        steps: [{ do: 'recall' }],
      },
    });
    expect(agent.conversation).toBeNull();
    expect((await prompt()).reason).toBe('max_tokens');
    expect((await prompt('again')).reason).toBe('max_tokens');
    const given = { mode: 'ask', model: 'model-b', servers: ['autonomous'] };
    expect(said().map((text) => JSON.parse(text))).toEqual([
      { prompts: ['SYSTEM\n\nDo it.'], ...given },
      { prompts: ['SYSTEM\n\nDo it.', 'again'], ...given },
    ]);
  });

  test('a conversation is taken up again, without what was said before', async () => {
    const clone = join(ground.root, 'jobs', 'resumed');
    const script = { resumes: true, steps: [{ do: 'say', text: 'here' }] } as const;
    const first = await open({ clone, script });
    await first.agent.close();
    const { conversation } = first.agent;
    expect(conversation).not.toBeNull();
    const second = await open({ clone, script, resume: conversation ?? '' });
    expect(second.agent.facts.resumed).toBe(true);
    expect(second.agent.conversation).toBe(conversation);
    await second.prompt();
    expect(second.said()).toEqual(['here']);
    await second.agent.close();
    const third = await open({ clone, script, resume: 'forgotten' });
    expect(third.agent.facts.resumed).toBe(false);
  });
});

describe.concurrent('a faulty agent', () => {
  test('one that is cancelled ends its turn; one that does not hear it is ended', async () => {
    for (const deaf of [false, true]) {
      const { agent, prompt, told } = await open({
        script: { deaf, steps: [{ do: 'say', text: 'waiting' }, { do: 'hang' }] },
        options: times({ grace: deaf ? 100 : 60_000 }),
      });
      const stop = new AbortController();
      const turn = prompt('Do it.', stop.signal);
      expect(await inTheEnd(() => told.length > 0)).toBe(true);
      stop.abort();
      expect(await turn).toMatchObject({ reason: 'cancelled', text: 'waiting' });
      if (deaf) await expect(prompt()).rejects.toMatchObject({ code: 'AGENT_DIED' });
      await agent.close();
    }
  });

  test.for([
    [
      'dies in mid-turn, with its last complaint',
      { do: 'crash', complaint: '\u001b[31mout of luck\n' },
      { code: 'AGENT_DIED', message: expect.stringMatching(/exit code 1.*: out of luck$/) },
    ],
    ['is killed', { do: 'crash', signal: 'SIGKILL' }, { code: 'AGENT_DIED' }],
    ['floods', { do: 'flood' }, { code: 'AGENT_FLOOD' }],
    ['asks too much at once', { do: 'pester', times: 2_000 }, { code: 'AGENT_FLOOD' }],
    ['sends a line without end', { do: 'long line', bytes: 17_000_000 }, { code: 'AGENT_FLOOD' }],
    ['speaks something else from here on', { do: 'garbage', lines: 10_001 }, { code: 'AGENT_UNUSABLE' }],
    [
      'says in its end that it is not signed in',
      { do: 'crash', complaint: 'Please sign in.' },
      { code: 'AGENT_LOGIN' },
    ],
  ] as const)('one that %s', async ([, step, expected]) => {
    const maxBytes = step.do === 'long line' ? 40_000_000 : 4_000_000;
    const { prompt } = await open({
      maxBytes,
      script: { steps: [{ do: 'say', text: 'I begin.' }, step, { do: 'hang' }] },
    });
    await expect(prompt()).rejects.toMatchObject(expected);
  });

  test('one that gives no sign is let go, unless it waits for us', async () => {
    let calling = true;
    const { prompt } = await open({
      script: { steps: [{ do: 'hang' }] },
      options: { ...times({ silence: 200 }), calling: () => calling },
    });
    const turn = prompt().catch((thrown: unknown) => thrown);
    expect(await Promise.race([turn, systemClock().sleep(600)])).toBeUndefined();
    calling = false;
    expect(await turn).toMatchObject({ code: 'AGENT_SILENT' });
  });

  test.for([
    [{ protocol: 99 }, 'AGENT_VERSION', 'version 99'],
    [{ start: 'login' }, 'AGENT_LOGIN', 'not signed in'],
    [{ start: 'garbage' }, 'AGENT_UNUSABLE', 'Welcome to the scripted agent!'],
    [{ start: 'exit' }, 'AGENT_UNUSABLE', 'it cannot start here'],
    [{ start: 'silent' }, 'AGENT_SILENT', 'no sign'],
  ] as const)('one that begins with %o', async ([script, code, words]) => {
    const opening = open({
      script,
      options: times({ answer: 'start' in script && script.start === 'silent' ? 1_000 : 60_000 }),
    });
    await expect(opening).rejects.toMatchObject({ code, message: expect.stringContaining(words) });
  });

  test('what it left running is gone with it', async () => {
    const name = `left-${process.pid}-behind`;
    const { agent, prompt } = await open({ script: { steps: [{ do: 'background', name }] } });
    await prompt();
    expect(await inTheEnd(() => processesWith(name).length > 0)).toBe(true);
    await agent.close();
    expect(processesWith(name)).toEqual([]);
  });
});
