/** Claims of an epoch: nobody works on a state while the process that claimed it last may be at work. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../../src/adapters/clock.ts';
import { nodeFiles } from '../../../src/adapters/files/files.ts';
import { claimEpoch, releaseEpoch } from '../../../src/adapters/log/epoch.ts';
import { openEventLog } from '../../../src/adapters/log/eventLog.ts';
import { loadKey } from '../../../src/adapters/log/key.ts';
import { lineSeal } from '../../../src/adapters/log/seal.ts';
import { processId } from '../../../src/adapters/platform/process/processTree.ts';
import { ownMark } from '../../../src/adapters/shell/process/otherProcess.ts';
import { guardClaims } from '../../../src/app/open/ownership/guardClaims.ts';
import type { WorkspacePaths } from '../../../src/engine/state/workspacePaths.ts';
import { workspacePathsOf } from '../../support/state/testPaths.ts';

const clock = systemClock();
const SOCKET = 'mark-of-socket';
let folder: string;
let places: WorkspacePaths;
let epochs: string;
let other: ChildProcess;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'autonomous-claim-')));
  places = workspacePathsOf(folder, join(folder, 'repo'));
  epochs = join(places.stateDir, 'epoch');
  mkdirSync(epochs, { recursive: true });
  other = spawn('/bin/sleep', ['100000']);
});
afterEach(async () => {
  const over = other.exitCode ?? other.signalCode;
  other.kill('SIGKILL');
  if (over === null) await once(other, 'exit');
  rmSync(folder, { recursive: true, force: true });
});

/** The claim of a process that is not this one, as it would have made it. */
async function claimOther(more: object = {}): Promise<void> {
  const guard = await guardClaims({ places, clock, takeOver: false });
  const line = Buffer.from(guard.claimant(SOCKET).claim).toString('utf8');
  const { mac: _, ...ours } = JSON.parse(line) as Record<string, unknown>;
  const start = processId(other.pid ?? 0)?.start;
  const seal = lineSeal(await loadKey(places.configDir, nodeFiles), 'claim');
  const text = JSON.stringify({ ...ours, pid: other.pid, start, ...more });
  writeFileSync(join(epochs, '1'), `${seal.seal(text).line}\n`);
}

async function claim(options: { takeOver?: boolean; deaf?: string } = {}): Promise<number> {
  const guard = await guardClaims({ places, clock, takeOver: options.takeOver === true });
  await guard.free(options.deaf ?? null);
  return claimEpoch(epochs, 0, nodeFiles, guard.claimant('ours'));
}

const busy = () => ({ code: 'OWNER_BUSY', details: { pid: other.pid, silent: true } });

test('that of a living process is refused, and nothing is claimed, until it is gone', async () => {
  await claimOther();
  await expect(claim()).rejects.toMatchObject(busy());
  expect(await nodeFiles.list(epochs)).toEqual(['1']);
  other.kill('SIGKILL');
  expect(await claim()).toBe(2);
});

test('its process ends by a take-over, and one alone', async () => {
  await claimOther();
  const exit = once(other, 'exit');
  expect(await claim({ takeOver: true })).toBe(2);
  expect(await exit).toEqual([null, 'SIGKILL']);
});

test('one that was claimed between the look and the claim stays whose it is', async () => {
  const guard = await guardClaims({ places, clock, takeOver: false });
  await guard.free(null);
  await claimOther();
  await expect(claimEpoch(epochs, 0, nodeFiles, guard.claimant('ours'))).rejects.toMatchObject(busy());
});

test('that of another machine is refused by a take-over too, and says which file to remove', async () => {
  await claimOther({ boot: 'another', machine: 'another' });
  const refused = { ...busy(), hint: expect.stringContaining(join(epochs, '1')) };
  await expect(claim({ takeOver: true })).rejects.toMatchObject(refused);
  expect(other.signalCode).toBeNull();
  rmSync(join(epochs, '1'));
  expect(await claim()).toBe(1);
});

test('that of a container is over when nobody listens at its socket any more', async () => {
  await claimOther({ space: 'pid:[1]' });
  await expect(claim({ deaf: 'of another' })).rejects.toMatchObject(busy());
  expect(await claim({ deaf: SOCKET })).toBe(2);
});

test.each([
  ['was released', () => releaseEpoch(epochs, 1, nodeFiles)],
  ['nobody here sealed', () => appendFileSync(join(epochs, '1'), 'x')],
])('one that %s holds nobody up', async (_, change) => {
  await claimOther();
  await change();
  expect(await claim()).toBe(2);
  expect(other.signalCode).toBeNull();
});

test('says whose it is, and a release keeps it', async () => {
  expect(await claim()).toBe(1);
  const text = Buffer.from((await nodeFiles.read(join(epochs, '1'))) ?? []).toString('utf8');
  expect(JSON.parse(text)).toMatchObject({ ...ownMark(), socket: 'ours' });
  await releaseEpoch(epochs, 1, nodeFiles);
  await releaseEpoch(epochs, 2, nodeFiles);
  expect(await nodeFiles.list(epochs)).toEqual(['1']);
});

test('that a failing disk keeps from its release ends with its process, and the owner closes all the same', async () => {
  const full = async () => Promise.reject(new Error('ENOSPC'));
  const { claimant } = await guardClaims({ places, clock, takeOver: false });
  const seal = lineSeal(await loadKey(places.configDir, nodeFiles), 'events');
  const ops = { ...nodeFiles, openAppend: full };
  const log = await openEventLog({ stateDir: places.stateDir, ops, seal, claimant: claimant('ours') });
  await log.claim();
  await expect(log.close()).resolves.toBeUndefined();
});
