/** Agents without a protocol: what their one command a turn says, and what its end means. */
import { describe, expect, test } from 'vitest';
import { openAgentCommand } from '../../../../src/adapters/agentCommand/openAgentCommand.ts';
import type { AgentUpdate, RunningAgent } from '../../../../src/engine/agent/ports.ts';
import type { InteractiveProcess } from '../../../../src/engine/session/commandPorts.ts';
import { type AgentEntry, agentEntrySchema } from '../../../../src/shared/agent/executorSchemas.ts';
import { FakeClock } from '../../../support/time/fakeClock.ts';

interface Played {
  readonly stdout?: string;
  readonly stderr?: string;
  readonly exitCode?: number | null;
  /** It says this, and stays. */
  readonly stays?: boolean;
}

interface World {
  readonly agent: RunningAgent;
  readonly clock: FakeClock;
  readonly told: AgentUpdate[];
  /** Of each turn. */
  readonly argv: (readonly string[])[];
  readonly stdin: string[];
  readonly files: string[];
  /** Processes that were not put away. */
  left(): number;
}

function world(entry: Partial<AgentEntry>, plays: readonly Played[]): World {
  const clock = new FakeClock();
  const told: AgentUpdate[] = [];
  const [argv, stdin, files]: [(readonly string[])[], string[], string[]] = [[], [], []];
  let left = 0;
  const agent = openAgentCommand({
    clock,
    name: 'one',
    entry: agentEntrySchema.parse({
      title: 'One',
      speaks: 'command',
      argv: ['one', '-p', '{prompt}', '--model={model}'],
      models: 'messages',
      install: 'install one',
      url: 'https://example.org/one',
      loginHint: 'run one login',
      ...entry,
    }),
    order: { system: 'SYSTEM', heard: (update) => told.push(update) },
    values: { model: 'm {prompt}' },
    calling: () => false,
    promptFile: async (text) => {
      files.push(text);
      return '/prompt.md';
    },
    start: async (words) => {
      argv.push(words);
      left++;
      return talking(plays[argv.length - 1] ?? {}, stdin, () => left--);
    },
    silenceMs: 60_000,
  });
  return { agent, clock, told, argv, stdin, files, left: () => left };
}

/** Bytes come one by one: no line and no character arrives whole. */
function talking(played: Played, stdin: string[], gone: () => void): InteractiveProcess {
  const { promise: ended, resolve } = Promise.withResolvers<Awaited<InteractiveProcess['ended']>>();
  let text = '';
  let controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  let over = false;
  const finish = (end: Awaited<InteractiveProcess['ended']>): void => {
    if (over) return;
    over = true;
    controller?.close();
    resolve(end);
    gone();
  };
  return {
    sandboxed: true,
    home: '/home',
    input: new WritableStream({
      write: (bytes) => {
        text += new TextDecoder().decode(bytes);
      },
      close: () => {
        stdin.push(text);
      },
    }),
    output: new ReadableStream<Uint8Array>({
      start(made) {
        controller = made;
        for (const byte of Buffer.from(played.stdout ?? '')) made.enqueue(Uint8Array.of(byte));
        if (played.stays !== true)
          finish({ exitCode: played.exitCode === undefined ? 0 : played.exitCode, ended: null });
      },
    }),
    complaints: () => played.stderr ?? '',
    ended,
    end: async () => finish({ exitCode: null, ended: 'aborted' }),
  };
}

const never = new AbortController().signal;
const lines = (...all: object[]): string => `${all.map((line) => JSON.stringify(line)).join('\n')}\n`;

