import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { removeSecretsIn } from '../../../src/adapters/shell/sandbox/privateFolders.ts';
import type {
  InteractiveProcess,
  InteractiveRequest,
  NotInteractive,
} from '../../../src/engine/session/commandPorts.ts';
import { inTheEnd, processesWith, type ShellGround, shellGround } from '../../support/shell/shell.ts';

const NODE = process.execPath;
let sandboxed: ShellGround;
let open: ShellGround;
let confined = false;
beforeAll(async () => {
  sandboxed = shellGround({ maxProcesses: 64 });
  open = shellGround({ maxProcesses: 64, confine: false });
  confined = (await sandboxed.runner.sandbox()).mode === 'sandboxed';
});
afterAll(async () => {
  await Promise.all([sandboxed.close(), open.close()]);
});

const nap = (): string => `${randomInt(1_000, 9_000)}.${randomInt(100_000, 999_999)}`;
const gone = (mark: string): Promise<boolean> => inTheEnd(() => processesWith(mark).length === 0);

function ask(ground: ShellGround, more: Partial<InteractiveRequest>): Promise<InteractiveProcess | NotInteractive> {
  return ground.runner.converse({
    argv: ['cat'],
    cwd: ground.clone,
    writable: [ground.clone],
    env: {},
    files: [],
    localPort: null,
    hosts: [],
    maxBytes: 8 * 1024 * 1024,
    allowed: [],
    approved: true,
    signal: new AbortController().signal,
    ...more,
  });
}

async function start(ground: ShellGround, more: Partial<InteractiveRequest>): Promise<InteractiveProcess> {
  const talk = await ask(ground, more);
  if (!('output' in talk)) throw new Error(`${talk.ended}: ${talk.why}`);
  return talk;
}

const sh = (script: string): InteractiveRequest['argv'] => ['sh', '-c', script];

async function allOf(talk: InteractiveProcess): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of talk.output) text += decoder.decode(chunk, { stream: true });
  return text;
}

async function listen(answer: string): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer((_request, response) => response.end(answer));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return { server, port: typeof address === 'object' && address !== null ? address.port : 0 };
}

const grounds = [
  { where: 'in the sandbox', ground: () => sandboxed },
  { where: 'without one', ground: () => open },
];

