import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventually, processesWith, type ShellGround, shellGround } from '../../support/shell.ts';

const SECRET = 'sk-not-for-you-5f1c';
const NODE = process.execPath;

let ground: ShellGround;
let confined = false;
let tcp: Server;
let unix: Server;
let connections = 0;
let bystander: ChildProcess;

function plant(file: string): void {
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, `${SECRET}\n`);
}

beforeAll(async () => {
  const environment = { ...process.env, ANTHROPIC_API_KEY: SECRET, GITHUB_TOKEN: SECRET, LD_AUDIT: SECRET };
  ground = shellGround({ environment });
  for (const name of [
    '.ssh/id_ed25519',
    '.npmrc',
    '.aws/credentials',
    '.config/gh/hosts.yml',
    '.netrc',
    '.git-credentials',
  ]) {
    plant(join(homedir(), name));
  }
  plant(join(ground.root, 'jobs', 'b', 'tree', 'other'));
  const count = (): void => void connections++;
  [tcp, unix] = [createServer(count), createServer(count)];
  await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
  await new Promise<void>((resolve) => unix.listen(join(ground.root, 's'), resolve));
  bystander = spawn('sleep', ['600'], { env: { SECRET }, stdio: 'ignore' });
  confined = (await ground.runner.sandbox()).mode === 'sandboxed';
});
afterAll(async () => {
  tcp.close();
  unix.close();
  bystander.kill('SIGKILL');
  await ground.close();
});
beforeEach(({ skip }) => skip(!confined, 'no sandbox on this machine'));

describe('a confined command', () => {
  it('runs under sh, in its folder, with its output in order', async () => {
    const result = await ground.run('echo one; echo two >&2; echo three; pwd; echo x > made; exit 7');
    expect(result).toMatchObject({
      exitCode: 7,
      ended: null,
      output: `one\ntwo\nthree\n${ground.clone}\n`,
      sandboxed: true,
    });
    expect(readFileSync(join(ground.clone, 'made'), 'utf8')).toBe('x\n');
  });

  it('gets its text as it is', async () => {
    const text = `it's "quoted" $HOME \`x\` ! \\ é\t*`;
    expect(await ground.run(`cat <<'END'\n${text}\nEND`)).toMatchObject({ exitCode: 0, output: `${text}\n` });
    const long = "printf '%s' 'it'\\''s' | wc -c #".padEnd(300_000, "'");
    expect(await ground.run(long)).toMatchObject({ exitCode: 0, output: expect.stringMatching(/^\s*4\n$/) });
    expect((await ground.run('if then')).exitCode).toBe(2);
    expect((await ground.run('kill -9 $$')).exitCode).toBe(137);
  });

  it('has an environment of its own, with nothing of ours', async () => {
    const { output } = await ground.run('env', { env: { EXTRA: "it's\nmine" } });
    const names = [...output.matchAll(/^([A-Za-z_]\w*)=/gm)]
      .map((match) => match[1])
      .filter((name) => !/^(LC_|LANG)/.test(name!));
    expect(names.sort()).toEqual(
      ['CI', 'EXTRA', 'HOME', 'NO_COLOR', 'OLDPWD', 'PATH', 'PWD', 'TERM', 'TMPDIR']
        .concat(process.env['TZ'] ? ['TZ'] : [])
        .sort(),
    );
    expect(output).toContain("EXTRA=it's\nmine\n");
    expect(output).not.toContain(homedir());
  });

  it('keeps its home for the next command of the same clone, and its temp folder for nobody', async () => {
    const { output } = await ground.run('echo kept > ~/cache; echo x > "$TMPDIR/x"; echo "$TMPDIR"');
    expect(await ground.run('cat ~/cache')).toMatchObject({ output: 'kept\n' });
    expect(existsSync(output.trim())).toBe(false);
    const other = join(ground.root, 'jobs', 'c');
    mkdirSync(other);
    expect((await ground.run('cat ~/cache', { cwd: other, writable: [other] })).exitCode).toBe(1);
  });

  it('leaves no placeholder in the folders that it may write', async () => {
    const before = readdirSync(ground.clone).sort();
    await ground.run('true');
    expect(readdirSync(ground.clone).sort()).toEqual(before);
  });

  it('does not let the environment of a command act on what builds the sandbox', async () => {
    const bin = join(ground.clone, 'bin');
    mkdirSync(bin);
    for (const name of ['bwrap', 'socat', 'sh', 'rg', 'which', 'env']) {
      writeFileSync(join(bin, name), `#!/bin/sh\ntouch ${ground.root}/taken\nexec /bin/${name} "$@"\n`);
      chmodSync(join(bin, name), 0o755);
    }
    const env = {
      PATH: `${bin}:/usr/bin:/bin`,
      ENV: join(bin, 'sh'),
      BASH_ENV: join(bin, 'sh'),
      LD_PRELOAD: join(bin, 'x.so'),
    };
    await ground.run('sh -c true', { env });
    expect(existsSync(join(ground.root, 'taken'))).toBe(false);
  });

  it('says that it could not start, and never starts anyhow', async () => {
    expect(await ground.run('true', { cwd: join(ground.root, 'nowhere') })).toMatchObject({
      ended: 'failed_to_start',
      exitCode: null,
    });
    expect(await ground.run('true', { env: { 'not a name': 'x' } })).toMatchObject({ ended: 'failed_to_start' });
  });

  it('dies with its engine', async () => {
    const mark = `8765.${process.pid}`;
    const script = fileURLToPath(new URL('../../support/shellHost.ts', import.meta.url));
    const host = spawn(NODE, [script, ground.root, `setsid sleep ${mark} & sleep ${mark}`], { stdio: 'ignore' });
    expect(await eventually(() => processesWith(`sleep\0${mark}`).length >= 2, 15_000)).toBe(true);
    host.kill('SIGKILL');
    expect(await eventually(() => processesWith(`sleep\0${mark}`).length === 0)).toBe(true);
  });
});

