/** A machine for probes to get out into: what may not be read, changed, heard or reached, and an eye on all of it. */
import { spawn, spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { CommandRunnerOptions, createCommandRunner } from '../../../src/adapters/shell/commandRunner.ts';
import { snapshotOf } from '../../support/git/snapshotOf.ts';
import { type ShellGround, shellGround } from '../../support/shell/shell.ts';

export const SECRET = 'sk-not-for-you-5f1c';
const SECRETS = ['.ssh/id_ed25519', '.npmrc', '.aws/credentials', '.config/gh/hosts.yml', '.netrc', '.gnupg/key'];
const KEPT = [
  'jobs/a/git/HEAD',
  'jobs/a/git/config',
  'jobs/a/git/secret',
  'jobs/b/tree/other',
  '.autonomous/events.jsonl',
  '.autonomous/secret',
  'outside/file',
  ...SECRETS.map((name) => `home/${name}`),
];
/** Where a test puts a link in place of a clone. */
export const SWAPPED = 'jobs/swapped';
/** Of an agent's session, and what the engine keeps for it. */
const SESSION = 'jobs/job-1';
/** What a job writes, and where its commands live, is no business of the eye. */
const OWN = new Set(['jobs/a/tree', 'private', SWAPPED, SESSION]);

/** In the environment of the engine. */
const TOLD = {
  ANTHROPIC_API_KEY: SECRET,
  GITHUB_TOKEN: SECRET,
  LD_AUDIT: SECRET,
  DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/user/1000/bus',
  VSCODE_IPC_HOOK_CLI: '/run/user/1000/vscode-ipc.sock',
};

/** Compiled once; null: there is no compiler here, or no Linux. */
export function compileEscapes(folder: string): string | null {
  if (process.platform !== 'linux') return null;
  const tool = join(folder, 'escape');
  const source = fileURLToPath(new URL('escape.c', import.meta.url));
  const built = spawnSync('cc', ['-w', '-o', tool, source, '-lutil', '-lrt'], { stdio: 'inherit' });
  return built.error === undefined && built.status === 0 ? tool : null;
}

/** For the tests of a file, of Linux alone: a folder of their own, and in it `escape`, as {@link compileEscapes} gives it. */
export function withEscapes(): { readonly folder: string; readonly tool: string | null } {
  const made = { folder: '', tool: null as string | null };
  beforeAll(() => {
    made.folder = mkdtempSync(join(tmpdir(), 'autonomous-escapes-'));
    made.tool = compileEscapes(made.folder);
  });
  afterAll(() => rmSync(made.folder, { recursive: true, force: true }));
  beforeEach(({ skip }) => skip(process.platform !== 'linux', 'these probes are of Linux'));
  return made;
}

/** Names, kinds, rights and contents of all that is no job's own. */
const looks = (root: string): string => JSON.stringify(snapshotOf(root, true, OWN));

/** Takes away all that is not a job's own, or what listens. */
function sweep(root: string): void {
  const kept = ['jobs', 'jobs/a', 's', ...OWN];
  for (const folder of ['jobs/a', 'jobs', '.'])
    for (const name of readdirSync(join(root, folder))) {
      const path = join(folder, name);
      if (!kept.includes(path)) rmSync(join(root, path), { recursive: true, force: true });
    }
}

export interface Ground extends Pick<ShellGround, 'root' | 'clone' | 'runner' | 'run' | 'start'> {
  readonly home: string;
  /** The clone of another job. */
  readonly other: string;
  /** Stands in the names of everything that a probe could leave elsewhere on this machine. */
  readonly mark: string;
  /** Of what the kernel shares by number. */
  readonly number: string;
  readonly ports: Readonly<Record<'tcp' | 'tcp6' | 'udp', number>>;
  readonly bystander: Pick<Bystander, 'pid' | 'at'>;
  /** Of `.autonomous/secret`, for whoever opens files without their names. */
  readonly handle: string;
  /** What a probe with this output got; everything is as before afterwards. */
  taken(output: string): Promise<string[]>;
  close(): Promise<void>;
}

const portOf = (server: { address(): string | AddressInfo | null }): number => {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
};

interface Callers {
  readonly ports: Ground['ports'];
  count(): number;
  close(): void;
}

/** Whoever connects to one of these, or sends to it, is counted. */
async function listen(root: string, mark: string): Promise<Callers> {
  let calls = 0;
  const servers = Array.from({ length: 4 }, () =>
    createServer((caller) => {
      calls++;
      caller.on('error', () => caller.destroy()).resume();
    }),
  );
  const [tcp, tcp6, named, abstract] = servers;
  const udp = createSocket('udp4', () => void calls++);
  const at = [
    { port: 0, host: '127.0.0.1' },
    { port: 0, host: '::1' },
    { path: join(root, 's') },
    { path: `\0${mark}` },
  ];
  for (const [index, server] of servers.entries()) {
    await new Promise<void>((resolve) => {
      // A machine without IPv6 has no port there to reach.
      server.once('error', () => resolve());
      server.listen(at[index], resolve);
    });
  }
  await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve));
  if (tcp === undefined || tcp6 === undefined || !named?.listening || !abstract?.listening) throw new Error('deaf');
  return {
    ports: { tcp: portOf(tcp), tcp6: portOf(tcp6), udp: portOf(udp) },
    count: () => calls,
    close: () => {
      for (const server of servers) server.close();
      udp.close();
    },
  };
}

