/** The verbs of tasks, on real requests; the steps are played. */
import { describe, expect, test } from 'vitest';
import { need, taskSteps } from '../../../../src/core/state/rows.ts';
import type { StepEnd } from '../../../../src/shared/task/taskEvents.ts';
import type { Json, TaskInput } from '../../../../src/shared/task/tasks.ts';
import type { EventDraft } from '../../../../src/shared/workspace/events.ts';
import { terminalWorld, type World, type WorldOptions } from '../../../support/world/terminalWorld.ts';

const STEPS = ['Identify Competitors', 'Gather Details'].map((name) => ({
  name,
  action: 'llm_generate',
  params: { prompt: 'List them.' },
}));

/** A world with a task in it, made by a person. */
async function withTask(task: Partial<TaskInput> = {}, options: WorldOptions = {}) {
  const world = await terminalWorld(options);
  const engine = await world.workspace.open({ work: 'nothing' });
  const made = await engine.request('createTask', { definition: { name: 'Market Research', steps: STEPS, ...task } });
  await engine.close();
  return { world, taskId: made.taskId };
}

const json = (world: World): Record<string, unknown> => JSON.parse(world.out.trim().split('\n').at(-1) ?? '');

async function say(world: World, ...argv: string[]): Promise<string> {
  world.clear();
  expect(await world.run(...argv), world.err).toBe(0);
  return world.out;
}

async function fails(world: World, code: number, ...argv: string[]): Promise<string> {
  world.clear();
  expect(await world.run(...argv)).toBe(code);
  return world.err;
}

const stepped = (task_id: string, parts: Partial<EventDraft & { type: 'task_stepped' }>): EventDraft =>
  ({ type: 'task_stepped', task_id, ended: [], skipped: [], started: [], message: null, ...parts }) as EventDraft;

const begun = (step_id: number, parts: object = {}) => ({
  step_id,
  wake_at: null,
  job_id: null,
  approval: null,
  ...parts,
});
const gave = (step_id: number, result: Json): StepEnd => ({
  step_id,
  session: null,
  outcome: 'completed',
  result,
  artifact: null,
  bytes: 8,
});

const question = (taskId: string) => ({
  id: 7,
  job_id: null,
  project_id: 'default',
  task_id: taskId,
  feature_id: null,
  phase_id: null,
  commit: null,
  kind: 'task' as const,
  subject: `task:${taskId}:1`,
  question: 'Publish it?',
  detail: '',
  choices: [],
  executables: [],
});

const ids = (world: World, taskId: string): number[] => need(world.store.state, 'tasks', taskId).steps as number[];
const status = (world: World, taskId: string) => world.store.state.tasks.get(taskId)?.status;

/** The world is followed, and its view has begun. */
async function following(world: World, ...argv: string[]): Promise<Promise<number>> {
  world.clear();
  const code = world.run(...argv, '--follow');
  await world.until(() => world.open > 0);
  return code;
}

describe('a task is named', () => {
  test('by the beginning of its id, where only one begins so', async () => {
    const { world, taskId } = await withTask();
    const short = taskId.slice(0, 9);
    expect(await say(world, 'task', 'show', short)).toContain(`Task ${taskId}: Market Research (pending)`);
    expect(await say(world, 'task', 'show', taskId.slice('task-'.length))).toContain(taskId);
    expect(await fails(world, 2, 'task', 'show', 'task-zz')).toContain('See: autonomous task list --all');
    await withTask({}, {}).then(() => undefined);
    for (let left = 20; left > 0; left--) {
      const engine = await world.workspace.open({ work: 'nothing' });
      await engine.request('createTask', { definition: { name: 'Another', steps: [] } });
      await engine.close();
    }
    expect(await fails(world, 2, 'task', 'show', 'task-')).toMatch(
      /21 tasks start with task-\n {2}They are .*and 16 more/,
    );
  });
});

