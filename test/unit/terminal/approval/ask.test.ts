import { describe, expect, test } from 'vitest';
import { yesSteward } from '../../../../src/terminal/approval/approvalPrompts.ts';
import { howToAnswer } from '../../../../src/terminal/approval/approvalText.ts';
import type { Context } from '../../../../src/terminal/screen/context.ts';
import { fakeWorkspace } from '../../../support/editor/fakeWorkspace.ts';
import { approvalRow, JOB_ID, stateOf } from '../../../support/state/builders.ts';
import { masked, newestJob, terminalWorld, type World } from '../../../support/world/terminalWorld.ts';

const questions = (world: World): number => world.asked.filter((text) => text.startsWith('[a]pprove')).length;

describe('questions at a terminal', () => {
  test('a approves, with the default of the choices or another one', async () => {
    const world = await terminalWorld({ tty: true, typed: ['a', 'a', 'nonsense', 'branch'] });
    expect(await world.run('run', 'x')).toBe(0);
    expect(newestJob(world).merge?.mode).toBe('branch');
    expect(world.asked).toContain('Which? merge, branch, patch (Enter: merge): ');
    expect([...world.store.state.approvals.values()].map((row) => row.decided_by)).toEqual(['steward', 'steward']);
  });

  test('r rejects, and only with a reason', async () => {
    const world = await terminalWorld({ tty: true, typed: ['r', '', 'r', 'smaller', 'q'] });
    expect(await world.run('run', 'x')).toBe(3);
    expect(world.out).toContain('Not rejected: a rejection needs its reason.\n');
    expect(newestJob(world).plan_version).toBe(2);
  });

  test('d shows the diff with nothing hidden in it, then asks again', async () => {
    const world = await terminalWorld({ tty: true, typed: ['d', 'what?', 'q'] });
    expect(await world.run('run', 'x')).toBe(3);
    expect(world.out).toContain('diff --git a/a.js b/a.js\n+<U+001B>[2Jhello\n');
    expect(questions(world)).toBe(3);
  });

  test.each([['q'], [null]])('leaving by %s is exit 3, and says what to type later', async (typed) => {
    const world = await terminalWorld({ tty: true, typed: [typed] });
    expect(await world.run('run', 'x')).toBe(3);
    expect(masked(world.out)).toContain(
      'To answer question 1 (plan):\n  Approve:  autonomous approve 1\n  Reject:   autonomous reject 1 --feedback "…"\nThen continue: autonomous run --resume 20261102-120000-abcd\n',
    );
    expect(world.out.match(/Question 1 \(plan\)/g)).toHaveLength(1);
    expect(world.out).not.toContain('Waiting for the steward');
    expect(newestJob(world).status).toBe('awaiting_steward');
  });

  test('files that would execute are confirmed one list at a time', async () => {
    const executables = ['package.json', '.github/workflows/ci.yml', '.husky/pre-commit', 'bin/run'];
    const typed = ['a', 'a', '', 'y', 'n', 'a', '', 'y', 'y', 'yes', 'y'];
    const world = await terminalWorld({ tty: true, script: { executables }, typed });
    expect(await world.run('run', 'x')).toBe(0);
    expect(world.out).toContain('Not approved.\n');
    const lists = [...world.out.matchAll(/^(.*), which would execute on your machine:/gm)].map(([, title]) => title);
    expect(lists).toEqual([
      'Git hooks',
      'Workflows',
      'Git hooks',
      'Workflows',
      'Package and build scripts',
      'Other files',
    ]);
  });

  test("a stuck worker gets the person's answer while the others go on", async () => {
    const attempts = { 'push and pop': ['stuck' as const] };
    const world = await terminalWorld({ tty: true, script: { attempts }, typed: ['a', 'a', 'Port 80', 'a', ''] });
    expect(await world.run('run', 'x')).toBe(0);
    const approval = [...world.store.state.approvals.values()].find((row) => row.kind === 'stuck');
    expect(approval).toMatchObject({ status: 'approved', feedback: 'Port 80' });
  });

  test('a no to a stuck worker states its effect first', async () => {
    const attempts = { 'command line': ['stuck' as const] };
    const world = await terminalWorld({ tty: true, script: { attempts }, typed: ['a', 'r', 'no', 'q'] });
    await world.run('run', 'x');
    expect(world.asked).toContain('This marks the feature as failed; the job continues with the others. Why? ');
    const approval = [...world.store.state.approvals.values()].find((row) => row.kind === 'stuck');
    expect(approval).toMatchObject({ status: 'rejected', feedback: 'no' });
  });

  test('Ctrl-C at a question pauses the job', async () => {
    const world = await terminalWorld({ tty: true });
    const run = world.run('run', 'x');
    await world.until(() => questions(world) === 1);
    world.stop();
    expect(await run).toBe(0);
    expect(newestJob(world).status).toBe('paused');
    expect(world.open).toBe(0);
  });

  test('a question that is answered elsewhere is dropped here', async () => {
    const world = await terminalWorld({ tty: true });
    const run = world.run('run', 'x');
    await world.until(() => questions(world) === 1);
    const decided = { decision: 'approved', choice: null, feedback: null, by: 'steward' } as const;
    await world.store.commit({ type: 'approval_decided', id: 1, ...decided });
    await world.until(() => questions(world) === 2);
    world.stop();
    expect(await run).toBe(0);
    expect(newestJob(world).plan_accepted).toBe(true);
  });

  test('approve confirms what would execute; a no leaves the question open', async () => {
    const world = await terminalWorld({
      tty: true,
      script: { executables: ['Makefile'] },
      typed: ['a', 'q', 'n', 'y'],
    });
    expect(await world.run('run', 'x')).toBe(3);
    expect(await world.run('approve', '2')).toBe(3);
    expect(world.store.state.approvals.get(2)?.status).toBe('pending');
    expect(await world.run('approve', '2')).toBe(0);
  });

  test.each([
    ['approve', '2'],
    ['job', 'branch'],
    ['approve', '2', '--json'],
  ])('without a terminal %s %s %s takes no silence for a look', async (...words) => {
    const world = await terminalWorld({ script: { executables: ['Makefile'] } });
    expect(await world.run('run', 'x')).toBe(3);
    expect(await world.run('approve', '1')).toBe(0);
    expect(await world.run('run', '--resume')).toBe(3);
    world.clear();
    expect(await world.run(...words)).toBe(3);
    expect(world.store.state.approvals.get(2)?.status).toBe('pending');
    expect(world.err).toMatch(
      /on your machine:\n {4}Makefile\nNot approved: .*autonomous approve 2 --choice \w+ --yes\n/,
    );
    if (words.includes('--json'))
      expect(JSON.parse(world.out)).toMatchObject({ approval: { id: 2, decision: null }, executables: ['Makefile'] });
    expect(await world.run('approve', '2', '--choice', 'branch', '--yes')).toBe(0);
    expect(world.store.state.approvals.get(2)).toMatchObject({ status: 'approved', choice: 'branch' });
  });

  test('finishing at the merge gate confirms it too', async () => {
    const world = await terminalWorld({
      tty: true,
      script: { executables: ['Makefile'] },
      typed: ['a', 'q', 'n', 'y'],
    });
    expect(await world.run('run', 'x')).toBe(3);
    expect(await world.run('job', 'merge')).toBe(3);
    expect(world.store.state.approvals.get(2)?.status).toBe('pending');
    expect(world.asked.at(-1)).toContain('Did you look at 1 file, and merge?');
    expect(await world.run('job', 'merge')).toBe(0);
    expect(newestJob(world).merge?.mode).toBe('merge');
  });
});

