/** Whom a claim holds up: decided on what it says, and on what is known of the process that made it. */
import { expect, test } from 'vitest';
import type { ProcessMark } from '../../../../src/core/state/processMark.ts';
import type { OtherProcesses, Whereabouts } from '../../../../src/engine/state/claimPorts.ts';
import type { LineSeal } from '../../../../src/engine/state/storePorts.ts';
import { type OwnerLock, ownerLock } from '../../../../src/engine/workspace/ownerLock.ts';

const STATE = '/repo/.autonomous';
const SOCKET = 'mark-of-socket';
const PATH = `${STATE}/epoch/1`;
const OTHER: ProcessMark = { pid: 7, start: '70', boot: 'b', space: 's', machine: 'm', host: 'h' };
const OURS: ProcessMark = { ...OTHER, pid: 8, start: '80' };
const ELSEWHERE: ProcessMark = { ...OTHER, boot: 'other', machine: 'other', host: 'other' };

const SEALED = ',"mac":"ours"}';
const SEAL: LineSeal = {
  seal: (body) => ({ line: body.slice(0, -1) + SEALED, mac: 'ours' }),
  check: (line) => (Buffer.from(line).toString('utf8').endsWith(SEALED) ? 'ours' : null),
  mac: () => 'ours',
};

interface Case {
  readonly state?: string;
  readonly mark?: ProcessMark;
  /** Of the process that judges. */
  readonly own?: ProcessMark;
  readonly where?: Whereabouts;
  readonly dies?: boolean;
  readonly takeOver?: boolean;
  /** Whether the pipe of the claim is open, each time that it is looked at. Without it, owners listen at sockets. */
  readonly pipe?: readonly boolean[];
  readonly folder?: string;
  readonly released?: boolean;
  /** What lies there as the highest claim, from the claim as it was made. */
  readonly found?: (claim: Uint8Array) => Uint8Array;
}

interface World {
  readonly guard: OwnerLock;
  /** Processes that were ended. */
  readonly ended: number[];
  /** Again for the claim that lies there, as the claim of an epoch does. */
  ask(): Promise<void>;
}

function world(given: Case = {}): World {
  const { state = STATE, mark = OTHER, where = 'alive', dies = false, found = (claim) => claim } = given;
  const ended: number[] = [];
  const others = (own: ProcessMark): OtherProcesses => ({
    own: () => own,
    whereabouts: () => where,
    isGoneWithin: async () => dies,
    end: async ({ pid }) => void ended.push(pid),
  });
  const looks = [...(given.pipe ?? [])];
  const parts = {
    seal: SEAL,
    isPipeOpen: given.pipe === undefined ? null : async () => looks.shift() ?? true,
    takeOver: given.takeOver ?? false,
  };
  const epochs = { askHighest: async () => undefined, isReleased: () => given.released === true };
  const theirs = ownerLock({ ...parts, stateDir: state, folder: given.folder ?? '5', epochs, others: others(mark) });
  const claim = found(theirs.claimant(SOCKET).claim);
  const guard = ownerLock({
    ...parts,
    stateDir: STATE,
    folder: '5',
    epochs: { ...epochs, askHighest: (gone) => gone(claim, PATH) },
    others: others(given.own ?? OURS),
  });
  return { guard, ended, ask: () => guard.claimant('ours').gone(claim, PATH) };
}

const BUSY = { code: 'OWNER_BUSY', details: { pid: OTHER.pid, silent: true } };

test('a living process holds everybody up, and is not ended', async () => {
  const { guard, ended, ask } = world();
  await expect(guard.free(null)).rejects.toMatchObject({ ...BUSY, hint: expect.stringContaining('Take Over') });
  await expect(ask()).rejects.toMatchObject(BUSY);
  expect(ended).toEqual([]);
});

test('a take-over ends it, and no second one', async () => {
  const { guard, ended, ask } = world({ takeOver: true });
  await guard.free(null);
  expect(ended).toEqual([OTHER.pid]);
  await expect(ask()).rejects.toMatchObject(BUSY);
  expect(ended).toEqual([OTHER.pid]);
});

