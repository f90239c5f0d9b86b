/** The window's connection to the engine, on a stand-in for the editor and engines that do nothing. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Look } from '../../../../src/engine/workspace/workspace.ts';
import { failure } from '../../../../src/shared/errors.ts';
import type { JobStatus } from '../../../../src/shared/job/rows.ts';
import type { Event } from '../../../../src/shared/workspace/events.ts';
import type { State } from '../../../../src/shared/workspace/state.ts';
import { type FakeEditor, fakeUri } from '../../../support/editor/fakeEditor.ts';
import { type FakeEngine, windowMachines } from '../../../support/editor/windowMachine.ts';
import { approvalRow, JOB_ID, jobRow, stateOf } from '../../../support/state/builders.ts';
import { untilHolds } from '../../../support/time/untilHolds.ts';

const editor = vi.hoisted(() => ({ current: null as unknown as FakeEditor }));

vi.mock('vscode', async () => {
  const { editorModule, fakeEditor } = await import('../../../support/editor/fakeEditor.ts');
  editor.current = fakeEditor();
  return editorModule(editor.current);
});

const { WorkspaceEngine } = await import('../../../../src/vscode/window/handle.ts');

const machine = windowMachines(WorkspaceEngine);

const job = (status: JobStatus): State => stateOf({ jobs: [jobRow({ status })] });
const lose = ({ listeners }: FakeEngine): void => {
  for (const listener of listeners) listener.lost?.('the owner ended');
};

beforeEach(() => {
  Object.assign(editor.current, { trusted: true, settings: {}, picks: [], types: [] });
  editor.current.folders = [{ name: 'a', uri: fakeUri('/work/a') }];
});

describe('opening', () => {
  it('happens once, however many ask at a time', async () => {
    const { handle, engines } = machine();
    const [one, two] = await Promise.all([handle.open(), handle.open()]);
    expect(one).toBe(two);
    expect(await handle.open()).toBe(one);
    expect(engines).toHaveLength(1);
  });

  it('is tried anew after it failed', async () => {
    const { handle, next, engines } = machine();
    next.push(failure('DISK', 'no space'));
    await expect(handle.open()).rejects.toMatchObject({ code: 'DISK' });
    await handle.open();
    expect(engines).toHaveLength(1);
  });

  it('closes what comes too late', async () => {
    const { handle, engines, opened, gate } = machine();
    const held = Promise.withResolvers<void>();
    gate.open = held.promise;
    const opening = handle.open();
    await untilHolds(() => expect(opened).toHaveLength(1));
    const closing = handle.close();
    held.resolve();
    await expect(opening).rejects.toMatchObject({ code: 'ABORTED' });
    await closing;
    expect(engines[0]?.closed).toBe(1);
    await expect(handle.open()).rejects.toMatchObject({ code: 'ABORTED' });
    expect(opened).toHaveLength(1);
  });

  it('gives the owner the settings as they are then', async () => {
    const { handle, opened } = machine();
    editor.current.settings = { baseUrl: ' http://127.0.0.1:1 ', jobsDir: '/jobs', verifyMinutes: 2 };
    await handle.open();
    expect(opened[0]).toMatchObject({
      place: { folder: '/work/a', jobsDir: '/jobs' },
      account: { baseUrl: 'http://127.0.0.1:1' },
      verifyTimeoutMs: 120_000,
      takeOver: false,
    });
    expect(opened[0]?.account?.key()).toBe('k');
    await handle.takeOver();
    expect(opened[1]).toMatchObject({ takeOver: true });
  });
});

describe('at the beginning of a window', () => {
  it.each(['planning', 'running', 'waiting'] as const)(
    'a job that was %s opens an owner that resumes',
    async (status) => {
      const { handle, opened } = machine({ state: job(status) });
      await handle.begin();
      expect(opened).toMatchObject([{ work: 'all' }]);
    },
  );

  it.each(['paused', 'completed'] as const)('a job that is %s opens nothing', async (status) => {
    const { handle, engines } = machine({ state: job(status) });
    await handle.begin();
    expect(engines).toEqual([]);
    expect(handle.state.jobs.size).toBe(1);
  });

  it.each([
    ['pending', 0],
    ['approved', 1],
  ] as const)('a job whose question is %s opens %s owners', async (status, owners) => {
    const approvals = [approvalRow({ job_id: JOB_ID, feature_id: null, subject: 'plan:1', status })];
    const { handle, engines } = machine({
      state: stateOf({ jobs: [jobRow({ status: 'awaiting_steward' })], approvals }),
    });
    await handle.begin();
    expect(engines).toHaveLength(owners);
  });

  it('nothing goes on where the settings say so', async () => {
    const { handle, engines, opened } = machine({ state: job('running') });
    editor.current.settings = { resumeOnOpen: false };
    await handle.begin();
    expect(engines).toEqual([]);
    await handle.request('pauseJob', { jobId: JOB_ID });
    expect(opened).toMatchObject([{ work: 'asked' }]);
  });

  it('a job runs only where an owner works on it', async () => {
    const { handle, next } = machine({ state: job('running') });
    expect(handle.atWork).toEqual({ works: false, jobs: [], turns: [] });
    next.push(true);
    await handle.open();
    expect(handle.atWork).toEqual({ works: true, jobs: [], turns: [] });
  });

  it('an owner in another process says what it works on, again with each event', async () => {
    const { handle, engines, next, atWork } = machine({ state: job('running') });
    const changed = vi.fn();
    handle.onDidChange(changed);
    next.push(false);
    Object.assign(atWork, { works: false });
    await handle.open();
    await untilHolds(() => expect(handle.atWork).toEqual({ works: false, jobs: [], turns: [] }));
    changed.mockClear();
    Object.assign(atWork, { works: true, jobs: [JOB_ID] });
    engines[0]?.listeners[0]?.event?.({} as Event);
    await untilHolds(() => expect(handle.atWork).toEqual({ works: true, jobs: [JOB_ID], turns: [] }));
    expect(changed).toHaveBeenCalled();
  });

  it('a living owner is followed, and asked for nothing', async () => {
    const { handle, engines, next } = machine({ ownerAlive: true, state: job('running') });
    next.push(false);
    await handle.begin();
    expect(handle.current?.owner).toBe(false);
    expect(engines[0]?.requests).toEqual([]);
  });

  it('what another process works on is not shown as at rest where this window may not follow it', async () => {
    const { handle } = machine({ state: job('running'), ownerAlive: true });
    editor.current.trusted = false;
    await handle.begin();
    expect(handle.current).toBeNull();
    expect(handle.atWork).toEqual({ works: true, jobs: [JOB_ID], turns: [] });
  });

  it('nothing runs without trust, and what is there is shown', async () => {
    const { handle, engines } = machine({ state: job('running') });
    editor.current.trusted = false;
    await handle.begin();
    expect(handle.blocker).toBe('untrusted');
    expect(handle.state.jobs.size).toBe(1);
    await expect(handle.request('pauseJob', { jobId: JOB_ID })).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
    expect(engines).toEqual([]);
    editor.current.trusted = true;
    await handle.restart();
    expect(engines).toHaveLength(1);
  });

  it.each(['foreign', 'newer'] as const)('a state that is %s is shown and never opened', async (origin) => {
    const { handle, engines } = machine({ origin, state: job('running'), ownerAlive: true });
    await handle.begin();
    expect(handle.blocker).toBe(origin);
    await expect(handle.open()).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
    expect(engines).toEqual([]);
  });

  it('a log that lost its end is shown, and opened only to restore it', async () => {
    const at = machine({ state: job('running'), lostTail: { found: 3, known: 9 } });
    await at.handle.begin();
    expect(at.handle.blocker).toBe('incomplete');
    await expect(at.handle.open()).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
    at.next.push(failure('DISK', 'no space'));
    await expect(at.handle.restoreState()).rejects.toMatchObject({ code: 'DISK' });
    expect(at.handle.blocker).toBe('incomplete');
    await at.handle.restoreState();
    expect(at.opened.map(({ restores }) => restores)).toEqual([true, true]);
    expect([at.handle.blocker, at.handle.current?.owner]).toEqual([null, true]);
  });

  it('each problem of the state is told once', async () => {
    const { handle, troubles } = machine({ problems: ['1-1.jsonl:3: damaged line'] });
    await handle.begin();
    await handle.begin();
    expect(troubles).toEqual(['1-1.jsonl:3: damaged line']);
  });
});

describe('when the owner is gone', () => {
  const followed = async (seen: Partial<Look>) => {
    const at = machine({ ownerAlive: true, ...seen });
    at.next.push(false);
    await at.handle.begin();
    return at;
  };

  it('what it left under way goes on here, and the person is told', async () => {
    const at = await followed({ state: job('running') });
    at.looks.push({ ...at.look, ownerAlive: false });
    lose(at.engines[0] as FakeEngine);
    await untilHolds(() => expect(at.handle.current?.owner).toBe(true));
    expect(at.opened[1]).toMatchObject({ work: 'all' });
    await untilHolds(() => expect(at.troubles.join()).toContain('took over'));
  });

  it('the next one is followed', async () => {
    const at = await followed({ state: job('running') });
    at.next.push(failure('OWNER_UNREACHABLE', 'not yet'), false);
    lose(at.engines[0] as FakeEngine);
    await untilHolds(() => expect(at.engines).toHaveLength(2));
    expect(at.handle.current?.owner).toBe(false);
    expect(at.troubles).toEqual([]);
  });

  it('nothing is opened where nothing is under way', async () => {
    const at = await followed({ state: job('completed') });
    at.looks.push({ ...at.look, ownerAlive: false });
    lose(at.engines[0] as FakeEngine);
    await untilHolds(() => expect(at.looks).toEqual([]));
    expect(at.handle.current).toBeNull();
    expect(at.handle.state.jobs.size).toBe(1);
    expect(at.opened).toHaveLength(1);
  });

  it('a person who wants no resuming is told that nobody works', async () => {
    const at = await followed({ state: job('running') });
    editor.current.settings = { resumeOnOpen: false };
    at.looks.push({ ...at.look, ownerAlive: false });
    lose(at.engines[0] as FakeEngine);
    await untilHolds(() => expect(at.troubles.join()).toContain('No window is running jobs'));
    expect(at.opened).toHaveLength(1);
  });

  it('a connection that was replaced already is no news', async () => {
    const at = await followed({ state: job('running') });
    await at.handle.takeOver();
    lose(at.engines[0] as FakeEngine);
    await Promise.resolve();
    expect(at.handle.current?.owner).toBe(true);
    expect(at.opened).toHaveLength(2);
  });
});

describe('while an engine opens', () => {
  const opening = async () => {
    const at = machine();
    const held = Promise.withResolvers<void>();
    at.gate.open = held.promise;
    const first = at.handle.open();
    first.catch(() => undefined);
    await untilHolds(() => expect(at.opened).toHaveLength(1));
    return { ...at, first, go: held.resolve };
  };
  const stillOpen = (engines: readonly FakeEngine[]) => engines.filter(({ closed }) => closed === 0);

  it('another folder that is chosen is the one that the window works in', async () => {
    const { handle, engines, first, go } = await opening();
    editor.current.folders = [{ name: 'b', uri: fakeUri('/work/b') }];
    const restarted = handle.restart();
    const second = handle.request('pauseJob', { jobId: JOB_ID });
    go();
    await expect(first).rejects.toMatchObject({ code: 'OWNER_LOST' });
    await Promise.all([restarted, second]);
    expect(stillOpen(engines).map(({ folder }) => folder)).toEqual(['/work/b']);
    expect(engines.map(({ requests }) => requests.length)).toEqual([0, 1]);
    expect(handle.current).not.toBeNull();
  });

  it('the place of the owner is taken by one engine, and the other one is closed', async () => {
    const { handle, engines, opened, go, troubles } = await opening();
    const taken = handle.takeOver();
    go();
    await taken;
    expect(stillOpen(engines)).toHaveLength(1);
    expect(opened.map(({ takeOver }) => takeOver)).toEqual([false, true]);
    expect(engines.map(({ closed }) => closed)).toEqual([1, 0]);
    expect(troubles).toEqual([]);
  });
});

it('a window whose take-over fails follows the owner again', async () => {
  const { handle, engines, next, opened } = machine({ ownerAlive: true });
  next.push(false, failure('OWNER_BUSY', 'it answers'), false);
  await handle.begin();
  await expect(handle.takeOver()).rejects.toMatchObject({ code: 'OWNER_BUSY' });
  expect(handle.current?.owner).toBe(false);
  expect(opened.map(({ takeOver }) => takeOver)).toEqual([false, true, false]);
  expect(engines.map(({ closed }) => closed)).toEqual([1, 0]);
});

describe('git in the folders that a state names', () => {
  const started = async ({ handle, git }: ReturnType<typeof machine>) => {
    const { files } = handle;
    const asked = [
      files.changedPaths('job-1', 'a', 'b'),
      files.textAt('job-1', 'a', 'p'),
      files.preview('job-1'),
      handle.jobDiff('job-1'),
    ];
    const outcomes = await Promise.allSettled(asked);
    return {
      git: git.length,
      outcomes: outcomes.map((one) => (one.status === 'rejected' ? one.reason.code : 'given')),
    };
  };
  const REFUSED = { git: 0, outcomes: Array(4).fill('NOT_PERMITTED') };

  it('is started in a trusted workspace', async () => {
    const at = machine();
    await at.handle.begin();
    expect(await started(at)).toEqual({ git: 4, outcomes: Array(4).fill('given') });
  });

  it('is not started in Restricted Mode', async () => {
    const at = machine();
    editor.current.trusted = false;
    await at.handle.begin();
    expect(await started(at)).toEqual(REFUSED);
    expect(await at.handle.files.artifact('log')).toBe('log');
  });

  it.each(['foreign', 'newer'] as const)('is not started for a state that is %s', async (origin) => {
    const at = machine({ origin });
    await at.handle.begin();
    expect(await started(at)).toEqual(REFUSED);
  });
});

describe('several folders', () => {
  beforeEach(() => {
    editor.current.folders = ['a', 'b'].map((name) => ({ name, uri: fakeUri(`/work/${name}`) }));
  });

  it('ask which one, once', async () => {
    const { handle, opened } = machine();
    await handle.begin();
    expect(handle.blocker).toBe('not_chosen');
    editor.current.picks = [undefined, 'b'];
    await expect(handle.open()).rejects.toMatchObject({ code: 'ABORTED' });
    await handle.open();
    await handle.restart();
    await handle.open();
    expect(opened.map(({ place }) => place.folder)).toEqual(['/work/b', '/work/b']);
  });

  it('move the window only when the one it works in changes', async () => {
    const { handle } = machine();
    editor.current.picks = ['b'];
    await handle.open();
    editor.current.folders = [...editor.current.folders, { name: 'c', uri: fakeUri('/work/c') }];
    expect(handle.moved).toBe(false);
    editor.current.folders = editor.current.folders.filter(({ name }) => name !== 'b');
    expect(handle.moved).toBe(true);
  });
});

it.each([
  [[], 'no_folder'],
  [[{ name: 'v', uri: fakeUri('/v', 'vscode-vfs') }], 'virtual'],
] as const)('says why there is no engine: %j', async (folders, blocker) => {
  editor.current.folders = folders;
  const { handle } = machine();
  await handle.begin();
  expect(handle.blocker).toBe(blocker);
  await expect(handle.open()).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
});

describe('a brief that is filed here', () => {
  it('takes from the settings what it does not say itself', async () => {
    const { handle, engines } = machine();
    editor.current.settings = { batch: 1, 'limits.tries': 2, mergeMode: 'branch', commitAuthor: 'autonomous' };
    await handle.request('submitBrief', { brief: 'x', mergeMode: 'patch' });
    expect(engines[0]?.requests).toMatchObject([
      [
        'submitBrief',
        { brief: 'x', batch: 1, maxRetries: 2, mergeMode: 'patch', commitAuthor: 'autonomous', provider: 'anthropic' },
      ],
    ]);
  });

  it('begins with the daily limit, once: later ones are the steward’s', async () => {
    const first = machine();
    editor.current.settings = { 'limits.dayUsd': 2.5 };
    await first.handle.request('submitBrief', { brief: 'x' });
    expect(first.engines[0]?.requests.map(([name, input]) => [name, name === 'setLimits' ? input : null])).toEqual([
      ['setLimits', { dayMicroUsd: 2_500_000 }],
      ['submitBrief', null],
    ]);
    const later = machine({ state: job('completed') });
    await later.handle.request('submitBrief', { brief: 'x' });
    expect(later.engines[0]?.requests.map(([name]) => name)).toEqual(['submitBrief']);
  });

  it('needs a model of the editor before it is given to one', async () => {
    const { handle, engines } = machine();
    editor.current.settings = { provider: 'vscode-lm' };
    await expect(handle.request('submitBrief', { brief: 'x' })).rejects.toMatchObject({ code: 'MODEL_NOT_CHOSEN' });
    expect(engines[0]?.requests).toEqual([]);
  });
});
