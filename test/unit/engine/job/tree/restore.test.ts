/** What an attempt is made again from: its own patches on those of the attempts that it stands on, or nothing that is not whole. */
import { expect, test } from 'vitest';
import { type KeptWork, keptBytes } from '../../../../../src/core/job/keptWork.ts';
import type { AgainRequest } from '../../../../../src/engine/job/gitPorts.ts';
import { type RestorePorts, restore } from '../../../../../src/engine/job/tree/restore.ts';
import type { AttemptRow } from '../../../../../src/shared/job/rows.ts';
import { attemptRow, featureRow, jobRow, stateOf } from '../../../../support/state/builders.ts';

const ORIGIN = 'b'.repeat(40);
const tree = (name: number): string => String(name).repeat(40);
const step = (name: number, patch: string) => ({ tree: tree(name), patch: new TextEncoder().encode(patch) });

/** The first begins with a snapshot of the user's changes; the second stands on the first. */
const FIRST: KeptWork = {
  attempt: 1,
  job: 'job-1',
  origin: ORIGIN,
  after: null,
  start: step(1, 'dirty\n'),
  work: step(2, 'one\n'),
};
const SECOND: KeptWork = {
  attempt: 2,
  job: 'job-1',
  origin: ORIGIN,
  after: 1,
  start: step(2, ''),
  work: step(3, 'two\n'),
};

const ended = (id: number, patch: Partial<AttemptRow> = {}): AttemptRow =>
  attemptRow({
    id,
    number: id,
    status: 'succeeded',
    kept: `hash ${id}`,
    ended_at: '2026-11-01T00:00:00.000Z',
    ...patch,
  });

interface World {
  readonly ports: RestorePorts;
  readonly made: AgainRequest[];
  readonly written: Map<string, string>;
}

function world(kept: readonly KeptWork[], attempts: readonly AttemptRow[] = [ended(1), ended(2)]): World {
  const made: AgainRequest[] = [];
  const written = new Map<string, string>();
  return {
    made,
    written,
    ports: {
      state: stateOf({ jobs: [jobRow()], features: [featureRow({ id: 1, name: 'A  stack\nof plates' })], attempts }),
      projectDir: '/project',
      kept: {
        get: async (id) => {
          const found = kept.find(({ attempt }) => attempt === id);
          return found === undefined ? null : { data: keptBytes(found), hash: `hash ${id}` };
        },
      },
      restoreKeptWork: async (request) => {
        made.push(request);
        return 'made';
      },
      writeNew: async (path, data) => void written.set(path, new TextDecoder().decode(data)),
    },
  };
}

test('a branch stands on the commit of the user, with what the attempt began with and what it did as two commits', async () => {
  const { ports, made } = world([FIRST, SECOND]);
  expect(await restore(ports, 2, { branch: 'again' })).toEqual({ target: 'again', commit: 'made', origin: ORIGIN });
  expect(made).toMatchObject([{ projectDir: '/project', branch: 'again', origin: ORIGIN }]);
  expect(made[0]?.steps.map(({ tree: leadsTo, message }) => [leadsTo[0], message])).toEqual([
    ['1', null],
    ['2', null],
    ['2', 'The starting point of attempt 2 of job job-1'],
    ['3', 'A stack of plates\n\nAttempt 2 (number 2, succeeded) of job job-1, restored.'],
  ]);
});

test('an attempt that began with nothing is one commit', async () => {
  const { ports, made } = world([{ ...FIRST, start: step(1, '') }], [ended(1, { feature_id: null })]);
  await restore(ports, 1, { branch: 'again' });
  expect(made[0]?.steps.map(({ message }) => message)).toEqual([
    null,
    'a review\n\nAttempt 1 (number 1, succeeded) of job job-1, restored.',
  ]);
});

test('a patch file has all of it, or its own work alone', async () => {
  const { ports, made, written } = world([FIRST, SECOND]);
  for (const ownOnly of [false, true]) await restore(ports, 2, { patchFile: `${ownOnly}.patch`, ownOnly });
  expect([...written]).toEqual([
    ['false.patch', 'dirty\none\ntwo\n'],
    ['true.patch', 'two\n'],
  ]);
  expect(made).toEqual([]);
});

test.each<{ what: string; kept: KeptWork[]; attempts?: AttemptRow[]; code: string }>([
  { what: 'no file', kept: [FIRST], code: 'NOT_FOUND' },
  {
    what: 'a file of an attempt that left nothing',
    kept: [FIRST, SECOND],
    attempts: [ended(1), ended(2, { kept: null })],
    code: 'NOT_FOUND',
  },
  {
    what: 'other content',
    kept: [FIRST, SECOND],
    attempts: [ended(1), ended(2, { kept: 'other' })],
    code: 'STATE_DAMAGED',
  },
  { what: 'a file of another job', kept: [FIRST, { ...SECOND, job: 'job-2' }], code: 'STATE_DAMAGED' },
  { what: 'an earlier attempt that is gone', kept: [SECOND], code: 'NOT_FOUND' },
  {
    what: 'an earlier attempt on another commit',
    kept: [{ ...FIRST, origin: 'c'.repeat(40) }, SECOND],
    code: 'STATE_DAMAGED',
  },
  { what: 'an attempt that stands on a later one', kept: [{ ...FIRST, after: 2 }, SECOND], code: 'STATE_DAMAGED' },
])('with $what nothing is made: $code', async ({ kept, attempts, code }) => {
  const { ports, made, written } = world(kept, attempts);
  for (const as of [{ branch: 'again' }, { patchFile: 'a.patch', ownOnly: false }])
    await expect(restore(ports, 2, as)).rejects.toMatchObject({ code });
  expect([made, written.size]).toEqual([[], 0]);
});

test.each(['running', 'abandoned'] as const)('one that is %s is made again from its last turn', async (status) => {
  const { ports } = world(
    [FIRST],
    [ended(1, { status, kept: null, ended_at: status === 'running' ? null : '2026-11-01T00:00:00.000Z' })],
  );
  expect(await restore(ports, 1, { branch: 'again' })).toMatchObject({ commit: 'made' });
});
