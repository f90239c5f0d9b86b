/** What the steward is asked before anything goes on, and what his answers lead to. */
import { describe, expect, test } from 'vitest';
import { jobSummary } from '../../../../src/core/job/view/job.ts';
import { jobReport, outcomeText } from '../../../../src/core/job/view/jobReport.ts';
import { jobFeatures } from '../../../../src/core/state/rows.ts';
import { mergeRequest } from '../../../../src/engine/job/actions/merge.ts';
import { callJobTool } from '../../../../src/engine/project/jobTool.ts';
import type { Plan } from '../../../../src/shared/job/plan.ts';
import {
  approves,
  attempt,
  escalates,
  report,
  scenarioOf,
  stuck,
  write,
  writes,
} from '../../../support/demo/briefs.ts';
import { LoopWorld } from '../../../support/world/loopWorld.ts';

const names = (world: LoopWorld) => jobFeatures(world.state, world.jobId).map((feature) => feature.name);

describe('the plan gate', () => {
  test('a rejected plan goes back to the planner with the feedback', async () => {
    await using world = await LoopWorld.open();
    await world.submit({ gates: ['plan'] });
    await world.reject('plan', 'Smaller features, please.');
    await world.until('asked again', () => world.job.plan_version === 2);
    expect(world.opening('planner', 0)).not.toContain('Smaller features');
    const again = world.opening('planner', 1);
    expect(again).toContain('Smaller features, please.');
    // The plan that was refused, so that the planner changes it instead of starting again.
    expect(again).toContain('# The newest plan, version 1');
    expect(again).toContain(JSON.stringify([...world.state.plans.values()][0]?.plan));
    expect(again).toMatch(/# Decisions of the steward\n.*\n- \[question 1\] Carry out this plan/);
    expect(world.opening('planner', 0)).not.toMatch(/Decisions|newest plan/);
    await world.approve('plan');
    await world.is('completed');
    expect(world.sent('planner')).toHaveLength(2);
  });

  test('a job that is filed again with an addition begins with the plan of the first one', async () => {
    await using world = await LoopWorld.open();
    await world.submit({ gates: ['plan'] });
    const first = world.jobId;
    await world.asked('plan');
    await callJobTool(world.owner, 'default', { job: first, action: 'amend', reason: 'It must have peek, too.' });
    const [again = ''] = [...world.state.jobs.keys()].filter((id) => id !== first);
    await world.until('planned again', () => world.state.plans.has(`${again}#2`));
    expect(world.opening('planner', 1)).toContain('Added: It must have peek, too.');
    expect(world.opening('planner', 1)).toContain(JSON.stringify(world.state.plans.get(`${first}#1`)?.plan));
    expect(world.state.plans.get(`${again}#1`)?.plan).toEqual(world.state.plans.get(`${first}#1`)?.plan);
    expect(world.state.jobs.get(again)).toMatchObject({ plan_version: 2, plan_feedback: null });
  });

  test('a plan that was edited at the gate is asked about again, and is what is carried out', async () => {
    const scenario = scenarioOf([{ features: [{ name: 'A' }, { name: 'B' }] }]);
    await using world = await LoopWorld.open({ scenario });
    await world.submit({ gates: ['plan'] });
    const first = await world.asked('plan');
    const [phase] = scenario.plan.phases;
    const features = phase?.features.filter((feature) => feature.name === 'B') ?? [];
    await world.owner.request('editPlan', {
      jobId: world.jobId,
      plan: {
        title: 'Edited',
        phases: [{ ...phase, title: 'Only B', objective: 'B', acceptance_criteria: ['B'], features }],
      },
    });
    expect(world.state.approvals.get(first.id)?.status).toBe('void');
    const refused = world.owner.request('decide', { approvalId: first.id, decision: 'approved' });
    await expect(refused).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
    await world.approve('plan');
    await world.is('completed');
    expect(names(world)).toEqual(['B']);
    expect(world.opening('worker')).toContain('Only B');
  });
});

describe('a plan that carries more', () => {
  const carrying = (more: Partial<Plan>) => {
    const scenario = scenarioOf([{ features: [{ name: 'A' }] }]);
    return { ...scenario, plan: { ...scenario.plan, ...more } };
  };

  test('asks its questions even without a plan gate, and the answers reach every worker', async () => {
    const scenario = carrying({
      questions: ['Tabs?', 'Which port?'],
      assumptions: ['Node only'],
      findings: 'See lib/.',
    });
    await using world = await LoopWorld.open({ scenario });
    await world.submit({ gates: [] });
    const asked = await world.asked('plan');
    expect(asked.question).toBe('Carry out this plan of 1 phase and 1 feature and answer its questions?');
    expect(asked.detail).toMatch(
      /^Questions to you:\n {3}\? Tabs\?\n {3}\? Which port\?\n\nAssumptions:\n {3}- Node only\n/,
    );
    for (const by of ['steward', 'yes_flag'] as const) {
      const bare = world.owner.request('decide', { approvalId: asked.id, decision: 'approved', by });
      await expect(bare).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    }
    await world.approve('plan', { feedback: '1: yes. 2: 8080.' });
    await world.is('completed');
    const opening = world.opening('worker');
    expect(opening).toMatch(
      /# Decisions of the steward\n.*\n.*\n {2}1\. Tabs\?\n {2}2\. Which port\?\n.*1: yes\. 2: 8080\./s,
    );
    expect(opening).toMatch(/# Findings of the planner, from before any work\n<findings \w+>\nSee lib\/\.\n/);
    expect(opening).toContain('# Assumptions of the accepted plan\n- Node only');
    expect(world.opening('reviewer')).toContain('- Node only');
    expect(world.opening('reviewer')).not.toContain('See lib/.');
  });

  test('runs its setup only after the grant, in the clone and in each fresh checkout', async () => {
    const ran: string[] = [];
    const commands = {
      'sh first.sh': () => ({ exitCode: 0 }),
      'sh install.sh': (cwd: string) => {
        ran.push(cwd);
        return { exitCode: 0 };
      },
    };
    await using world = await LoopWorld.open({
      scenario: carrying({ setup: ['sh first.sh', 'sh install.sh'] }),
      commands,
    });
    const allowedCommands = [['ls'], ['sh', 'first.sh'], ['sh', 'install.sh']];
    await world.submit({ gates: [], setup: ['sh first.sh'], allowedCommands });
    const asked = await world.asked('plan');
    expect(asked.question).toContain('run its setup with the package registries allowed');
    expect(asked.detail).toContain('$ sh install.sh');
    expect(ran).toEqual([]);
    await world.approve('plan');
    await world.is('completed');
    expect(ran[0]).toBe(world.job.clone_dir);
    expect(ran.slice(1).every((folder) => folder !== world.job.clone_dir)).toBe(true);
    expect(ran.length).toBeGreaterThan(1);
    // What ran before the plan does not run in the clone again.
    expect(world.job.setup_ran?.map(({ command }) => command)).toEqual(['sh first.sh', 'sh install.sh']);
    expect(world.sent('worker')[0]?.body).toContain('- `sh install.sh`: exit code 0');
  });

  test('goes on without a setup command of its own that failed, or pauses', async () => {
    let exitCode = 1;
    const commands = { 'sh install.sh': () => ({ exitCode, output: 'no such package' }) };
    await using world = await LoopWorld.open({ scenario: carrying({ setup: ['sh install.sh'] }), commands });
    await world.submit({ gates: [], allowedCommands: [['ls'], ['sh', 'install.sh']] });
    await world.approve('plan');
    const asked = await world.asked('setup');
    expect(asked.question).toBe('The setup command `sh install.sh` failed. Remove it and continue?');
    expect(asked.detail).toContain('no such package');
    await world.reject('setup', 'The registry is down.');
    await world.is('paused');
    await world.owner.request('resumeJob', { jobId: world.jobId });
    await world.approve('setup');
    exitCode = 0;
    await world.is('completed');
    expect(world.job.setup_added).toEqual([]);
  });

  test("runs a feature's own commands after it, and the phase's at the end of the phase", async () => {
    const scenario = scenarioOf([{ verify: ['sh check.sh'], features: [{ name: 'A' }, { name: 'B' }] }]);
    const [phase] = scenario.plan.phases;
    const features = phase?.features.map((row) => ({ ...row, verify_commands: [`cat ${row.name}.txt`] })) ?? [];
    const plan = { ...scenario.plan, phases: [{ ...phase, features }] } as Plan;
    await using world = await LoopWorld.open({ scenario: { ...scenario, plan } });
    await world.run({
      allowedCommands: [
        ['sh', 'check.sh'],
        ['cat', 'A.txt'],
        ['cat', 'B.txt'],
      ],
    });
    const ran = world.happened('attempt_ended').map(({ evidence }) => evidence.map(({ command }) => command));
    expect(ran).toEqual([['cat A.txt'], ['cat B.txt'], ['sh check.sh']]);
    expect(world.opening('worker')).toMatch(/# Your feature.*Verify commands of this feature.*\n- cat A\.txt/s);
  });
});

describe('a result that fails again', () => {
  /** The check passes after each attempt, and fails in each fresh checkout. */
  const failing = async (more: { readonly 'sh install.sh'?: () => { exitCode: number } } = {}) => {
    let installed = false;
    const world = await LoopWorld.open({
      scenario: scenarioOf([{ verify: ['sh check.sh'], features: [{ name: 'A' }] }]),
      commands: {
        'sh check.sh': (cwd) =>
          installed || cwd === world.job.clone_dir ? { exitCode: 0 } : { exitCode: 1, output: 'no dependencies' },
        'sh install.sh': () => {
          installed = true;
          return more['sh install.sh']?.() ?? { exitCode: 0 };
        },
      },
    });
    await world.submit({
      allowedCommands: [
        ['sh', 'check.sh'],
        ['sh', 'install.sh'],
      ],
    });
    // The reviewer approved what failed, twice: the engine asks, and tries one fix in between.
    for (const times of [1, 2]) {
      await world.approve('escalate', { feedback: 'I read the diff.' });
      await world.until('the result is checked', () => world.happened('phase_approved').length === times);
    }
    const asked = await world.asked('escalate');
    expect(asked.subject).toBe(`accept:${world.job.head}`);
    expect(asked.question).toBe(
      '`sh check.sh` fails again in a fresh checkout of the result. Take the result although it fails?',
    );
    expect(asked.detail).toContain('no dependencies');
    expect(world.opening('worker', 0, 'Fix: sh check.sh fails on the result')).toMatch(
      /# Why it is open\n.*on the whole result in a fresh checkout/,
    );
    expect(world.happened('result_verified')).toHaveLength(1);
    return { world, asked };
  };

  test('is merged only by a reason of the steward, which is recorded and shown at the merge', async () => {
    const { world, asked } = await failing();
    await using _ = world;
    const bare = world.owner.request('decide', { approvalId: asked.id, decision: 'approved' });
    await expect(bare).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    const waved = world.owner.request('decide', {
      approvalId: asked.id,
      decision: 'approved',
      feedback: 'x',
      by: 'yes_flag',
    });
    await expect(waved).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
    await world.approve('escalate', { feedback: 'The registry is down.' });
    await world.is('completed');
    expect(world.happened('result_accepted')).toMatchObject([{ commit: world.job.head, approval_id: asked.id }]);
    const words = `\`sh check.sh\` fails on the result. The steward took it although it fails (question ${asked.id}): The registry is down.`;
    expect(jobReport(world.state, world.job)).toContain(`- Verify: ${words}`);
    expect(outcomeText(world.state, world.job)).toContain('although a verify command fails');
    expect(jobSummary(world.state, world.jobId).takenFailure).toEqual({
      commands: ['sh check.sh'],
      question: asked.id,
      reason: 'The registry is down.',
    });
    const request = mergeRequest({ projectDir: '/repo', store: { state: world.state } }, world.job, 'patch', 'c');
    expect(request.patchNote).toBe(`# ${words}\n`);
    expect(world.git.messageOf('main')).toBe(
      `Merge ${world.job.branch}: ${world.job.title}\n\n${words}\n\nAutonomous-Job: ${world.jobId}\n`,
    );
  });

  test('goes back with the words of a no, and asks again when it fails again', async () => {
    const { world, asked } = await failing();
    await using _ = world;
    await world.reject('escalate', 'Vendor the dependency.');
    await world.until('the phase goes again', () => world.happened('merge_refused').length === 1);
    await world.approve('escalate', { feedback: 'I read the diff.' });
    const again = await world.until('it asks again', () =>
      [...world.state.approvals.values()].find((row) => row.id > asked.id && row.subject.startsWith('accept:')),
    );
    expect(again.status).toBe('pending');
    expect(world.job.status).not.toBe('completed');
  });

  test('is checked again when the missing setup is added', async () => {
    const { world, asked } = await failing();
    await using _ = world;
    await world.owner.request('addSetup', { jobId: world.jobId, command: 'sh install.sh' });
    await world.is('completed');
    expect(world.state.approvals.get(asked.id)?.status).toBe('void');
    expect(world.happened('result_accepted')).toEqual([]);
  });
});

describe('a job without setup', () => {
  test.each([
    ['named by a manifest without a lock file', {}, { manifest: 'package.json', command: 'npm install' }],
    ['left out by the brief', { setup: [] }, undefined],
  ])('says which dependencies are not installed: %s', async (_, brief, gap) => {
    const files = { 'package.json': '{"devDependencies":{"tap":"1"}}' };
    await using world = await LoopWorld.open({ files });
    await world.run({ setup: null, ...brief });
    expect(world.happened('setup_finished')[0]?.gap).toEqual(gap);
    expect(world.job.setup_gap).toEqual(gap ?? null);
  });

  test('is put right by one command, which runs before the next attempt and in each fresh checkout', async () => {
    const ran: string[] = [];
    const commands = {
      'sh install.sh': (cwd: string) => {
        ran.push(cwd);
        return { exitCode: 0 };
      },
    };
    const blocked = attempt(write('half.txt', 'half'), report('blocked', 'No dependencies are installed.'));
    const scenario = scenarioOf([
      {
        features: [
          { name: 'A', attempts: [blocked, writes('A.txt')] },
          { name: 'B', after: ['A'] },
        ],
      },
    ]);
    await using world = await LoopWorld.open({ scenario, commands });
    await world.submit({ allowedCommands: [['ls'], ['sh', 'install.sh']] });
    await world.asked('stuck');
    await world.owner.request('addSetup', { jobId: world.jobId, command: 'sh install.sh' });
    await world.until('the setup ran', () => world.happened('setup_finished').length === 2);
    await world.approve('stuck', { feedback: 'They are installed now.' });
    await world.is('completed');
    expect(ran[0]).toBe(world.job.clone_dir);
    expect(ran.length).toBeGreaterThan(1);
    expect(world.job.setup_ran).toEqual([{ command: 'sh install.sh', exitCode: 0 }]);
    // The conversation began without the setup, so it is given the setup of now, and the next feature is not given it again.
    const setup = (text: string) => /# Setup of the clone\n(.*)/.exec(text)?.[1];
    expect(world.opening('worker', 1)).toContain('in the same conversation');
    expect(setup(world.opening('worker', 1))).toBe('- `sh install.sh`: exit code 0');
    expect(world.opening('worker', 2)).toContain('The last feature is accepted.');
    expect(setup(world.opening('worker', 2))).toBeUndefined();
    // What the blocked attempt left is still there.
    expect(world.git.files(world.job.head ?? '')['half.txt']).toBe('half');
  });
});

describe('a worker that asks', () => {
  const asks = (second = writes('A.txt')) =>
    scenarioOf([
      {
        features: [
          { name: 'A', attempts: [stuck('Tabs or spaces?'), second] },
          { name: 'B', after: ['A'] },
          { name: 'C' },
        ],
      },
    ]);

  test('waits, others go on meanwhile, and the answer is in the next prompt', async () => {
    await using world = await LoopWorld.open({ scenario: asks() });
    await world.submit({ batch: 1 });
    const question = await world.asked('stuck');
    expect(question.question).toBe('Tabs or spaces?');
    await world.is('awaiting_steward');
    expect(world.feature('C').status).toBe('completed');
    expect(world.feature('A')).toMatchObject({ status: 'pending', retry_count: 0 });
    await world.approve('stuck', { feedback: 'Spaces, four of them.' });
    await world.is('completed');
    expect(world.opening('worker', 1, 'A')).toContain('Spaces, four of them.');
    for (const role of ['reviewer', 'summarizer'] as const) {
      const told = /- \[question 1, about feature "A"\] Tabs or spaces\?\n {2}Answered by the steward at .*: (.*)/;
      expect(told.exec(world.opening(role))?.[1]).toBe('Spaces, four of them.');
    }
    expect(world.feature('A')).toMatchObject({ status: 'completed', retry_count: 0 });
    expect(world.git.files('main')['B.txt']).toBe('B.txt\n');
  });

  test('is given its answer once in a new conversation', async () => {
    await using world = await LoopWorld.open({ scenario: asks() });
    await world.submit({ conversation: 'fresh' });
    await world.approve('stuck', { feedback: 'Spaces, four of them.' });
    await world.is('completed');
    expect(world.opening('worker', 1, 'A').split('Spaces, four of them.')).toHaveLength(2);
  });

  test.each(['stuck', 'blocked'] as const)('is not approved without words: %s', async (outcome) => {
    const attempts = [attempt(report(outcome, 'Tabs or spaces?')), writes('A.txt')];
    await using world = await LoopWorld.open({ scenario: scenarioOf([{ features: [{ name: 'A', attempts }] }]) });
    await world.submit();
    const { id } = await world.asked('stuck');
    for (const feedback of [null, ' \n']) {
      const bare = world.owner.request('decide', { approvalId: id, decision: 'approved', feedback });
      await expect(bare).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        message: `question ${id} needs an answer in words`,
        hint: expect.stringContaining(`autonomous approve ${id} --answer`),
      });
    }
    expect(world.state.approvals.get(id)?.status).toBe('pending');
    await world.approve('stuck', { feedback: 'Tabs.' });
    await world.is('completed');
  });

  test('is given up when the steward says so: its dependents are held, then fail with the phase', async () => {
    await using world = await LoopWorld.open({ scenario: asks() });
    await world.submit({ gates: ['phase'], batch: 1 });
    await world.reject('stuck', 'Drop it.');
    const { detail } = await world.asked('phase');
    expect(detail).toMatch(/\n- failed: A \(.*Drop it\..*\)\n- held: B \(depends on "A", which failed\)\n/);
    expect(detail).toContain('- completed (1): C\n\nChanges:\n C.txt | 1 +');
    expect(world.feature('A')).toMatchObject({ status: 'failed' });
    expect(world.feature('A').failure_reason).toContain('Drop it.');
    expect(world.feature('B')).toMatchObject({ status: 'pending', retry_count: 0 });
    expect(world.opening('reviewer')).toMatch(/B.*depends on "A", which failed/s);
    await world.approve('phase');
    await world.is('completed');
    expect(world.feature('B')).toMatchObject({ status: 'failed', failure_reason: 'dependency_failed' });
    expect(world.attempts('B')).toEqual([]);
    expect(Object.keys(world.git.files('main'))).toEqual(['C.txt', 'README.md']);
  });
});

describe('a reviewer that cannot decide', () => {
  const scenario = scenarioOf([{ features: [{ name: 'A' }], reviews: [escalates('Is a rewrite wanted?'), approves] }]);

  test('leaves it to the steward, who approves', async () => {
    await using world = await LoopWorld.open({ scenario });
    await world.submit();
    const asked = await world.approve('escalate', { feedback: 'It is wanted.' });
    expect(asked.detail).toContain('Is a rewrite wanted?');
    await world.is('completed');
    expect(world.happened('phase_approved').map((event) => event.by)).toEqual(['steward']);
  });

  test('leaves it to the steward, who rejects: a fix feature is made and reviewed', async () => {
    await using world = await LoopWorld.open({ scenario });
    await world.submit();
    await world.reject('escalate', 'Not like this.');
    await world.is('completed');
    expect(names(world)).toEqual(['A', 'Fix: Not like this']);
    expect(world.opening('worker', 1)).toContain('Not like this.');
    expect(world.happened('phase_approved').map((event) => event.by)).toEqual(['reviewer']);
  });
});

test('a phase that a reviewer approves while a command fails in the fresh checkout is left to the steward', async () => {
  const types: string[] = [];
  const commands = { ls: () => ({ exitCode: types.includes('attempt_ended') ? 127 : 0 }) };
  const scenario = scenarioOf([{ verify: ['ls'], features: [{ name: 'A' }], reviews: [approves] }]);
  await using world = await LoopWorld.open({ scenario, commands });
  world.owner.follow({ event: ({ type }) => void types.push(type) });
  await world.submit();
  const asked = await world.asked('escalate');
  expect(asked.detail).toContain('`ls` failed in a fresh checkout, yet the reviewer approved it');
  expect(asked.detail).toContain(
    "\n- ls: failed (exit code 127), in a fresh checkout, but passed in the worker's tree\n",
  );
  expect(world.happened('phase_approved')).toEqual([]);
});

describe('the merge gate', () => {
  test('a refusal becomes a fix feature, and the merge is asked again for the new commit', async () => {
    await using world = await LoopWorld.open();
    await world.submit({ gates: ['merge'] });
    const first = await world.reject('merge', 'A licence is missing.');
    await world.until('the refusal is carried out', () => world.happened('merge_refused').length > 0);
    const second = await world.asked('merge');
    expect(second.commit).not.toBe(first.commit);
    expect(world.opening('worker', 1)).toContain('A licence is missing.');
    expect(world.git.subjects('main')).toEqual(['Start']);
    await world.approve('merge');
    await world.is('completed');
    expect(world.git.commitOf('main^2')).toBe(second.commit);
    expect(Object.keys(world.git.files('main'))).toEqual(['A.txt', 'README.md', 'fix.txt']);
  });

  test('a yes that names no choice is refused, and one for a commit that has moved is void', async () => {
    await using world = await LoopWorld.open();
    await world.submit({ gates: ['merge'] });
    const asked = await world.asked('merge');
    const bare = world.owner.request('decide', { approvalId: asked.id, decision: 'approved' });
    await expect(bare).rejects.toMatchObject({ code: 'INVALID_INPUT', hint: 'Choose one of: merge, branch, patch.' });
    world.git.userCommits({ 'other.txt': 'mine\n' });
    await world.approve('merge');
    await world.until('the base is taken in', () => world.happened('base_merged').length > 0);
    const again = await world.asked('merge');
    expect(again.commit).not.toBe(asked.commit);
    const late = world.owner.request('decide', { approvalId: asked.id, decision: 'approved' });
    await expect(late).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
    expect(world.git.subjects('main')).toEqual(['By the user', 'Start']);
  });

  test('shows what would execute on the machine of the user', async () => {
    const scenario = scenarioOf([{ features: [{ name: 'A', attempts: [writes('.github/workflows/ci.yml')] }] }]);
    await using world = await LoopWorld.open({ scenario });
    await world.submit({ gates: ['merge'] });
    expect((await world.asked('merge')).executables).toEqual(['.github/workflows/ci.yml']);
  });
});

test('only a person answers what is not a gate', async () => {
  await using world = await LoopWorld.open({
    scenario: scenarioOf([{ features: [{ name: 'A', attempts: [stuck('?')] }] }]),
  });
  await world.submit();
  const { id } = await world.asked('stuck');
  const waved = world.owner.request('decide', { approvalId: id, decision: 'approved', by: 'yes_flag' });
  await expect(waved).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
  const bare = world.owner.request('decide', { approvalId: id, decision: 'rejected' });
  await expect(bare).rejects.toMatchObject({ code: 'INVALID_INPUT' });
});

test('the phase gate asks before the next phase begins', async () => {
  const scenario = scenarioOf([{ features: [{ name: 'A' }] }, { features: [{ name: 'B' }] }]);
  await using world = await LoopWorld.open({ scenario });
  await world.submit({ gates: ['phase'] });
  await world.asked('phase');
  expect(world.happened('phase_started')).toHaveLength(1);
  await world.approve('phase');
  await world.until('the second phase is under way', () => world.happened('phase_started').length === 2);
  await world.approve('phase');
  await world.is('completed');
  expect(world.opening('worker', 1)).toContain('Phase 1 is done.');
});
