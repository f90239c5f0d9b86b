/** Briefs whose workers are somebody else's agent, a scripted one: over a real owner, thread, process, git and MCP. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import type { AgentEntry } from '../../../src/shared/agent/executorSchemas.ts';
import type { AgentScript, Step } from '../../fixtures/agents/script.ts';
import { scriptedAgent, startBuilt } from '../../support/agent/scriptedAgent.ts';
import { scenarioOf, stuck, writes as writesFile } from '../../support/demo/briefs.ts';
import { testPrograms } from '../../support/process/testPrograms.ts';
import { shellGround } from '../../support/shell/shell.ts';
import { EngineWorld, type WorldOptions } from '../../support/world/engineWorld.ts';

/** Found among the processes of the machine: no other run of the tests has the name. */
const LEFT_BEHIND = `left-behind-${process.pid}`;

startBuilt(await testPrograms(inject('tempRoot')));

/** By name: what it does in its turns, and what its line says otherwise. */
type Agents = Readonly<Record<string, AgentScript & { readonly entry?: Partial<AgentEntry> }>>;

type Entries = Readonly<Record<string, AgentEntry>>;

function entriesOf(agents: Agents): Entries {
  const lines = Object.entries(agents).map(
    ([name, { entry = {}, ...script }]) => [name, scriptedAgent(script, entry)] as const,
  );
  return Object.fromEntries(lines);
}

function known(world: EngineWorld, entries: Entries): void {
  mkdirSync(world.places.configDir, { recursive: true });
  writeFileSync(join(world.places.configDir, 'agents.yaml'), JSON.stringify(entries), { mode: 0o600 });
}

/** In the sandbox, where this machine has one; they are allowed without it. `later`: what its agents become. */
async function open(agents: Agents, options: WorldOptions = {}, later: Agents = {}): Promise<EngineWorld> {
  const entries = entriesOf(agents);
  const allowed = [entries, entriesOf(later)].flatMap((all) => Object.values(all).map(({ argv }) => argv));
  const world = await EngineWorld.open({ sandbox: true, ...options, allowed });
  known(world, entries);
  return world;
}

const report = (summary = 'Did it.'): Step => ({ do: 'tool', name: 'report', input: { outcome: 'done', summary } });
const writes = (path: string, content = `${path}\n`): Step => ({ do: 'write', path, content });

/** A file for each time that it was opened. */
function transcriptOf(world: EngineWorld, sessionId = 0): string {
  const folder = join(world.places.stateDir, 'sessions');
  const names = readdirSync(folder).filter((name) => name.startsWith(`${sessionId}.`));
  return names.map((name) => readFileSync(join(folder, name), 'utf8')).join('');
}

function running(words: string): string[] {
  const all = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n');
  return all.filter((line) => line.includes(words));
}

const PLAN = {
  title: 'A file',
  phases: [
    {
      title: 'Files',
      objective: 'A file is there.',
      acceptance_criteria: ['A.txt is there.'],
      verify_commands: ['cat A.txt'],
      features: [{ name: 'A', description: 'Make A.txt.', category: 'core' }],
    },
  ],
};

const ONE = scenarioOf([{ verify: ['cat A.txt'], features: [{ name: 'A' }] }]);

test('a brief is carried out, with a note, calls of the model through the gateway, and nothing left behind', async ({
  skip,
}) => {
  const { close, runner } = shellGround();
  const { mode } = await runner.sandbox();
  await close();
  skip(mode !== 'sandboxed', 'no sandbox on this machine');
  const note = { scope: 'global', content: 'Tabs, not spaces.' };
  const turns: Step[][] = [
    [
      { do: 'model', text: 'Assignment: reviewer | phase "x" | attempt 1' },
      { do: 'tool', name: 'note', input: note },
      { do: 'run', command: 'echo outside > ../outside.txt; echo outside > /tmp/of-the-sandbox.txt' },
      { do: 'background', name: LEFT_BEHIND },
      writes('A.txt'),
      report(),
      writes('late.txt'),
    ],
  ];
  // A planner has no attempt: its death is survived all the same.
  const once = 'test -f $HOME/once || { touch $HOME/once; kill -9 $PPID; }';
  const submits: Step = { do: 'tool', name: 'submit_plan', input: PLAN };
  const plans: Step[][] = [[{ do: 'run', command: once }, submits]];
  const verdict = { verdict: 'APPROVED', reason: 'It is there.' };
  const judges: Step[][] = [
    [
      { do: 'run', command: 'echo x > A.txt' },
      { do: 'terminal', command: 'sh -c "echo x > B.txt || autonomous status || echo only-to-be-read"' },
    ],
    [
      { do: 'model', told: true },
      { do: 'tool', name: 'submit_verdict', input: verdict },
    ],
  ];
  const agents = { scripted: { turns }, plans: { turns: plans }, judges: { turns: judges } };
  // The reviewer's model approves.
  const scenario = scenarioOf([{ title: 'Files', features: [{ name: 'A' }] }]);
  await using world = await open(agents, { scenario });
  await world.run({ executors: { planner: 'plans', worker: 'scripted', reviewer: 'judges' } });
  expect(world.git('show', 'main:A.txt')).toBe('A.txt');
  expect(existsSync(join(world.job.clone_dir ?? '', '..', 'outside.txt'))).toBe(false);
  expect(world.git('ls-tree', '--name-only', 'main')).not.toContain('late.txt');
  const [attempt] = world.attempts('A');
  const session = world.state.sessions.get(attempt?.session_id ?? 0);
  expect(session).toMatchObject({ executor: 'scripted', role: 'worker', status: 'completed' });
  expect([...world.state.notes.values()].map((row) => row.content)).toEqual(['Tabs, not spaces.']);
  const paid = [...world.state.spends.values()].filter((row) => row.session_id === session?.id);
  expect(paid).toMatchObject([{ status: 'settled', attempt_id: attempt?.id }]);
  const who = [...world.state.sessions.values()].map((row) => `${row.role}: ${row.executor}`);
  expect(who).toEqual(['planner: plans', 'worker: scripted', 'reviewer: judges', 'summarizer: builtin']);
  const planner = [...world.state.sessions.values()].find((row) => row.role === 'planner');
  expect(transcriptOf(world, planner?.id)).toContain('Engine: you were interrupted');
  const reviewer = [...world.state.sessions.values()].find((row) => row.role === 'reviewer');
  expect(transcriptOf(world, reviewer?.id)).toContain('only-to-be-read');
  expect(world.server.requests.filter((request) => request.path.includes('messages'))).toHaveLength(3);
  expect(running(LEFT_BEHIND)).toEqual([]);
  const transcript = transcriptOf(world, session?.id);
  expect(transcript).toContain('"executor":"scripted"');
  expect(transcript).toContain('Write A.txt');
  expect(transcript).not.toContain('sk-secret-of-the-user');
});

