/** Agents at the terminal: who they are, who does what, and results side by side. */
import { describe, expect, test } from 'vitest';
import { builtInAgents } from '../../../../src/adapters/userData/knownAgents.ts';
import type { AgentProbe } from '../../../../src/shared/agent/executors.ts';
import { howToAnswer } from '../../../../src/terminal/approval/approvalText.ts';
import type { Context } from '../../../../src/terminal/screen/context.ts';
import { fakeWorkspace } from '../../../support/editor/fakeWorkspace.ts';
import { approvalRow, attemptRow, featureRow, stateOf } from '../../../support/state/builders.ts';
import { newestJob, terminalWorld, type World } from '../../../support/world/terminalWorld.ts';

const json = (world: World): unknown => JSON.parse(world.out);

async function say(world: World, ...argv: string[]): Promise<string> {
  world.clear();
  expect(await world.run(...argv), world.err).toBe(0);
  return world.out;
}

const PROBE: AgentProbe = {
  name: 'cline',
  title: 'cline',
  state: 'ready',
  detail: '',
  fix: '',
  version: '3.0\u001b[2J',
  protocol: 1,
  can: ['resumes'],
  lacks: ['MCP'],
  priced: true,
};

function probed(): Promise<World> {
  const { cline, codex } = builtInAgents();
  if (cline === undefined || codex === undefined) throw new Error('the data file lacks them');
  const missing = { ...PROBE, name: 'codex', state: 'missing', version: null, protocol: null } as const;
  return terminalWorld({
    workspace: {
      agent: {
        look: async ({ name } = {}) => ({
          agents: [
            { name: 'cline', entry: cline, probe: PROBE },
            { name: 'codex', entry: codex, probe: { ...missing, detail: 'It is not installed', fix: codex.install } },
          ].filter((agent) => name === undefined || agent.name === name),
          faults: ['agents.yaml line 3: mine: speaks: no'],
          file: '/config/agents.yaml',
        }),
      },
    },
  });
}

