/** Whom a claim holds up: decided on what it says, and on what is known of the process that made it. */
import { expect, test } from 'vitest';
import type { OtherProcesses, ProcessMark, Whereabouts } from '../../../../src/engine/state/claimPorts.ts';
import type { LineSeal } from '../../../../src/engine/state/storePorts.ts';
import { type OwnerLock, ownerLock } from '../../../../src/engine/workspace/ownerLock.ts';

const STATE = '/repo/.autonomous';
const SOCKET = 'mark-of-socket';
const PATH = `${STATE}/epoch/1`;
const OTHER: ProcessMark = { pid: 7, start: '70', boot: 'b', space: 's', machine: 'm' };
const OURS: ProcessMark = { pid: 8, start: '80', boot: 'b', space: 's', machine: 'm' };

const SEALED = ',"mac":"ours"}';
const SEAL: LineSeal = {
  seal: (body) => ({ line: body.slice(0, -1) + SEALED, mac: 'ours' }),
  check: (line) => (Buffer.from(line).toString('utf8').endsWith(SEALED) ? 'ours' : null),
  mac: () => 'ours',
};

interface Case {
  readonly state?: string;
  readonly mark?: ProcessMark;
  readonly where?: Whereabouts;
  readonly dies?: boolean;
  readonly takeOver?: boolean;
  readonly pipes?: boolean;
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
  const parts = { seal: SEAL, pipes: given.pipes ?? false, takeOver: given.takeOver ?? false };
  const epochs = { askHighest: async () => undefined, isReleased: () => given.released === true };
  const theirs = ownerLock({ ...parts, stateDir: state, epochs, others: others(mark) });
  const claim = found(theirs.claimant(SOCKET).claim);
  const guard = ownerLock({
    ...parts,
    stateDir: STATE,
    epochs: { ...epochs, askHighest: (gone) => gone(claim, PATH) },
    others: others(OURS),
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
  ['of a copied state', { state: '/copy/.autonomous' }],
  ['of a named pipe', { pipes: true }],
])('a claim %s holds nobody up', async (_, given) => {
  const { guard, ended, ask } = world(given);
  await guard.free(null);
  await ask();
  expect(ended).toEqual([]);
});

test.each<[string, Case, boolean]>([
  ['of this machine', { where: 'unknown' }, true],
  ['from before it was started anew', { where: 'unknown', mark: { ...OTHER, boot: 'another' } }, false],
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
    state: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(line).not.toContain(STATE);
});