test('one that dies in mid-turn is gone on with where it was, and no retry is used', async () => {
  // Its own process is the parent of the shell.
  const dies: Step = {
    do: 'run',
    command: 'echo x >> deaths.txt; test $(wc -l < deaths.txt) -gt 2 || kill -9 $PPID',
  };
  const turns: Step[][] = [[dies, { do: 'recall' }, writes('A.txt'), report()]];
  await using world = await open({ frail: { turns, resumes: true } }, { scenario: ONE });
  await world.run({ executors: { worker: 'frail' } });
  expect(world.attempts('A')).toMatchObject([{ status: 'succeeded', number: 1, interruptions: 2 }]);
  expect(world.feature('A')).toMatchObject({ retry_count: 0, crash_count: 0 });
  expect(world.git('show', 'main:deaths.txt').split('\n')).toHaveLength(3);
  const transcript = transcriptOf(world, world.attempts('A')[0]?.session_id);
  // It remembers: it is told no more than that.
  expect(transcript).toMatch(/prompts[^\n]*Engine: you were interrupted/);
  expect(transcript).not.toContain('What was done before');
});

test('one that is not signed in is asked about; then a claim without the work is a failed attempt, a turn without a report is asked for it', async () => {
  // The second process goes on where the tree lies.
  const turns: Step[][] = [
    [{ do: 'run', command: 'test -f half.txt && echo A > A.txt; touch half.txt' }],
    [{ do: 'script', words: ['report', 'done', 'All of it.'] }],
  ];
  const now: Agents = { later: { turns } };
  await using world = await open({ later: { turns, start: 'login' } }, { scenario: ONE }, now);
  await world.submit({ executors: { worker: 'later' } });
  const asked = await world.asked('provider');
  expect(asked.question).toMatch(/Try again\?$/);
  expect(world.feature('A').retry_count).toBe(0);
  known(world, entriesOf(now));
  await world.approve('provider');
  await world.is('completed');
  expect(world.attempts('A')).toMatchObject([
    { number: 1, status: 'failed', cause: 'verify_failed', summary: 'All of it.', interruptions: 0 },
    { number: 2, status: 'succeeded', cause: 'done' },
  ]);
  expect(world.feature('A').retry_count).toBe(1);
  const workers = [...world.state.sessions.values()].filter(({ role }) => role === 'worker');
  expect(workers.map(({ status }) => status)).toEqual(['completed', 'completed']);
});

test('results of two lie side by side on the same tree, and the one that a person picks is merged', async () => {
  const by = (name: string): AgentScript => ({
    turns: [
      [
        { do: 'tool', name: 'notes', input: {} },
        { do: 'tool', name: 'note', input: { scope: 'global', content: `${name} was here` } },
        { do: 'run', command: 'ls > seen.txt' },
        writes('B.txt', `${name}\n`),
        report(`By ${name}.`),
      ],
    ],
  });
  const attempts = [stuck('Tabs?'), writesFile('A.txt')];
  const features = [
    { name: 'A', attempts },
    { name: 'B', after: ['A'] },
  ];
  await using world = await open({ one: by('one'), two: by('two') }, { scenario: scenarioOf([{ features }]) });
  await world.submit();
  await world.asked('stuck');
  await world.owner.request('chooseExecutors', { featureId: world.feature('B').id, executors: ['one', 'two'] });
  await world.approve('stuck', { feedback: 'Tabs.' });
  const asked = await world.asked('pick');
  const [first, second] = world.attempts('B');
  expect([first?.base_commit, second?.base_commit]).toEqual([world.job.head, world.job.head]);
  // Each finds the same: neither the files nor the notes of the other.
  expect(transcriptOf(world, second?.session_id)).toContain('No notes.');
  expect(asked.choices).toEqual([String(first?.id), String(second?.id)]);
  await world.restart();
  await world.approve('pick', { choice: String(second?.id) });
  await world.is('completed');
  expect(world.git('show', 'main:B.txt')).toBe('two');
  expect(world.git('show', 'main:seen.txt').split('\n')).toEqual(['A.txt', 'README.md', 'seen.txt']);
  expect(world.feature('B')).toMatchObject({ status: 'completed', retry_count: 0 });
});