test.each([
  ['stuck', 'blocked:1'],
  ['stuck', 'tool_missing:1'],
  ['escalate', 'accept:abc'],
] as const)('the question of kind %s about %s names the command that installs what is missing', (kind, subject) => {
  const named = { projectDir: '/w', word: null, jobsDir: '/jobs' };
  const workspace = fakeWorkspace({}, { folder: '/w', jobsDir: '/jobs' });
  const context = { named, workspace, allowedHosts: [] } as unknown as Context;
  const asked = (row: { readonly subject: string; readonly commit?: string }) =>
    howToAnswer(context, approvalRow({ id: 3, kind, job_id: JOB_ID, ...row }), stateOf({}));
  expect(asked({ subject })).toContain(`  Install:  autonomous job setup "COMMAND" ${JOB_ID} --jobs-dir /jobs\n`);
  expect(asked({ subject: 'stuck:1' })).not.toContain('job setup');
  expect(asked({ subject, commit: 'abc' })).toContain(`  Diff:     autonomous job diff ${JOB_ID} --jobs-dir /jobs\n`);
  expect(asked({ subject })).not.toContain('Diff:');
});

test('--yes begins without what is missing, and answers no worker', async () => {
  const decided = (subject: string) => {
    const asking = { job: undefined, state: stateOf({}) } as unknown as Parameters<ReturnType<typeof yesSteward>>[1];
    return yesSteward({} as Context)(approvalRow({ id: 3, kind: 'stuck', job_id: JOB_ID, subject }), asking);
  };
  expect(await decided('tool_missing:baseline')).toMatchObject({ decision: 'approved', by: 'yes_flag' });
  expect(await decided('blocked:1')).toBeNull();
  expect(await decided('tool_missing:1')).toBeNull();
});