/** Somebody else's process: its number, and where its memory holds the secret. */
interface Bystander {
  readonly pid: number;
  readonly at: string;
  alive(): boolean;
  end(): void;
}

/** Neither ended, nor told to: a killed process may take a while. */
function lives(pid: number): boolean {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const told = /^(Shd|Sig)Pnd:\s*0*[1-9a-f]/m;
  return /^State:\s*[^ZX]/m.test(status) && !told.test(status);
}

async function bystand(): Promise<Bystander> {
  const child = spawn('sleep', ['600'], { env: { SECRET }, stdio: 'ignore' });
  await new Promise((resolve) => child.once('spawn', resolve));
  const pid = child.pid ?? 0;
  return {
    pid,
    // Where its environment begins: the 50th field.
    at: readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')[49] ?? '0',
    alive: () => child.exitCode === null && child.signalCode === null && lives(pid),
    end: () => void child.kill('SIGKILL'),
  };
}

const named = (folder: string, mark: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.includes(mark))
    .map((name) => join(folder, name));

/** Things of the kernel that have no name in a folder. */
function shareInKernel(tool: string, number: string): () => void {
  if (tool === '') return () => undefined;
  spawnSync(tool, ['make-shared', number], { input: SECRET });
  spawnSync(tool, ['make-queue', `/q-${number}`]);
  return () => {
    spawnSync(tool, ['drop-shared', number]);
    spawnSync(tool, ['drop-queue', `/q-${number}`]);
  };
}

/** Where a probe finds `escape`, if there is one. */
export const pathOf = (tool: string | null): string =>
  `${tool === null ? '' : `${dirname(tool)}:`}${dirname(process.execPath)}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`;

/** `tool`: what `compileEscapes` gave. */
export async function layGround(
  tool: string | null,
  create?: typeof createCommandRunner,
  options: Partial<CommandRunnerOptions> = {},
): Promise<Ground> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'esc-')));
  const mark = `proof-${process.pid}-${root.slice(-6)}`;
  const home = join(root, 'home');
  const lay = (): void => {
    for (const file of KEPT) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), `${SECRET}\n`);
    }
  };
  lay();
  const bare = shellGround(
    {
      home,
      privateDir: join(root, 'private'),
      denyRead: [join(root, 'jobs'), join(root, '.autonomous')],
      environment: { ...process.env, ...TOLD, SSH_AUTH_SOCK: join(root, 's') },
      ...options,
    },
    create,
    root,
  );
  const number = String(process.pid * 64 + (Math.trunc(performance.now()) % 64));
  const forget = shareInKernel(tool ?? '', number);
  const callers = await listen(root, mark);
  let bystander = await bystand();
  const file = join(root, '.autonomous', 'secret');
  // For those who listen at a file that they may not read.
  const stir = setInterval(() => utimesSync(join(root, 'jobs', 'b', 'tree', 'other'), 1, 1), 40);
  const [name, before] = [hostname(), looks(root)];
  let heard = 0;
  return {
    root,
    clone: bare.clone,
    runner: bare.runner,
    run: (command, more = {}) => bare.run(command, { ...more, env: { PATH: pathOf(tool), ...more.env } }),
    start: bare.start,
    home,
    other: join(root, 'jobs', 'b', 'tree'),
    mark,
    number,
    ports: callers.ports,
    get bystander() {
      return bystander;
    },
    handle: tool === null ? '' : spawnSync(tool, ['handle-of', file], { encoding: 'utf8' }).stdout,
    async taken(output) {
      // What was begun in there is heard out here a turn later.
      for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
      const left = [...named('/tmp', mark), ...named('/dev/shm', mark)];
      const took = [
        ...(output.includes(SECRET) ? ['a secret'] : []),
        ...(/^GOT$/m.test(output) ? ['what it asked for'] : []),
        ...(callers.count() > heard ? ['a connection'] : []),
        ...(bystander.alive() ? [] : ['a life']),
        ...(looks(root) === before && left.length === 0 ? [] : ['a change']),
        ...(hostname() === name ? [] : ['the name of the machine']),
      ];
      heard = callers.count();
      for (const path of left) rmSync(path, { recursive: true, force: true });
      if (!bystander.alive()) bystander = await bystand();
      if (took.includes('a change')) {
        sweep(root);
        lay();
      }
      return took;
    },
    async close() {
      clearInterval(stir);
      callers.close();
      bystander.end();
      forget();
      await bare.close();
    },
  };
}
