/** The verify commands before any work: who is told, and what becomes of a failure that no feature caused. */
import { describe, expect, test } from 'vitest';
import { approves, rejects, scenarioOf, writes } from '../../../../support/demo/briefs.ts';
import { LoopWorld, type Outcomes } from '../../../../support/world/loopWorld.ts';

const NOT_FOUND = { exitCode: 127, output: 'sh: 1: tap: not found' };

/** The check passes once the install command has run. */
function installable(): Outcomes {
  let installed = false;
  return {
    'sh check.sh': () => (installed ? { exitCode: 0 } : NOT_FOUND),
    'sh install.sh': () => {
      installed = true;
      return { exitCode: 0 };
    },
  };
}

describe('before any work', () => {
  test('each verify command runs once in a fresh checkout, and workers and the reviewer are told', async () => {
    const ran: string[] = [];
    const commands = {
      'sh check.sh': (cwd: string) => {
        ran.push(cwd);
        return { exitCode: ran.length === 1 ? 1 : 0, output: 'nothing to test' };
      },
    };
    const scenario = scenarioOf([{ verify: ['sh check.sh', 'ls'], features: [{ name: 'A' }] }]);
    await using world = await LoopWorld.open({ scenario, commands, sandboxed: true });
    await world.run();
    const [checked] = world.happened('baseline_checked');
    // The second command runs although the first one failed.
    expect(checked?.evidence.map(({ command, exitCode }) => [command, exitCode])).toEqual([
      ['sh check.sh', 1],
      ['ls', 0],
    ]);
    expect(checked?.evidence.every(({ commit, fresh }) => commit === world.job.baseline && fresh !== undefined)).toBe(
      true,
    );
    expect(ran[0]).not.toBe(world.job.clone_dir);
    for (const role of ['worker', 'reviewer'] as const) {
      expect(world.opening(role)).toMatch(
        /# Verify commands before any work.*`sh check\.sh`: exit code 1\n.*nothing to test/s,
      );
    }
    expect(world.job.baseline_checks).toHaveLength(2);
  });

  test('a failure that was there before is named to the worker and, if the reviewer approves it, to the steward', async () => {
    const commands = { 'sh check.sh': () => NOT_FOUND };
    const scenario = scenarioOf([{ verify: ['sh check.sh'], features: [{ name: 'A' }], reviews: [approves] }]);
    await using world = await LoopWorld.open({ scenario, commands, sandboxed: true });
    await world.submit();
    await world.approve('stuck');
    const asked = await world.asked('stuck');
    expect(asked.question).toContain('needs a tool that is not installed');
    await world.reject('stuck', 'Leave it.');
    const escalated = await world.asked('escalate');
    expect(escalated.detail).toContain('No feature of this phase is completed');
  });

  test('the feedback of a failed attempt says that the command failed before', async () => {
    let works = false;
    const commands = { 'sh check.sh': () => ({ exitCode: works ? 0 : 1, output: 'old failure' }) };
    const attempts = [writes('A.txt'), writes('B.txt')];
    const scenario = scenarioOf([{ verify: ['sh check.sh'], features: [{ name: 'A', attempts }] }]);
    await using world = await LoopWorld.open({ scenario, commands, sandboxed: true });
    await world.submit();
    await world.until('the first attempt failed', () => world.happened('attempt_ended').length > 0);
    works = true;
    await world.is('completed');
    expect(world.happened('attempt_ended')[0]?.feedback).toContain('failed before any work too, in the same way');
    expect(world.opening('worker', 1)).toContain('report blocked and name it');
  });

  test('they do not run without a sandbox, where each run is a question', async () => {
    await using world = await LoopWorld.open();
    await world.run();
    const [checked] = world.happened('baseline_checked');
    expect(checked).toMatchObject({ evidence: [], skipped: expect.stringContaining('no sandbox') });
    expect(world.opening('worker')).not.toContain('before any work');
  });

  test('they run again once the missing setup is added', async () => {
    const commands = installable();
    const scenario = scenarioOf([
      { verify: ['sh check.sh'], features: [{ name: 'A' }], reviews: [rejects('x'), approves] },
    ]);
    await using world = await LoopWorld.open({ scenario, commands, sandboxed: true });
    await world.submit({ allowedCommands: [['ls'], ['sh', 'check.sh'], ['sh', 'install.sh']] });
    await world.approve('stuck');
    await world.asked('stuck');
    await world.owner.request('addSetup', { jobId: world.jobId, command: 'sh install.sh' });
    await world.until('they ran again', () => world.happened('baseline_checked').length === 2);
    expect(world.job.baseline_checks).toMatchObject([{ exitCode: 0 }]);
    await world.approve('stuck');
    await world.is('completed');
  });
});

describe('a job whose verify commands all lack something', () => {
  const scenario = scenarioOf([{ verify: ['sh check.sh'], features: [{ name: 'A' }] }]);
  const allowedCommands = [['ls'], ['sh', 'check.sh'], ['sh', 'install.sh']];

  test('asks before it pays a worker, and begins once a setup command was added', async () => {
    const commands = installable();
    await using world = await LoopWorld.open({ scenario, commands, sandboxed: true });
    await world.submit({ allowedCommands });
    const asked = await world.asked('stuck');
    expect(asked).toMatchObject({ subject: 'tool_missing:baseline', feature_id: null });
    expect(asked.detail).toContain('`sh check.sh`: sh: 1: tap: not found');
    expect(world.happened('attempt_started')).toEqual([]);
    await world.owner.request('addSetup', { jobId: world.jobId, command: 'sh install.sh' });
    await world.is('completed');
    expect(world.state.approvals.get(asked.id)?.status).toBe('void');
    expect(world.happened('baseline_checked')).toHaveLength(2);
    expect(world.happened('attempt_ended').map(({ status }) => status)).not.toContain('blocked');
  });

  test('pauses after a no, and checks again when it is resumed', async () => {
    let installed = false;
    const commands = { 'sh check.sh': () => (installed ? { exitCode: 0 } : NOT_FOUND) };
    await using world = await LoopWorld.open({ scenario, commands, sandboxed: true });
    await world.submit({ allowedCommands });
    await world.reject('stuck', 'I install it.');
    await world.is('paused');
    installed = true;
    await world.owner.request('resumeJob', { jobId: world.jobId });
    await world.is('completed');
    expect(world.happened('baseline_checked')).toHaveLength(2);
  });
});