/** Each must fail inside; what it would have done out here is checked for all of them together. */
const ESCAPES: [string, (root: string) => string][] = [
  ['write beside the clone', (root) => `echo x > ${root}/escaped`],
  ['write by ..', () => 'echo x > ../../../escaped'],
  ['write in /tmp', () => 'echo x > /tmp/autonomous-escaped'],
  ['write in the home', () => `echo x > ${homedir()}/escaped`],
  ['write to a system folder', () => 'echo x > /usr/local/bin/escaped'],
  ['write through a link', (root) => `ln -s ${root} way && echo x > way/escaped`],
  ['rename out of the clone', (root) => `echo x > in && mv in ${root}/escaped`],
  ['link a secret in', () => `ln ${homedir()}/.npmrc hard && cat hard`],
  ['read a key', () => `cat ${homedir()}/.ssh/id_ed25519`],
  ['read a key by a link', () => `ln -sfn ${homedir()} h && cat h/.ssh/id_ed25519`],
  ['read a masked file', () => `grep sk ${homedir()}/.npmrc`],
  ['read .config', () => `cat ${homedir()}/.config/gh/hosts.yml`],
  ['read .netrc', () => `grep sk ${homedir()}/.netrc`],
  ['read another job', (root) => `cat ${root}/jobs/b/tree/other`],
  ['list other jobs', (root) => `ls ${root}/jobs | grep b`],
  ['read shadow', () => 'grep root /etc/shadow'],
  ['look into another process', () => `tr '\\0' '\\n' < /proc/${bystander.pid}/environ | grep sk`],
  ['find our key in any environment', () => `cat /proc/*/environ | tr '\\0' '\\n' | grep ${SECRET}`],
  ['signal another process', () => `kill -9 ${bystander.pid}`],
  ['signal all', () => `${NODE} -e "process.kill(${bystander.pid}, 9)"`],
  [
    'connect to a port',
    () =>
      `${NODE} -e "require('net').connect(${portOf()}, '127.0.0.1').on('connect', () => process.exit(0)).on('error', () => process.exit(1))"`,
  ],
  [
    'connect to a port by IPv6',
    () =>
      `${NODE} -e "require('net').connect(${portOf()}, '::ffff:127.0.0.1').on('connect', () => process.exit(0)).on('error', () => process.exit(1))"`,
  ],
  [
    'connect to a socket',
    (root) =>
      `${NODE} -e "require('net').connect('${root}/s').on('connect', () => process.exit(0)).on('error', () => process.exit(1))"`,
  ],
  ['connect by socat', (root) => `socat -u OPEN:/dev/null UNIX-CONNECT:${root}/s`],
  ['reach the internet', () => 'curl -sS -m 3 http://1.1.1.1/'],
  ['look up a name', () => 'getent hosts registry.npmjs.org'],
  ['mount', () => 'mount -t tmpfs none /tmp'],
  ['unmount what hides a secret', () => `umount ${homedir()}/.ssh`],
  ['remount as writable', () => 'mount -o remount,rw /'],
  ['make a namespace of its own', () => 'unshare -Ur true'],
  ['make a device', () => 'mknod disk b 8 0'],
  // Opened for appending, never written: where it works, it would be this machine's.
  ['open a kernel switch', () => ': >> /proc/sys/kernel/core_pattern'],
  ['open another kernel switch', () => ': >> /proc/sys/vm/overcommit_memory'],
  ['open the magic key', () => ': >> /proc/sysrq-trigger'],
  ['make the kernel switches writable', () => 'umount /proc/sys || mount -o remount,rw,bind /proc/sys'],
  ['mount a new proc', () => 'mkdir p && mount -t proc proc p'],
  ['leave a setuid shell', (root) => `cp /bin/sh ${root}/sh && chmod 4755 ${root}/sh`],
];

function portOf(): number {
  const address = tcp.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

describe('getting out of the sandbox', () => {
  it.each(ESCAPES)('%s fails', async (_name, command) => {
    const result = await ground.run(command(ground.root), { timeoutMs: 10_000 });
    expect(result).toMatchObject({ ended: null, sandboxed: true });
    expect(result.exitCode).not.toBe(0);
    expect(result.output).not.toContain(SECRET);
  });

  it('has left no trace out here', () => {
    expect(connections).toBe(0);
    expect(bystander.exitCode ?? bystander.signalCode).toBeNull();
    const places = [
      join(ground.root, 'escaped'),
      '/tmp/autonomous-escaped',
      join(homedir(), 'escaped'),
      join(ground.root, 'sh'),
    ];
    expect(places.filter((place) => existsSync(place))).toEqual([]);
  });

  it('does not follow a link that was put where the clone was', async () => {
    const swapped = join(ground.root, 'jobs', 'swapped');
    symlinkSync(homedir(), swapped);
    const result = await ground.run(`cat ${swapped}/.ssh/id_ed25519; echo x > ${swapped}/.ssh/escaped`, {
      cwd: ground.clone,
      writable: [ground.clone, swapped],
    });
    expect(result.output).not.toContain(SECRET);
    expect(existsSync(join(homedir(), '.ssh', 'escaped'))).toBe(false);
  });
});