test('a process that cannot be seen is not ended by a take-over, and the file to remove is named', async () => {
  const { guard, ended } = world({ where: 'unknown', takeOver: true });
  await expect(guard.free(null)).rejects.toMatchObject({ ...BUSY, hint: expect.stringContaining(PATH) });
  expect(ended).toEqual([]);
});

test.each<[string, Case]>([
  ['of this process', { where: 'self' }],
  ['of a process that is gone', { where: 'gone' }],
  ['of a process that ends by itself', { dies: true }],
  ['that was released', { released: true }],
  ['that is empty', { found: () => new Uint8Array() }],
  [
    'that nobody here sealed',
    { found: (claim) => Buffer.from(Buffer.from(claim).toString('utf8').replace('ours', 'none')) },
  ],
  ['that was cut off', { found: (claim) => claim.subarray(0, 9) }],
  ['of a copied state', { state: '/copy/.autonomous', folder: '6' }],
  ['of a copied state in another container', { state: '/copy/.autonomous', folder: '6', where: 'unknown' }],
  ['whose pipe ended with its process, though its number is used again', { pipe: [false] }],
  ['whose pipe ended, under another path', { pipe: [false], state: '/mapped/.autonomous' }],
])('a claim %s holds nobody up', async (_, given) => {
  const { guard, ended, ask } = world(given);
  await guard.free(null);
  await ask();
  expect(ended).toEqual([]);
});

const MAPPED = '/mapped/.autonomous';
test.each<[string, Case]>([
  ['under another path, such as a mapped drive', { state: MAPPED }],
  ['whose pipe is open, under another path', { state: MAPPED, pipe: [] }],
  [
    'of another machine, where the same folder has another path',
    { state: MAPPED, folder: '6', mark: ELSEWHERE, where: 'unknown' },
  ],
  ['of another machine, without its pipe', { pipe: [false], mark: ELSEWHERE, where: 'unknown' }],
])('one %s holds everybody up', async (_, given) => {
  await expect(world(given).guard.free(null)).rejects.toMatchObject(BUSY);
  await expect(world(given).ask()).rejects.toMatchObject(BUSY);
});

test('a claim that another process made since its pipe was looked at holds everybody up', async () => {
  const { guard, ask } = world({ pipe: [false] });
  await expect(ask()).resolves.toBeUndefined();
  const { claim } = world({ mark: { ...OTHER, pid: 9 } }).guard.claimant('of another');
  await expect(guard.claimant('ours').gone(claim, PATH)).rejects.toMatchObject({ code: 'OWNER_BUSY' });
});

test.each<[string, ProcessMark, string]>([
  ['names the other machine', { ...OURS }, 'process 7 of other, of another machine or container, may still work'],
  [
    'says if this one cannot be identified',
    { ...OURS, machine: '', boot: '' },
    'process 7 of other, which may run on another machine',
  ],
])('a refusal %s', async (_, own, text) => {
  const { guard } = world({ mark: ELSEWHERE, where: 'unknown', own });
  await expect(guard.free(null)).rejects.toThrow(text);
});

test.each<[string, Case, boolean]>([
  ['of this machine', { where: 'unknown' }, true],
  ['from before it was started anew', { where: 'unknown', mark: { ...OTHER, boot: 'another' } }, false],
  [
    'if the system names no start',
    { where: 'unknown', mark: { ...OTHER, boot: '' }, own: { ...OURS, boot: '', machine: 'other' } },
    false,
  ],
])('one at whose socket nobody listens any more is over, %s: %s', async (_, given, isFree) => {
  await expect(world(given).guard.free('of another')).rejects.toMatchObject(BUSY);
  const { guard } = world(given);
  const asked = guard.free(SOCKET);
  if (isFree) await expect(asked).resolves.toBeUndefined();
  else await expect(asked).rejects.toMatchObject(BUSY);
});

test('ours says whose it is, of which state, at which socket', () => {
  const line = Buffer.from(world().guard.claimant('ours').claim).toString('utf8');
  expect(line.endsWith('\n')).toBe(true);
  expect(JSON.parse(line)).toEqual({
    ...OURS,
    mac: 'ours',
    socket: 'ours',
    folder: '5',
    state: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(line).not.toContain(STATE);
});