describe('what it says', () => {
  test('Claude Code, line by line', async () => {
    const { agent, told } = world({ output: 'jsonl', field: 'result' }, [
      {
        stdout: `Warning: no lines of JSON\n${lines(
          { type: 'system', subtype: 'init', tools: ['Bash'] },
          {
            type: 'assistant',
            message: {
              id: 'm1',
              content: [
                { type: 'thinking', thinking: 'hm' },
                { type: 'text', text: 'Ich prüfe.' },
              ],
            },
          },
          {
            type: 'assistant',
            message: { id: 'm1', content: [{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'ls' } }] },
          },
          {
            type: 'user',
            message: {
              content: [
                { type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: 'a.ts' }], is_error: false },
              ],
            },
          },
          { type: 'assistant', message: { id: 'm2', content: [{ type: 'text', text: 'Done.' }] } },
          {
            type: 'result',
            result: 'Done.',
            total_cost_usd: 0.0044,
            usage: {
              input_tokens: 2_000,
              output_tokens: 40,
              cache_read_input_tokens: 5,
              cache_creation_input_tokens: 30,
              cache_creation: { ephemeral_1h_input_tokens: 10, ephemeral_5m_input_tokens: 20 },
            },
          },
        ).trimEnd()}`,
      },
    ]);
    expect(await agent.prompt('Go.', never)).toEqual({
      reason: 'end',
      text: 'Done.',
      usage: { input: 2_000, output: 40, cacheRead: 5, cacheWrite5m: 20, cacheWrite1h: 10 },
      costMicroUsd: 4_400,
    });
    expect(told).toEqual([
      { kind: 'thought', text: 'hm' },
      { kind: 'text', message: 'm1', text: 'Ich prüfe.' },
      { kind: 'tool', id: 't1', title: 'Bash', input: { command: 'ls' }, status: 'running' },
      { kind: 'tool', id: 't1', status: 'completed', output: 'a.ts' },
      { kind: 'text', message: 'm2', text: 'Done.' },
    ]);
  });

  test('cline, line by line', async () => {
    const event = (more: object) => ({ ts: 'now', type: 'agent_event', event: more });
    const { agent, told } = world({ output: 'jsonl', field: 'text' }, [
      {
        stdout: lines(
          { type: 'hook_event', hookEventName: 'agent_start' },
          event({
            type: 'usage',
            inputTokens: 1,
            outputTokens: 2,
            totalInputTokens: 10,
            totalOutputTokens: 20,
            totalCost: 0.5,
          }),
          event({
            type: 'content_start',
            contentType: 'tool',
            toolName: 'run_commands',
            toolCallId: 't1',
            input: { commands: ['ls'] },
          }),
          event({
            type: 'content_end',
            contentType: 'tool',
            toolCallId: 't1',
            output: [{ query: 'ls', result: 'a', success: true }],
          }),
          event({ type: 'content_start', contentType: 'text', text: 'All' }),
          event({ type: 'content_end', contentType: 'text', text: 'All done.' }),
          {
            type: 'run_result',
            finishReason: 'completed',
            usage: { inputTokens: 11, outputTokens: 22, cacheReadTokens: 3, cacheWriteTokens: 4, totalCost: 0.6 },
            text: 'All done.',
          },
        ),
      },
    ]);
    expect(await agent.prompt('Go.', never)).toEqual({
      reason: 'end',
      text: 'All done.',
      usage: { input: 11, output: 22, cacheRead: 3, cacheWrite5m: 4, cacheWrite1h: 0 },
      costMicroUsd: 600_000,
    });
    const counted = { input: 10, output: 20, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };
    expect(told).toEqual([
      { kind: 'usage', usage: counted, costMicroUsd: 500_000 },
      { kind: 'tool', id: 't1', title: 'run_commands', input: { commands: ['ls'] }, status: 'running' },
      { kind: 'tool', id: 't1', status: 'completed', output: '[{"query":"ls","result":"a","success":true}]' },
      { kind: 'text', message: null, text: 'All done.' },
    ]);
  });

  test('plain text, and one JSON', async () => {
    const plain = world({}, [{ stdout: '  It is done.\n' }]);
    expect(await plain.agent.prompt('Go.', never)).toMatchObject({ reason: 'end', text: 'It is done.' });
    const json = world({ output: 'json', field: 'answer.text' }, [{ stdout: '{"answer":{"text":"Done"}}' }]);
    expect(await json.agent.prompt('Go.', never)).toMatchObject({ reason: 'end', text: 'Done' });
  });
});

describe('what it is given', () => {
  test('the prompt is one word, and the words before are told again', async () => {
    const { agent, argv, stdin, left } = world({}, [{ stdout: 'First words' }, { stdout: 'x' }]);
    await agent.prompt('$(rm -rf /) {token}', never);
    await agent.prompt('Go on.', never);
    expect(argv[0]).toEqual(['one', '-p', 'SYSTEM\n\n$(rm -rf /) {token}', '--model=m {prompt}']);
    expect(argv[1]?.[2]).toMatch(/^SYSTEM\n\n.*First words\n.*Go on\.$/s);
    expect(stdin).toEqual(['', '']);
    expect(left()).toBe(0);
  });

  test('a long prompt goes by a file, and on stdin where no word takes it', async () => {
    const long = world({}, [{}]);
    await long.agent.prompt('long '.repeat(25_000), never);
    expect(long.argv[0]?.[2]).toBe('Read the whole file /prompt.md and follow it.');
    expect(long.files[0]).toHaveLength('SYSTEM\n\n'.length + 125_000);
    const piped = world({ argv: ['one'] }, [{}]);
    await piped.agent.prompt('Go.', never);
    expect(piped.stdin).toEqual(['SYSTEM\n\nGo.']);
  });
});

describe('what its end means', () => {
  test.for([
    ['no known form', { output: 'json', field: 'a' }, { stdout: 'Hello' }, 'AGENT_UNUSABLE'],
    ['no line with its field', { output: 'jsonl', field: 'a' }, { stdout: lines({ b: 1 }) }, 'AGENT_UNUSABLE'],
    ['a wrong option', { output: 'jsonl', field: 'a' }, { exitCode: 2, stderr: 'no such option' }, 'AGENT_UNUSABLE'],
    ['a death in its work', {}, { stdout: 'I begin', exitCode: 1 }, 'AGENT_DIED'],
    ['a signal', {}, { exitCode: 137 }, 'AGENT_DIED'],
    ['a complaint that it is not signed in', {}, { exitCode: 1, stderr: 'Please RUN ONE LOGIN' }, 'AGENT_LOGIN'],
    ['an exit code for that', { exits: { 41: 'login' } }, { exitCode: 41 }, 'AGENT_LOGIN'],
  ] as const)('%s: %s', async ([, entry, played, code]) => {
    const { agent, left } = world(entry, [played]);
    await expect(agent.prompt('Go.', never)).rejects.toMatchObject({ code });
    expect(left()).toBe(0);
  });

  test('an exit code by which it says that it failed is an end like another', async () => {
    const { agent } = world({ exits: { 3: 'failed' } }, [{ stdout: 'I could not.', exitCode: 3 }]);
    expect(await agent.prompt('Go.', never)).toMatchObject({ reason: 'end', text: 'I could not.' });
  });

  test('one that is cancelled, and one that gives no sign, is ended', async () => {
    const { agent, clock, left } = world({}, [{ stays: true }, { stays: true }]);
    const stop = new AbortController();
    const turn = agent.prompt('Go.', stop.signal);
    stop.abort();
    expect(await turn).toMatchObject({ reason: 'cancelled' });
    const silent = agent.prompt('Go.', never).catch((thrown: unknown) => thrown);
    for (let at = 0; at < 5; at++) {
      await new Promise((done) => setImmediate(done));
      clock.advance(15_000);
    }
    expect(await silent).toMatchObject({ code: 'AGENT_SILENT' });
    expect(left()).toBe(0);
  });
});
