/** What a killed process left in the temp folder goes with the next one; nothing else does. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src/adapters/clock.ts';
import { removeLeft, SOCKET } from '../../../src/adapters/shell/sandbox/leftFolders.ts';
import { shellGround } from '../../support/shell/shell.ts';

test('the folder of a killed maker goes, that of one who was killed before he listened too; that of a living one, a link and a stranger stay', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'lf-'));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  for (const name of ['x-dead', 'x-alive', 'x-empty', 'x-old', 'y-dead']) mkdirSync(join(parent, name));
  const listen =
    "for (const path of process.argv.slice(1)) require('net').createServer().listen(path, () => console.log('ready'))";
  const sockets = ['x-dead', 'y-dead'].map((name) => join(parent, name, SOCKET));
  const maker = spawn(process.execPath, ['-e', listen, ...sockets], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  for await (const chunk of maker.stdout) {
    said += chunk;
    if (said.split('ready').length > 2) break;
  }
  const ended = once(maker, 'close');
  maker.kill('SIGKILL');
  await ended;
  const alive = createServer().listen(join(parent, 'x-alive', SOCKET));
  onTestFinished(() => void alive.close());
  await once(alive, 'listening');
  writeFileSync(join(parent, 'x-dead', 'secret'), 'secret');
  symlinkSync(join(parent, 'y-dead'), join(parent, 'x-link'));

  const old = Date.now() / 1_000 - 120;
  utimesSync(join(parent, 'x-old'), old, old);

  await removeLeft(parent, 'x-', systemClock());

  expect(readdirSync(parent).sort()).toEqual(['x-alive', 'x-empty', 'x-link', 'y-dead']);
});

test('a probe of the sandbox that others ask whether its maker lives finds no escape', async ({ skip }) => {
  const { close, runner } = shellGround();
  onTestFinished(close);
  const asking = setInterval(() => {
    for (const name of readdirSync(tmpdir()).filter((each) => each.startsWith('autonomous-probe-')))
      connect(join(tmpdir(), name, SOCKET)).on('error', () => undefined);
  }, 5);
  onTestFinished(() => clearInterval(asking));
  const { mode, detail } = await runner.sandbox();
  skip(detail.includes('missing'), 'no sandbox on this machine');
  expect([mode, detail]).toEqual(['sandboxed', expect.any(String)]);
});
