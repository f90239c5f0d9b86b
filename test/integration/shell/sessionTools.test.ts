/** What an agent has of us inside of its process: the script's verbs, and the same as an MCP server, asked by the protocol's own client. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Client, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/adapters/clock.ts';
import { openSessionMcp } from '../../../src/adapters/mcp/sessionMcp.ts';
import { openPlace } from '../../../src/app/worker/sessionDirectory.ts';
import type { OurTool } from '../../../src/engine/agent/ports.ts';
import type { InteractiveProcess } from '../../../src/engine/session/commandPorts.ts';
import type { SessionDirectory } from '../../../src/engine/session/sessionDirectory.ts';
import { type ShellGround, shellGround } from '../../support/shell/shell.ts';

let ground: ShellGround;
let place: SessionDirectory;
let entered: Awaited<ReturnType<SessionDirectory['enter']>>;
let asked: { readonly name: string; readonly input: unknown }[] = [];
let letGo: () => void = () => undefined;

function tool(name: string, description: string): OurTool {
  return {
    name,
    description,
    inputSchema: { type: 'object', properties: { summary: { type: 'string' } } },
    call: async (input) => {
      asked.push({ name, input });
      const { summary } = input as { readonly summary?: unknown };
      if (summary === 'throw') throw new Error('the desk is closed');
      if (summary === 'wait') await new Promise<void>((resolve) => (letGo = resolve));
      return { ok: summary !== 'no', text: `taken: ${String(summary).slice(0, 40)}` };
    },
  };
}

beforeEach(async () => {
  ground = shellGround();
  asked = [];
  place = openPlace({
    clock: systemClock(),
    workdir: ground.clone,
    jobDir: join(ground.root, 'jobs', 'a'),
    sessionId: 7,
    verbs: async (argv) => ({ exitCode: 0, stdout: `verb ${argv.join(' ')}\n`, stderr: '' }),
    tools: [tool('note', 'Keeps a note.'), tool('report', 'Ends your work.\nOnce.'), tool('submit_plan', 'A plan.')],
  });
  entered = await place.enter();
});
afterEach(async () => {
  letGo();
  await place.close();
  await ground.close();
});

const script = (): string => join(entered.bin, 'autonomous');

/** Runs the script with words and an input, without a sandbox. */
function run(words: readonly string[], input = ''): Promise<{ code: number | null; out: string; err: string }> {
  return new Promise((resolve) => {
    const child = spawn(script(), words, { stdio: ['pipe', 'pipe', 'pipe'] });
    let [out, err] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (out += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (err += chunk));
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    child.on('close', (code) => resolve({ code, out, err }));
  });
}

/** Over a program that talks. */
function talkTransport(talk: InteractiveProcess): Transport {
  const writer = talk.input.getWriter();
  const transport: Transport = {
    async start() {
      const decoder = new TextDecoder();
      const listen = async (): Promise<void> => {
        let text = '';
        for await (const chunk of talk.output) {
          const lines = (text + decoder.decode(chunk, { stream: true })).split('\n');
          text = lines.pop() ?? '';
          for (const line of lines) transport.onmessage?.(JSON.parse(line) as JSONRPCMessage);
        }
        transport.onclose?.();
      };
      void listen();
    },
    send: (message) => writer.write(new TextEncoder().encode(`${JSON.stringify(message)}\n`)),
    close: () => writer.close(),
  };
  return transport;
}