describe.each(grounds)('a program that talks, $where', ({ where, ground }) => {
  const skipped = (): boolean => where === 'in the sandbox' && !confined;

  it('hears and is heard, byte for byte, each pipe for itself, with a home of its own', async ({ skip }) => {
    skip(skipped(), 'no sandbox on this machine');
    const talk = await start(ground(), {
      argv: sh('echo "$ONE|$HOME" >&2; cat'),
      env: { ONE: "it's\nmine" },
    });
    const bytes = Uint8Array.from({ length: 300_000 }, (_, at) => (at * 7) % 256);
    const heard = new Response(talk.output).arrayBuffer();
    const writer = talk.input.getWriter();
    await writer.write(bytes);
    await writer.close();
    expect(new Uint8Array(await heard)).toEqual(bytes);
    expect(await talk.ended).toEqual({ exitCode: 0, ended: null });
    await talk.end();
    expect(talk.complaints()).toBe(`it's\nmine|${talk.home}\n`);
    expect(talk.sandboxed).toBe(where === 'in the sandbox');
    expect(talk.home).not.toBe(homedir());
  });

  it('waits with writing until it is read', async ({ skip }) => {
    skip(skipped(), 'no sandbox on this machine');
    const talk = await start(ground(), { argv: sh('head -c 4000000 /dev/zero; echo end >&2') });
    // A pipe's worth and what we hold: the rest stays with the writer, which cannot have come to its end.
    const reader = talk.output.getReader();
    await reader.read();
    expect(talk.complaints()).toBe('');
    let length = 0;
    for (let part = await reader.read(); !part.done; part = await reader.read()) length += part.value.length;
    expect(length).toBeGreaterThan(3_800_000);
    await talk.ended;
    expect(talk.complaints()).toBe('end\n');
    await talk.end();
  });

  it('leaves nothing behind, neither what left its session nor what dropped its environment', async ({ skip }) => {
    skip(skipped(), 'no sandbox on this machine');
    const mark = nap();
    const talk = await start(ground(), {
      argv: sh(
        `trap '' TERM HUP INT; setsid sleep ${mark} & setsid env -i sh -c 'sleep ${mark} & sleep ${mark}' & sleep ${mark}`,
      ),
    });
    expect(await inTheEnd(() => processesWith(`sleep\0${mark}`).length >= 4)).toBe(true);
    await talk.end();
    expect(processesWith(mark)).toEqual([]);
    expect(await talk.ended).toEqual({ exitCode: null, ended: 'aborted' });
    expect(await allOf(talk)).toBe('');
  });

  it('is ended when it floods, when it starts too much, and when it is aborted', async ({ skip }) => {
    skip(skipped(), 'no sandbox on this machine');
    const flood = await start(ground(), { argv: sh('head -c 100000000 /dev/zero >&2'), maxBytes: 1_000_000 });
    await flood.output.cancel();
    expect(await flood.ended).toEqual({ exitCode: null, ended: 'output' });
    expect(flood.complaints().length).toBeLessThanOrEqual(16_384);
    await flood.end();
    const mark = nap();
    const storm = await start(ground(), { argv: sh(`i=0; while :; do sleep ${mark} & i=$((i+1)); done`) });
    expect(await storm.ended).toMatchObject({ ended: 'processes' });
    await storm.end();
    const control = new AbortController();
    const long = await start(ground(), { argv: ['sleep', mark], signal: control.signal });
    control.abort();
    expect(await long.ended).toEqual({ exitCode: null, ended: 'aborted' });
    await long.end();
    expect(processesWith(mark)).toEqual([]);
    expect(await ask(ground(), { signal: control.signal })).toMatchObject({ ended: 'aborted' });
  });

  it('finds its files in its home, whatever was left there, and the secret ones go', async ({ skip }) => {
    skip(skipped(), 'no sandbox on this machine');
    const outsider = join(ground().root, 'outside');
    mkdirSync(outsider, { recursive: true });
    writeFileSync(join(outsider, 'token'), 'mine');
    const first = await start(ground(), { argv: ['true'] });
    await first.end();
    // As an agent could leave it: a link where we write a secret.
    rmSync(join(first.home, '.agent'), { recursive: true, force: true });
    symlinkSync(outsider, join(first.home, '.agent'));
    const files = [
      { path: '.agent/token', content: 'theirs', secret: true },
      { path: '.agent/settings.json', content: '{}', secret: false },
    ];
    const talk = await start(ground(), {
      files,
      argv: sh(
        `cat .agent/token "$HOME/.agent/token"; mkdir -p "$TMPDIR/shut/in"; chmod 0 "$TMPDIR/shut"; mv "$HOME/.agent" "$HOME/kept"; ln -s ${outsider} "$HOME/.agent"`,
      ),
    });
    expect(await allOf(talk)).toBe('theirs');
    await talk.end();
    expect(readFileSync(join(outsider, 'token'), 'utf8')).toBe('mine');
    const again = await start(ground(), { files, argv: sh('cat') });
    expect(statSync(join(again.home, '.agent', 'token')).mode & 0o777).toBe(0o600);
    expect(await ask(ground(), {})).toMatchObject({ ended: 'failed_to_start', why: expect.stringMatching(/at work/) });
    await again.end();
    expect(existsSync(join(again.home, '.agent', 'token'))).toBe(false);
    expect(existsSync(join(again.home, '.agent', 'settings.json'))).toBe(true);
    for (const path of ['../x', '/x', 'a/../../x', '']) {
      expect(await ask(ground(), { files: [{ path, content: '', secret: false }] })).toMatchObject({
        ended: 'failed_to_start',
      });
    }
  });

  it('dies with us', async ({ skip }) => {
    skip(skipped(), 'no sandbox on this machine');
    const mark = nap();
    const program = fileURLToPath(new URL('../../support/process/conversingProcess.ts', import.meta.url));
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'autonomous-dies-')));
    const child = spawn(NODE, [program, mark, folder, where === 'in the sandbox' ? 'confined' : 'open'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const home = await new Promise<string>((resolve) => child.stdout.once('data', (text) => resolve(`${text}`.trim())));
    const secret = join(home, '.agent', 'token');
    expect(readFileSync(secret, 'utf8')).toBe('secret');
    expect(await inTheEnd(() => processesWith(`sleep\0${mark}`).length >= 2)).toBe(true);
    child.kill('SIGKILL');
    expect(await gone(mark)).toBe(true);
    removeSecretsIn(join(folder, 'private'));
    expect(existsSync(secret)).toBe(false);
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  });
});

