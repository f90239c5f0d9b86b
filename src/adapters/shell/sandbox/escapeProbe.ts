/**
 * Probes the sandbox by escape attempts. The same program runs twice: free, where each escape must succeed, or the
 * probe proves nothing; then confined, where each must fail. Only the observed effects outside count, not the program's
 * report.
 */

import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shellQuote } from '../../../core/text/shellQuote.ts';
import type { Clock } from '../../../shared/clock.ts';
import type { Diagnostic } from '../../../shared/diagnostic.ts';
import { messageOf } from '../../../shared/errors.ts';
import { rmSync } from '../../platform/heldFiles.ts';
import type { Environment } from '../../platform/platform.ts';
import { bad, good } from '../diagnostic.ts';
import { inheritedEnvironment } from '../environment.ts';
import { type Outcome, supervise } from '../process/supervise.ts';
import { removeLeft, SOCKET } from './leftFolders.ts';
import { wrapInSandbox } from './sandboxRuntime.ts';
import type { SandboxTools } from './sandboxTools.ts';
import { fixForStart } from './sandboxTools.ts';

const PREFIX = 'autonomous-probe-';

/** Arguments: file to write inside, file to write outside, secret, TCP port, Unix socket. Prints one JSON object. */
const PROGRAM = `
const fs = require('fs'), net = require('net');
const [inside, outside, secret, port, socket] = process.argv.slice(1);
const attempt = (work) => { try { work(); return 'done'; } catch (error) { return String(error.code); } };
const connect = (where) => new Promise((resolve) => {
  const end = (what) => { resolve(what); client.destroy(); };
  const client = net.connect(where, () => client.end('x', () => end('done')));
  client.setTimeout(2000, () => end('timeout'));
  client.on('error', (error) => end(String(error.code)));
});
(async () => console.log(JSON.stringify({
  inside: attempt(() => {
    fs.writeFileSync(inside, 'x');
    if (fs.readFileSync(inside, 'utf8') !== 'x') throw { code: 'EMPTY' };
  }),
  outside: attempt(() => fs.writeFileSync(outside, 'x')),
  kernel: attempt(() => fs.closeSync(fs.openSync('/proc/sys/kernel/core_pattern', 'r+'))),
  secret: attempt(() => { if (fs.readFileSync(secret, 'utf8') !== 'secret') throw { code: 'EMPTY' }; }),
  tcp: await connect({ host: '127.0.0.1', port: Number(port) }),
  socket: await connect({ path: socket }),
})))();
`;

interface Ground {
  readonly inside: string;
  readonly outside: string;
  readonly secret: string;
  readonly socket: string;
  readonly tcp: Server;
  readonly unix: Server;
  /** Shows other probes that this one lives: their requests to it must not look like an escape. */
  readonly alive: Server;
}

interface Seen {
  readonly report: Readonly<Record<string, unknown>> | null;
  readonly inside: boolean;
  readonly outside: boolean;
  readonly tcp: number;
  readonly unix: number;
  readonly outcome: Outcome;
}

function listen(
  server: Server,
  where: { readonly port: number; readonly host: string } | { readonly path: string },
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(where, () => resolve());
  });
}

async function layGround(folder: string): Promise<Ground> {
  const [tcp, unix] = [createServer(), createServer()];
  const alive = createServer((caller) => caller.destroy());
  const socket = join(folder, 'target');
  await listen(alive, { path: join(folder, SOCKET) });
  await listen(unix, { path: socket });
  await listen(tcp, { port: 0, host: '127.0.0.1' });
  // As a work tree is in the home of the user, which is denied.
  for (const name of ['outside', 'denied', 'denied/inside']) mkdirSync(join(folder, name));
  const secret = join(folder, 'denied', 'secret');
  writeFileSync(secret, 'secret');
  return {
    inside: join(folder, 'denied', 'inside', 'file'),
    outside: join(folder, 'outside', 'file'),
    secret,
    socket,
    tcp,
    unix,
    alive,
  };
}

function parseReport(output: string): Seen['report'] {
  try {
    const value: unknown = JSON.parse(output);
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return null;
    throw thrown;
  }
}