describe('looking', () => {
  test('lists what is not over and the newest of the rest, and says where nothing runs', async () => {
    const { world, taskId } = await withTask();
    await say(world, 'task', 'start', taskId);
    const list = await say(world, 'task', 'list');
    expect(list).toMatch(new RegExp(`^${taskId} +Market Research +running +0 %`, 'm'));
    expect(list).toContain('No process carries out tasks now.');
    await say(world, 'task', 'list', '--json');
    expect(json(world)).toMatchObject({ version: 1, owned: false, tasks: [{ id: taskId, stepsTotal: 2 }] });
    expect(await fails(world, 2, 'task', 'list', '--project', 'gone')).toContain('there is no project gone');
  });

  test('shows steps, progress, report and log, harmless on a terminal', async () => {
    const { world, taskId } = await withTask({ name: 'Wipe \u202e it', objective: 'Know \u001b[2J all' });
    await say(world, 'task', 'start', taskId);
    const [first = 0, second = 0] = ids(world, taskId);
    await world.store.commit(stepped(taskId, { started: [begun(first)] }));
    await world.store.commit(stepped(taskId, { ended: [gave(first, 'one\u001b[2J')], started: [begun(second)] }));
    const shown = await say(world, 'task', 'show', taskId);
    expect(shown).toMatch(/^\+ 1\. Identify Competitors \(llm_generate, completed, /m);
    expect(shown).toMatch(/^> 2\. Gather Details \(llm_generate, running/m);
    for (const hidden of ['\u202e', '\u001b']) expect(shown).not.toContain(hidden);
    expect(await say(world, 'task', 'progress', taskId)).toMatch(
      /50 %, 1\/2 steps\n {2}Gather Details\n {2}\$0\.0000 · \S+/,
    );
    await say(world, 'task', 'progress', taskId, '--json');
    expect(json(world)).toMatchObject({ progress: { taskId, percent: 50, current: ['Gather Details'] } });
    await say(world, 'task', 'report', taskId, '--json');
    expect(json(world)).toMatchObject({ taskId, report: expect.stringContaining('## Steps') });
    expect(await say(world, 'task', 'log', taskId)).toMatch(/step 1: Identify Competitors: completed/);
  });
});

describe('following', () => {
  test('tells what happens line by line in a pipe, and ends with the task', async () => {
    const { world, taskId } = await withTask();
    const code = following(world, 'task', 'start', taskId);
    await world.until(() => status(world, taskId) === 'RUNNING');
    const [first = 0, second = 0] = ids(world, taskId);
    await world.store.commit(stepped(taskId, { started: [begun(first)] }));
    await world.store.commit(stepped(taskId, { ended: [gave(first, 'a')], started: [begun(second)] }));
    await world.store.commit(stepped(taskId, { ended: [gave(second, 'b')] }));
    const done = { type: 'task_completed', task_id: taskId, summary: 'All is known.', session: null, message: null };
    await world.store.commit(done as EventDraft);
    expect(await code).toBe(0);
    expect(world.out).toContain('Market Research: Identify Competitors: completed\n');
    expect(world.out).toMatch(
      new RegExp(`completed\n {2}All is known\\.\nReport: autonomous task report ${taskId}\n$`),
    );
    expect(world.open).toBe(0);
  });

  test('is one object a line with --json, and fails with the task', async () => {
    const { world, taskId } = await withTask();
    await say(world, 'task', 'start', taskId);
    const code = following(world, 'task', 'progress', taskId, '--json');
    await world.until(() => world.open > 0);
    const [first = 0] = ids(world, taskId);
    await world.store.commit(stepped(taskId, { started: [begun(first)] }));
    const end = {
      step_id: first,
      session: null,
      outcome: 'failed',
      error: 'no key',
      result: null,
      retryAt: null,
    } as const;
    await world.store.commit(stepped(taskId, { ended: [end] }));
    await world.store.commit({ type: 'task_failed', task_id: taskId, reason: 'no key', message: null });
    expect(await code).toBe(1);
    const lines = world.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.slice(-2)).toMatchObject([
      { version: 1, type: 'task_log', taskId, event: 'task:failed', level: 'error' },
      { version: 1, type: 'task_finished', ending: 'over', progress: { status: 'FAILED', reason: 'no key' } },
    ]);
    world.clear();
    expect(await world.run('task', 'progress', taskId, '--follow')).toBe(1);
    expect(world.out).toContain(`Retry at the failed step: autonomous task retry ${taskId} --follow`);
  });

  test('ends with 3 where only the steward can say how it goes on, while other steps are waited for', async () => {
    const { world, taskId } = await withTask();
    const code = following(world, 'task', 'start', taskId);
    await world.until(() => status(world, taskId) === 'RUNNING');
    const [first = 0, second = 0] = ids(world, taskId);
    const both = [begun(first, { approval: question(taskId) }), begun(second)];
    await world.store.commit(stepped(taskId, { started: both }));
    expect(world.open).toBe(1);
    await world.store.commit(stepped(taskId, { ended: [gave(second, 'b')] }));
    expect(await code).toBe(3);
    expect(world.out).toContain('Question 7 (task): Publish it?\n  Approve:  autonomous approve 7 [--answer "…"]');
    expect(await fails(world, 3, 'task', 'progress', taskId)).toBe('');
    const approvals = await say(world, 'approvals');
    expect(approvals).toContain(`Task:     ${taskId} (Market Research)`);
    expect(await say(world, 'approve', '7')).toContain(`Continue: autonomous task progress ${taskId} --follow`);
  });

  test('asks a person at the terminal, and goes on with the answer', async () => {
    const { world, taskId } = await withTask({}, { tty: true, typed: ['x', 'a', 'Only the summary.', 'q'] });
    const code = following(world, 'task', 'start', taskId);
    await world.until(() => status(world, taskId) === 'RUNNING');
    const [first = 0, second = 0] = ids(world, taskId);
    await world.store.commit(stepped(taskId, { started: [begun(first, { approval: question(taskId) })] }));
    await world.until(() => world.store.state.approvals.get(7)?.status === 'approved');
    expect(world.asked).toContain('[a]pprove [r]eject [q] leave: ');
    expect(world.store.state.approvals.get(7)?.feedback).toBe('Only the summary.');
    await world.store.commit(stepped(taskId, { ended: [gave(first, true)] }));
    const other = { ...question(taskId), id: 8, subject: `task:${taskId}:2` };
    await world.store.commit(stepped(taskId, { started: [begun(second, { approval: other })] }));
    expect(await code).toBe(3);
    expect(world.out).toContain('autonomous approve 8');
  });

  test('waits after a yes to what paused it until the owner lets it go on', async () => {
    const { world, taskId } = await withTask({}, { tty: true, typed: ['a'] });
    const code = following(world, 'task', 'start', taskId);
    await world.until(() => status(world, taskId) === 'RUNNING');
    const approval = { ...question(taskId), kind: 'provider' as const, subject: 'provider:KEY_MISSING:7' };
    const paused = { type: 'task_paused', task_id: taskId, reason: 'no key', by: 'engine', approval, message: null };
    await world.store.commit(paused as EventDraft);
    await world.until(() => world.store.state.approvals.get(7)?.status === 'approved');
    await world.store.commit({ type: 'task_resumed', task_id: taskId, by: 'engine' });
    world.clock.advance(1_000);
    await world.store.commit({
      type: 'task_paused',
      task_id: taskId,
      reason: 'lunch',
      by: 'steward',
      approval: null,
      message: null,
    });
    expect(await code).toBe(0);
    expect(world.out).toContain('Paused: lunch');
  });

  test('waits for the owner too where the yes was given elsewhere, before', async () => {
    const { world, taskId } = await withTask();
    await say(world, 'task', 'start', taskId);
    const approval = { ...question(taskId), kind: 'limit' as const, subject: 'limit:task:1000:7' };
    await world.store.commit({
      type: 'task_paused',
      task_id: taskId,
      reason: 'the limit',
      by: 'engine',
      approval,
      message: null,
    });
    await say(world, 'approve', '7');
    const code = following(world, 'task', 'progress', taskId);
    await world.store.commit({ type: 'task_resumed', task_id: taskId, by: 'engine' });
    await world.store.commit({ type: 'task_cancelled', task_id: taskId, reason: 'no need', by: 'steward' });
    expect(await code).toBe(1);
    expect(world.out).not.toContain('Paused');
  });

  test('stops durably at Ctrl-C and pauses nothing', async () => {
    const { world, taskId } = await withTask();
    const code = following(world, 'task', 'start', taskId);
    await world.until(() => status(world, taskId) === 'RUNNING');
    world.stop();
    expect(await code).toBe(0);
    expect(world.out).toContain(
      `Stopped here; the task is running as it was. Resume: autonomous task progress ${taskId}`,
    );
    expect([status(world, taskId), world.open]).toEqual(['RUNNING', 0]);
  });

  test('takes over where the owner goes away', async () => {
    const { world, taskId } = await withTask({}, { ownedElsewhere: true });
    const code = following(world, 'task', 'start', taskId);
    await world.until(() => status(world, taskId) === 'RUNNING');
    expect(world.out).toContain('Another process owns this workspace and carries it out');
    world.loseOwner();
    await world.until(() => world.out.includes('taking over'));
    await world.store.commit({ type: 'task_cancelled', task_id: taskId, reason: 'no need', by: 'steward' });
    expect(await code).toBe(1);
  });

  test('draws a bar on a terminal, with the time left or that it is unknown', async () => {
    const { world, taskId } = await withTask({}, { tty: true });
    const code = following(world, 'task', 'start', taskId);
    await world.until(() => status(world, taskId) === 'RUNNING');
    const [first = 0, second = 0] = ids(world, taskId);
    await world.store.commit(stepped(taskId, { started: [begun(first)] }));
    await world.store.commit(stepped(taskId, { ended: [gave(first, 'a')], started: [begun(second)] }));
    world.stop();
    await code;
    expect(world.out).toContain('[===============---------------] 50 %, 1/2 steps');
    expect(world.out).toMatch(/time left unknown|about \d+s left/);
  });
});

describe('what a person does to a task', () => {
  test('start, pause, resume with a budget, cancel, remove: each says who carries it out', async () => {
    const { world, taskId } = await withTask();
    expect(await say(world, 'task', 'start', taskId)).toContain('No owner is running, so the task does not run yet.');
    await say(world, 'task', 'pause', taskId, '--reason', 'lunch');
    expect(world.store.state.tasks.get(taskId)).toMatchObject({ status: 'PAUSED', reason: 'lunch' });
    await say(world, 'task', 'resume', taskId, '--budget', '2.5', '--json');
    expect(json(world)).toEqual({ version: 1, task: { id: taskId, status: 'RUNNING' }, working: false });
    expect(world.store.state.tasks.get(taskId)?.budget_micro_usd).toBe(2_500_000);
    expect(await fails(world, 1, 'task', 'remove', taskId)).toContain('Cancel it first.');
    await say(world, 'task', 'cancel', taskId);
    await say(world, 'task', 'remove', taskId);
    expect(world.store.state.tasks.size).toBe(0);
  });

  test.each(['', 'https://api.github.com', 'a b', '-x', 'a/b'])('--allow-host %j is refused', async (host) => {
    const world = await terminalWorld();
    expect(await fails(world, 2, 'task', 'list', `--allow-host=${host}`)).toMatch(/is not a host/);
  });

  test('hosts are the owner’s: of another one it is said that they do nothing', async () => {
    const { world, taskId } = await withTask({}, { ownedElsewhere: true });
    await say(world, 'task', 'start', taskId, '--allow-host', 'API.github.com');
    expect(world.err).toContain('--allow-host does nothing here');
  });
});

describe('making', () => {
  const FILE = '/home/me/project/market.task.yaml';
  const TEXT = [
    'name: Market Research',
    'completionBehavior: NOTIFY_AND_SUMMARIZE',
    'steps:',
    '  - name: Identify Competitors',
    '    action: llm_generate',
    '    params: { prompt: List them. }',
    '  - name: Count',
    '    action: command',
    '    params: { command: wc -l list.txt }',
    '',
  ].join('\n');

  test('of a file, with what it will do said', async () => {
    const world = await terminalWorld({ files: { [FILE]: TEXT } });
    expect(await say(world, 'task', 'check', 'market.task.yaml')).toContain('2 steps, nothing is wrong with it');
    const text = await say(world, 'task', 'new', 'market.task.yaml', '--budget', '3', '--model', 'm');
    expect(text).toContain('runs these commands, in the sandbox and in a separate clone:\n  wc -l list.txt');
    const [task] = world.store.state.tasks.values();
    expect(task).toMatchObject({ name: 'Market Research', status: 'PENDING', budget_micro_usd: 3_000_000, model: 'm' });
    expect(text).toContain(`Start it: autonomous task start ${task?.id} --follow`);
    expect(await say(world, 'task', 'new', 'market.task.yaml', '--start')).toContain(
      'It is started. No owner is running',
    );
    await say(world, 'task', 'new', 'market.task.yaml', '--start', '--json');
    expect(json(world)).toMatchObject({ task: { status: 'RUNNING' }, effects: { commands: ['wc -l list.txt'] } });
    const begun = following(world, 'task', 'new', 'market.task.yaml', '--start');
    await world.until(() => world.out.includes('Task task-'));
    world.stop();
    await begun;
    expect(world.out).toMatch(/^It runs these commands.*\n.*wc -l list.txt\nTask task-/);
  });

  test('a command is shown in its own lines: one line would make a comment of it', async () => {
    const text = TEXT.replace('wc -l list.txt', '"# count\\nwc -l list.txt"');
    const world = await terminalWorld({ files: { [FILE]: text } });
    expect(await say(world, 'task', 'check', 'market.task.yaml')).toContain(':\n  # count\n  wc -l list.txt\n');
  });

  test('what is wrong is told with line and column, all at once', async () => {
    const wrong = TEXT.replace('llm_generate', 'llm_generat').replace(
      'completionBehavior: NOTIFY',
      'completionBehaviour: NOTIFY',
    );
    const world = await terminalWorld({ files: { [FILE]: wrong } });
    expect(await world.run('task', 'check', 'market.task.yaml')).toBe(2);
    expect(world.out).toMatch(/^market\.task\.yaml:2:\d+: .*\nmarket\.task\.yaml:5:\d+: .*\n2 problems\n$/);
    expect(await fails(world, 2, 'task', 'new', 'market.task.yaml')).toMatch(/market\.task\.yaml:5:/);
    expect(world.store.state.tasks.size).toBe(0);
  });

  test('steps are appended from a list of them, and one that was not started is edited', async () => {
    const { world, taskId } = await withTask(
      {},
      {
        files: {
          '/home/me/project/more.yaml': '# more\n- name: Last\n  action: notify\n  params: { title: Done }\n',
          [FILE]: TEXT,
        },
      },
    );
    expect(await say(world, 'task', 'add-steps', taskId, 'more.yaml')).toContain('Added 1 step');
    const names = () => taskSteps(world.store.state, need(world.store.state, 'tasks', taskId)).map(({ name }) => name);
    expect(names()).toEqual(['Identify Competitors', 'Gather Details', 'Last']);
    await say(world, 'task', 'edit', taskId, '--file', 'market.task.yaml');
    expect(names()).toEqual(['Identify Competitors', 'Count']);
    await say(world, 'task', 'start', taskId);
    expect(await fails(world, 1, 'task', 'edit', taskId, '--file', 'market.task.yaml')).toContain('task add-steps');
  });

  test('--follow needs --start, and a file or a template, not both', async () => {
    const world = await terminalWorld({ files: { [FILE]: TEXT } });
    for (const argv of [
      ['new'],
      ['new', FILE, '--template', 'x'],
      ['new', FILE, '--follow'],
      ['new', FILE, '--param', 'a=1'],
    ])
      await fails(world, 2, 'task', ...argv);
    expect(world.store.state.tasks.size).toBe(0);
  });
});

test('a template is looked at and filled in, and what was chosen beside it counts', async () => {
  const world = await terminalWorld();
  expect(await say(world, 'task', 'template', 'list')).toMatch(/^research-report +built-in +\S/m);
  expect(await say(world, 'task', 'template', 'show', 'research-report')).toContain('{{params.topic}}');
  expect(await say(world, 'task', 'template', 'path')).toBe('/home/me/project/.autonomous/templates/tasks\n');
  const made = ['task', 'new', '--template', 'research-report'];
  expect(await fails(world, 2, ...made)).toContain('the parameter topic is missing');
  expect(await fails(world, 2, ...made, '--param', 'topic')).toContain('is not name=value');
  await say(world, ...made, '--param', 'topic=Vector databases', '--budget', '2');
  const [task] = world.store.state.tasks.values();
  expect(task).toMatchObject({ template: 'research-report', budget_micro_usd: 2_000_000 });
  expect(task?.objective).toContain('Vector databases');
  expect(await fails(world, 2, 'task', 'template', 'show', 'none')).toContain('There are: ');
});

test('a schedule is set, listed with its next times, switched off and removed', async () => {
  const file = '/home/me/project/a.yaml';
  const text = 'name: Weekly\nsteps:\n  - { name: Say, action: notify, params: { title: Monday } }\n';
  const world = await terminalWorld({ files: { [file]: text } });
  const set = ['task', 'schedule', 'set'];
  expect(await fails(world, 2, ...set, 'a.yaml')).toContain('needs --cron');
  expect(await fails(world, 2, ...set, 'a.yaml', '--cron', 'often')).toContain('five or six');
  await say(world, ...set, 'a.yaml', '--cron', '0 9 * * 1', '--time-zone', 'Europe/Berlin', '--json');
  const { schedule } = json(world) as { schedule: { id: number; next: string[] } };
  expect(schedule).toMatchObject({ name: 'Weekly', projectId: 'default', enabled: true, keep: 20 });
  expect(schedule.next).toHaveLength(3);
  for (const at of schedule.next) expect(new Date(at).getUTCDay()).toBe(1);
  expect(await say(world, ...set, '--id', String(schedule.id), '--off')).toContain('Next: switched off');
  expect(world.store.state.schedules.get(schedule.id)).toMatchObject({ cron: '0 9 * * 1', enabled: false });
  expect(await say(world, 'task', 'schedule', 'list')).toContain('0 9 * * 1 (Europe/Berlin)');
  await say(world, 'task', 'schedule', 'remove', String(schedule.id));
  expect(world.store.state.schedules.size).toBe(0);
});