async function uses(client: Client, transport: Transport): Promise<void> {
  await client.connect(transport);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['note', 'report', 'submit_plan']);
  const text = `größe 😀 \u0081\u2028 \\n "quoted" $HOME \`id\` ${'x'.repeat(200_000)}`;
  const taken = await client.callTool({ name: 'submit_plan', arguments: { summary: text } });
  expect(taken).toMatchObject({ isError: false, content: [{ type: 'text', text: `taken: ${text.slice(0, 40)}` }] });
  expect(asked).toEqual([{ name: 'submit_plan', input: { summary: text } }]);
  const refused = await client.callTool({ name: 'report', arguments: { summary: 'no' } });
  expect(refused).toMatchObject({ isError: true, content: [{ type: 'text', text: 'taken: no' }] });
  const broken = await client.callTool({ name: 'report', arguments: { summary: 'throw' } });
  expect(broken).toMatchObject({ isError: true, content: [{ type: 'text', text: 'the desk is closed' }] });
}

describe('the tools over MCP', () => {
  it('serve the client of the protocol outside of a sandbox, two at once', async () => {
    const clients = [new Client({ name: 'one', version: '1' }), new Client({ name: 'two', version: '1' })];
    const [one, two] = clients;
    await uses(one!, new StdioClientTransport({ command: script(), args: ['mcp'] }));
    await two!.connect(new StdioClientTransport({ command: script(), args: ['mcp'] }));
    const both = await Promise.all(
      clients.map((client, at) => client.callTool({ name: 'note', arguments: { summary: `from ${at}` } })),
    );
    expect(both.map(({ content }) => content)).toEqual([
      [{ type: 'text', text: 'taken: from 0' }],
      [{ type: 'text', text: 'taken: from 1' }],
    ]);
    await Promise.all(clients.map((client) => client.close()));
  });

  it('serve it inside', async ({ skip }) => {
    skip((await ground.runner.sandbox()).mode !== 'sandboxed', 'no sandbox on this machine');
    const talk = await ground.runner.converse({
      argv: ['autonomous', 'mcp'],
      cwd: ground.clone,
      writable: [ground.clone, ...entered.writable],
      readable: entered.readable,
      env: entered.env,
      files: [],
      localPort: null,
      hosts: [],
      maxBytes: 8 * 1024 * 1024,
      allowed: [],
      approved: false,
      signal: new AbortController().signal,
    });
    if (!('output' in talk)) throw new Error(talk.why);
    const client = new Client({ name: 'inside', version: '1' });
    await uses(client, talkTransport(talk));
    await client.close();
    expect(await talk.ended).toEqual({ exitCode: 0, ended: null });
    await talk.end();
    expect(talk.complaints()).toBe('');
  });

  it('answer garbage and what is too long as errors of the protocol, and go on', async () => {
    const call = (id: unknown, summary: string): string =>
      JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'note', arguments: { summary } } });
    const lines = [
      'garbage',
      '[]',
      '{"jsonrpc":"1.0","id":1,"method":"tools/list"}',
      '{"jsonrpc":"2.0","id":{},"method":"tools/list"}',
      '',
      '{"jsonrpc":"2.0","method":"notifications/initialized"}',
      '{"jsonrpc":"2.0","id":9,"result":{}}',
      call(2, 'x'.repeat(1 << 20)),
      '{"jsonrpc":"2.0","id":"three","method":"no/such"}',
      '{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"rm","arguments":{}}}',
      call(5, 'fine\u0000'),
    ];
    const { code, out } = await run(['mcp'], lines.join('\n'));
    expect(code).toBe(0);
    const replies = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: unknown; error?: { code: number } });
    expect(replies.map(({ id, error }) => [id, error?.code ?? 'fine'])).toEqual([
      [null, -32_700],
      [null, -32_600],
      [1, -32_600],
      [null, -32_600],
      [2, -32_600],
      ['three', -32_601],
      [4, 'fine'],
      [5, 'fine'],
    ]);
    expect(asked).toEqual([{ name: 'note', input: { summary: 'fine\u0000' } }]);
  });

  it('let go of connections that never end, and of what waits when the session closes', async () => {
    const mcp = openSessionMcp({ clock: systemClock(), tools: [tool('note', '')], patienceMs: 30_000 });
    const call = (id: number, summary: string): string =>
      JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'note', arguments: { summary } } });
    const first = mcp.hear('first', call(1, 'wait'));
    await expect.poll(() => asked.length).toBe(1);
    expect(JSON.parse(await mcp.hear('first', call(1, 'x')))).toMatchObject({ error: { code: -32_600 } });
    for (let at = 0; at < 8; at++) expect(await mcp.hear(`silent${at}`, call(1, 'x'))).toContain('taken: x');
    expect(JSON.parse(await first)).toMatchObject({ id: 1, error: { message: 'the session has ended' } });
    letGo();
    expect(await mcp.hear('first', call(2, 'y'))).toContain('taken: y');
    const last = mcp.hear('first', call(3, 'wait'));
    await mcp.close();
    expect(JSON.parse(await last)).toMatchObject({ id: 3, error: { message: 'the session has ended' } });
    expect(JSON.parse(await mcp.hear('first', call(4, 'z')))).toMatchObject({ id: 4, error: {} });
    letGo();
    const script = run(['report', 'done', 'wait']);
    await expect.poll(() => asked.at(-1)).toMatchObject({ input: { outcome: 'done', summary: 'wait' } });
    const closed = place.close();
    letGo();
    await closed;
    expect(existsSync(entered.bin)).toBe(false);
    expect((await script).code).toBeOneOf([0, 75]);
  });
});