/** Runs the program with `start` and returns its effects on the ground; restores the ground. */
async function observe(ground: Ground, start: (command: string) => Promise<Outcome>): Promise<Seen> {
  const count = { tcp: 0, unix: 0 };
  ground.tcp.removeAllListeners('connection').on('connection', (socket) => {
    count.tcp++;
    socket.on('error', () => socket.destroy()).resume();
  });
  ground.unix.removeAllListeners('connection').on('connection', (socket) => {
    count.unix++;
    socket.on('error', () => socket.destroy()).resume();
  });
  const address = ground.tcp.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const args = [ground.inside, ground.outside, ground.secret, String(port), ground.socket];
  const outcome = await start(
    ['exec', process.execPath, '-e', PROGRAM, ...args]
      .map((word, at) => (at === 0 ? word : shellQuote(word)))
      .join(' '),
  );
  const wrote = (file: string) => existsSync(file) && readFileSync(file, 'utf8') === 'x';
  const seen = {
    report: parseReport(outcome.output),
    inside: wrote(ground.inside),
    outside: wrote(ground.outside),
    ...count,
    outcome,
  };
  for (const file of [ground.inside, ground.outside]) rmSync(file, { force: true });
  return seen;
}

function judge(free: Seen, confined: Seen, environment: Environment): Diagnostic[] {
  if (
    free.report === null ||
    !free.inside ||
    !free.outside ||
    free.tcp === 0 ||
    free.unix === 0 ||
    free.report['secret'] !== 'done'
  ) {
    return [
      bad(
        'sandbox-control',
        `the probe itself does not work here: ${free.outcome.output.slice(-300)}`,
        'report this; commands need approval',
      ),
    ];
  }
  const report = confined.report;
  if (report === null) {
    const said =
      confined.outcome.output.trim().slice(-300) ||
      `it ended with ${confined.outcome.ended ?? confined.outcome.exitCode}`;
    return [bad('sandbox-start', `the sandbox does not start: ${said}`, fixForStart(said, environment))];
  }
  const held = (name: string, holds: boolean, what: string, key: string): Diagnostic =>
    holds && report[key] !== 'done'
      ? good(name, `${what} fails with ${String(report[key])}`)
      : bad(name, `${what} works`, 'this machine gives no safe sandbox; commands need approval');
  const inside = confined.inside && report['inside'] === 'done';
  return [
    inside
      ? good('sandbox-write-inside', 'writing and reading in the work tree works')
      : bad(
          'sandbox-write-inside',
          `writing or reading in the work tree fails with ${String(report['inside'])}`,
          fixForStart('', environment),
        ),
    held('sandbox-write-outside', !confined.outside, 'writing outside the work tree', 'outside'),
    held('sandbox-kernel', true, 'opening a kernel switch for writing', 'kernel'),
    held('sandbox-secret', true, 'reading a secret', 'secret'),
    held('sandbox-network', confined.tcp === 0, 'connecting to a local port', 'tcp'),
    held('sandbox-socket', confined.unix === 0, 'connecting to a local socket', 'socket'),
  ];
}

export interface ProbeOptions {
  readonly tools: SandboxTools;
  readonly environment: Environment;
  readonly denyRead: readonly string[];
  readonly allowRead: readonly string[];
  readonly clock: Clock;
}

/** One finding per escape, or one with the reason why the probe could not run. About 150 ms. */
export async function probeEscapes(options: ProbeOptions): Promise<Diagnostic[]> {
  await removeLeft(tmpdir(), PREFIX, options.clock);
  const folder = mkdtempSync(join(tmpdir(), PREFIX));
  const signal = new AbortController().signal;
  const launch = (argv: readonly string[]): Promise<Outcome> =>
    supervise(
      {
        file: argv[0] ?? '',
        args: argv.slice(1),
        cwd: folder,
        env: { ...inheritedEnvironment(options.environment), ELECTRON_RUN_AS_NODE: '1' },
        marker: null,
        timeoutMs: 60_000,
        maxOutputBytes: 65_536,
        floodBytes: 1 << 20,
        maxProcesses: 64,
        signal,
      },
      options.clock,
    );
  let ground: Ground | null = null;
  try {
    ground = await layGround(folder);
    const free = await observe(ground, (command) => launch(['/bin/sh', '-c', command]));
    const denied = join(folder, 'denied');
    const policy = {
      writable: [join(denied, 'inside')],
      readable: options.allowRead,
      denyRead: [...options.denyRead, denied],
      hosts: [],
      run: folder,
    };
    const confined = await observe(ground, async (command) => {
      const wrapped = await wrapInSandbox(options.tools, policy, command, signal);
      return launch(wrapped.argv).finally(wrapped.release);
    });
    return judge(free, confined, options.environment);
  } catch (thrown) {
    const said = messageOf(thrown);
    return [bad('sandbox-start', `the sandbox does not start: ${said}`, fixForStart(said, options.environment))];
  } finally {
    ground?.tcp.close();
    ground?.unix.close();
    ground?.alive.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