describe('agents', () => {
  test('lists them with what is missing and who pays', async () => {
    const world = await probed();
    const text = await say(world, 'agents');
    expect(text).toMatch(/^builtin +the built-in agent +ready/m);
    expect(text).toMatch(/^cline +cline +ready +3\.0<U\+001B>\[2J +ACP 1 +us$/m);
    expect(text).toMatch(/^codex +Codex +missing +- +ACP +own account$/m);
    expect(text).toContain('codex: It is not installed. npm install -g @agentclientprotocol/codex-acp');
    expect(text).toContain('In /config/agents.yaml:\n  agents.yaml line 3: mine: speaks: no');
    await say(world, 'agents', '--json');
    expect(json(world)).toMatchObject({
      version: 1,
      agents: [
        { name: 'cline', paidBy: 'us', probe: { state: 'ready' } },
        { name: 'codex', paidBy: 'own account' },
      ],
      faults: [expect.stringContaining('line 3')],
    });
    expect(await say(await terminalWorld(), 'agents', '--no-probe')).toMatch(/^goose +goose +- +- +ACP +us$/m);
  });

  test('shows all of one, and why a line of one’s own does not count', async () => {
    const world = await probed();
    expect(await say(world, 'agents', 'show', 'cline')).toContain('Started  cline --acp -c {clone}');
    expect(await world.run('agents', 'show', 'mine')).toBe(2);
    expect(world.err).toContain('agents.yaml line 3: mine');
  });
});

describe('who does it', () => {
  test('is looked at when it is chosen: what it lacks is known before it costs anything', async () => {
    const world = await probed();
    await world.run(
      'plan',
      'x',
      '--executor',
      'worker=codex,planner=cline',
      '--max-calls',
      '9',
      '--max-tokens',
      '9000',
    );
    expect(world.err).toContain('cline 3.0<U+001B>[2J (ACP 1): resumes, lacks MCP\n');
    expect(world.err).toContain('codex is not ready: It is not installed. npm install -g');
    world.clear();
    await world.run('plan', 'x', '--executor', 'builtin');
    expect(world.err).not.toContain('ready');
  });

  test('is chosen with the brief, by role or for all, and bounded where it has no price', async () => {
    const world = await terminalWorld();
    await world.run('plan', 'Write a stack', '--executor', 'worker=cline,reviewer=claude');
    expect(newestJob(world).options.executors).toEqual({ worker: 'cline', reviewer: 'claude' });
    expect(await say(world, 'job', 'show')).toMatch(/Agents +planner builtin, worker cline, reviewer claude/);
    expect(await world.run('plan', 'x', '--executor', 'codex')).toBe(2);
    expect(world.err).toContain('--max-calls and --max-tokens');
    await world.run('plan', 'x', '--executor', 'codex', '--max-calls', '10', '--max-tokens', '10000');
    expect(newestJob(world).options).toMatchObject({
      executors: { planner: 'codex', worker: 'codex', reviewer: 'codex' },
      unpricedLimits: { calls: 10, tokens: 10_000 },
    });
    // Its account is no simulation, whoever plays our models.
    await world.run(
      'plan',
      'x',
      '--provider',
      'simulated',
      '--executor',
      'codex',
      '--max-calls',
      '10',
      '--max-tokens',
      '9',
    );
    expect(await say(world, 'job', 'show')).toContain('An agent with its own account really is billed there.');
  });

  test.each([
    [['--executor', 'nobody'], 'there is no agent nobody'],
    [['--executor', 'summarizer=cline'], 'is no role of an agent'],
    [['--executor', 'worker=cline', '--executor', 'claude'], 'names a role twice'],
    [['--executor', 'Cline'], 'is not the name of an agent'],
    [['--max-calls', '3'], 'belong together'],
  ])('%j is refused', async (options, why) => {
    const world = await terminalWorld();
    expect(await world.run('run', 'x', ...options)).toBe(2);
    expect(world.err).toContain(why);
  });

  test('is the project’s where the brief does not say', async () => {
    const world = await terminalWorld();
    expect(await world.run('project', 'new', 'api', 'Goal', '--executor', 'nobody')).toBe(2);
    await say(world, 'project', 'new', 'api', 'Goal', '--executor', 'planner=claude,worker=cline');
    expect(await say(world, 'project', 'show', 'api')).toContain('planner claude, worker cline, reviewer builtin');
    await world.run('plan', 'x', '--project', 'api', '--executor', 'worker=goose');
    expect(newestJob(world).options.executors).toEqual({ planner: 'claude', worker: 'goose' });
    await say(world, 'project', 'edit', 'api', '--executor', 'none');
    await world.run('plan', 'x', '--project', 'api');
    expect(newestJob(world).options.executors).toBeUndefined();
  });

  test('is chosen for a feature, and shown on the board', async () => {
    const { world, id } = await stuckBefore('peek');
    expect(await say(world, 'agents', 'choose', String(id), 'cline', 'claude')).toBe(
      `Feature ${id} (peek): 2 agents as candidates, cline, claude; you pick one result\n`,
    );
    expect(await say(world, 'board')).toMatch(/AGENT$/m);
    expect(await say(world, 'board')).toMatch(/peek.*cline, claude$/m);
    await say(world, 'agents', 'choose', String(id), '--job-default', '--json');
    expect(json(world)).toEqual({ version: 1, feature: { id, executors: null } });
    expect(await world.run('agents', 'choose', String(id))).toBe(2);
    expect(await world.run('agents', 'choose', String(id), 'nobody')).toBe(2);
    expect(await world.run('agents', 'choose', String(id), 'cline', '--job-default')).toBe(2);
  });
});

describe('a plan that is approved while no process works', () => {
  test.each([
    ['awaits', ['plan', 'Write a stack'], []],
    ['is paused', ['plan', 'Write a stack'], ['job', 'pause']],
  ] as const)('gives features that an agent is chosen for at once, if the job %s', async (_how, file, then) => {
    const world = await terminalWorld();
    expect(await world.run(...file)).toBe(3);
    if (then.length > 0) await say(world, ...then);
    await say(world, 'approve', '1');
    expect(await say(world, 'agents', 'choose', '2', 'cline')).toContain('Feature 2 (peek): by cline');
    expect(await say(world, 'board')).toMatch(/peek.*cline$/m);
    // The job takes up that plan, and accepts none a second time.
    await world.run('run', '--resume', '--yes');
    expect([...world.store.state.features.keys()]).toEqual([1, 2, 3]);
    expect(world.store.state.features.get(2)?.executors).toEqual(['cline']);
  });
});

/** A job whose first feature waits for an answer: the others depend on it. */
async function stuckBefore(name: string): Promise<{ readonly world: World; readonly id: number }> {
  const attempts = { 'push and pop': ['stuck'], peek: ['stuck'], 'command line': ['stuck'] } as const;
  const world = await terminalWorld({ script: { attempts } });
  await world.run('run', 'Write a stack', '--yes');
  const feature = [...world.store.state.features.values()].find((row) => row.name === name);
  return { world, id: feature?.id ?? 0 };
}

test('one that cannot work is done without: for the job, or for the feature that has agents of its own', () => {
  const named = { projectDir: '/w', word: null, jobsDir: null };
  const workspace = fakeWorkspace({}, { folder: '/w', jobsDir: null });
  const context = { named, workspace, allowedHosts: [] } as unknown as Context;
  const asked = approvalRow({ id: 3, kind: 'provider', subject: 'failure:AGENT_MISSING:3' });
  const about = (executors: readonly string[] | null) =>
    howToAnswer(
      context,
      asked,
      stateOf({
        attempts: [attemptRow({ status: 'interrupted', feature_id: 8 })],
        features: [featureRow({ id: 8, executors })],
      }),
    );
  expect(about(['cline', 'claude'])).toContain('autonomous agents choose 8 NAME…');
  expect(about(null)).toContain('autonomous run --resume job-1 --executor NAME');
});

describe('results side by side', () => {
  test('are compared and one is picked, by a person alone', async () => {
    const { world, id } = await stuckBefore('peek');
    await say(world, 'agents', 'choose', String(id), 'builtin', 'cline', 'claude');
    expect(await world.run('run', '--resume', '--yes')).toBe(3);
    expect(world.out).toContain('"peek" by cline passed (candidate)');
    const [asked] = [...world.store.state.approvals.values()].filter((row) => row.kind === 'pick');
    const [first, second, third] = world.store.state.features.get(id)?.candidates ?? [];
    const text = await say(world, 'approvals');
    expect(text).toContain('ATTEMPT  AGENT    RESULT  COMMANDS');
    expect(text).toMatch(new RegExp(`^ +${second}  cline +passed +1/1 +- +\\$0\\.0123`, 'm'));
    expect(text).toContain(`approve ${asked?.id} --choice ATTEMPT`);
    expect(await world.run('approve', String(asked?.id))).toBe(2);
    expect(world.err).toContain(`--choice ATTEMPT is one of ${first}, ${second}, ${third}`);
    await say(world, 'approve', String(asked?.id), '--choice', String(third));
    await world.run('run', '--resume', '--yes');
    expect(world.store.state.features.get(id)).toMatchObject({ status: 'completed', candidates: [] });
    expect(await say(world, 'board', 'show', String(id))).toMatch(/succeeded by claude, .*session \d+/);
    expect(await say(world, 'costs')).toMatch(/^claude +worker +1 +1\/1 +100 %/m);
  });
});