describe('the tools as verbs', () => {
  it('take JSON as a word or on stdin, and the report in plain words', async () => {
    expect(await run(['submit_plan', '{"summary":"a plan"}'])).toEqual({ code: 0, out: 'taken: a plan\n', err: '' });
    const long = JSON.stringify({ summary: `it's\n${'x'.repeat(300_000)}` });
    expect(await run(['submit_plan', '-'], `${long}\n`)).toMatchObject({ code: 0 });
    expect(asked.at(-1)?.input).toEqual(JSON.parse(long));
    expect(await run(['report', 'done', 'it works'])).toMatchObject({ code: 0, out: 'taken: it works\n' });
    expect(await run(['report', 'stuck', 'no', 'which one?'])).toEqual({ code: 1, out: '', err: 'taken: no\n' });
    expect(await run(['report', 'done', 'none', 'it holds'])).toMatchObject({ code: 0 });
    expect(asked.slice(2).map(({ input }) => input)).toEqual([
      { outcome: 'done', summary: 'it works' },
      { outcome: 'stuck', summary: 'no', question: 'which one?' },
      { outcome: 'done', summary: 'none', no_change_reason: 'it holds' },
    ]);
    expect(await run(['note', '5', 'text'])).toMatchObject({ out: 'verb note 5 text\n' });
    expect(await run(['note', '{"summary":"by tool"}'])).toMatchObject({ out: 'taken: by tool\n' });
    expect(await run(['report', 'done', 'throw'])).toEqual({
      code: 1,
      out: '',
      err: 'autonomous: the desk is closed\n',
    });
  });

  it('say what is wrong, and what there is', async () => {
    const before = asked.length;
    expect(await run(['submit_plan', '{"summary":'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('JSON object'),
    });
    for (const words of [
      ['submit_plan'],
      ['submit_plan', 'text'],
      ['report'],
      ['report', 'finished', 'x'],
      ['merge'],
    ]) {
      const { code, out, err } = await run(words);
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).toContain(words[0]);
    }
    expect(await run(['submit_plan', '-'], `{"summary":"${'x'.repeat(1 << 20)}"}`)).toMatchObject({ code: 2 });
    expect(asked).toHaveLength(before);
    const { code, out } = await run([]);
    expect(code).toBe(0);
    expect(out).toContain('autonomous report stuck|blocked "summary" ["question"]');
    expect(out).toContain("autonomous submit_plan '{…}'    A plan.");
    expect((await run(['help'])).out).toBe(out);
    expect((await run(['help', 'report'])).out).toContain('"properties"');
  });
});