describe('in the sandbox, the one port of this machine', () => {
  /** Says what each of these addresses answers. */
  const visits = (...urls: string[]): InteractiveRequest['argv'] => [
    NODE,
    '--input-type=module',
    '-e',
    `const get = (url) => fetch(url, { signal: AbortSignal.timeout(60000) }).then((r) => r.text(), (e) => e.cause?.code ?? e.name);
     console.log(JSON.stringify(await Promise.all(${JSON.stringify(urls)}.map(get))));`,
  ];

  it('is reached under its own address, for each its own, and nothing else is', async ({ skip }) => {
    skip(!confined, 'no sandbox on this machine');
    const [one, two] = await Promise.all([listen('one'), listen('two')]);
    const urls = [one, two].map(({ port }) => `http://127.0.0.1:${port}/`);
    const clone = join(sandboxed.root, 'jobs', 'b');
    mkdirSync(clone, { recursive: true });
    const argv = visits(...urls, 'http://192.0.2.1/', 'http://example.invalid/');
    const first = await start(sandboxed, { argv, localPort: one.port });
    const second = await start(sandboxed, { argv, localPort: two.port, cwd: clone, writable: [clone] });
    const beside = await sandboxed.run(`curl -sS -m 60 ${urls[0]}; env | grep -ci proxy`);
    expect(beside.output).not.toContain('one');
    expect(beside.output).toMatch(/0\n$/);
    expect(JSON.parse(await allOf(first))).toEqual(['one', 'ECONNREFUSED', 'ENETUNREACH', 'EAI_AGAIN']);
    expect(JSON.parse(await allOf(second))).toEqual(['ECONNREFUSED', 'two', 'ENETUNREACH', 'EAI_AGAIN']);
    const none = await start(sandboxed, { argv: visits(urls[0] ?? ''), localPort: null, writable: [] });
    expect(JSON.parse(await allOf(none))).toEqual(['ECONNREFUSED']);
    await Promise.all([first.end(), second.end(), none.end()]);
    one.server.close();
    two.server.close();
  });

  it('gives each piece of an answer at once, and tells the server of a client that went', async ({ skip }) => {
    skip(!confined, 'no sandbox on this machine');
    let told = false;
    const server = createServer((_request, response) => {
      response.write('first');
      response.once('close', () => (told = true));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    // The answer never ends: what is printed came by itself.
    const script = `const r = await fetch('http://127.0.0.1:${port}/'); const { value } = await r.body.getReader().read();
      process.stdout.write(value); process.stdin.once('data', () => process.exit());`;
    const talk = await start(sandboxed, { argv: [NODE, '--input-type=module', '-e', script], localPort: port });
    const { value } = await talk.output.getReader().read();
    expect(new TextDecoder().decode(value)).toBe('first');
    expect(told).toBe(false);
    await talk.input.getWriter().write(new Uint8Array(1));
    expect(await inTheEnd(() => told)).toBe(true);
    await talk.end();
    server.close();
  });

  it('reaches hosts that are named, and what it may not write stays as it is', async ({ skip }) => {
    skip(!confined, 'no sandbox on this machine');
    const [host, other] = await Promise.all([listen('host'), listen('other')]);
    const fetches = [host, other].map(
      ({ port }) => `curl -s -m 60 -f --noproxy '' http://127.0.0.1:${port}/; echo "=$?"`,
    );
    const talk = await start(sandboxed, {
      argv: sh(`${fetches.join(';')}; touch made; touch "$HOME/made" && echo home`),
      hosts: [`127.0.0.1:${host.port}`],
      writable: [],
    });
    expect(await allOf(talk)).toMatch(/^host=0\n=\d+\nhome\n$/);
    expect(existsSync(join(sandboxed.clone, 'made'))).toBe(false);
    // What a worker's agent leaves in its home does not reach the reviewer's.
    expect(talk.home).toMatch(/-reader$/);
    await talk.end();
    host.server.close();
    other.server.close();
  });
});

describe('without a sandbox', () => {
  it('starts what is allowed word for word, or approved, and nothing that it could have written', async () => {
    const refused = { approved: false };
    expect(await ask(open, refused)).toMatchObject({ ended: 'refused' });
    expect(await ask(open, { ...refused, allowed: [['cat', 'more']] })).toMatchObject({ ended: 'refused' });
    const allowed = await start(open, { ...refused, allowed: [['cat']] });
    await allowed.end();
    writeFileSync(join(open.clone, 'tool'), '#!/bin/sh\ntouch taken\n', { mode: 0o755 });
    for (const name of ['tool', join(open.clone, 'tool'), 'no-such-program-here']) {
      const env = { PATH: `${open.clone}:/usr/bin:/bin` };
      expect(await ask(open, { argv: [name], env })).toMatchObject({ ended: 'failed_to_start' });
    }
    expect(existsSync(join(open.clone, 'taken'))).toBe(false);
  });
});
