/** What is at work in a proof of kills: a job, a project's conversation and tasks, all of which show when anything of them was done twice. */
import { checkScenario, type Scenario } from '../../../src/adapters/simulated/scenario.ts';
import { TASK_LIMITS, type TaskInput } from '../../../src/shared/task/tasks.ts';
import { crashScenario } from '../crash/crashScenario.ts';
import { smallScenario } from '../demo/smallJob.ts';

export const PROJECT = 'api';
/** Answered by a result that is too long for a row. */
const LONG = 'x'.repeat(TASK_LIMITS.inlineBytes + 1);

/** What the project says at the end of each turn. */
export const LAST_WORDS = 'It is in my memory.';
const LIST = '/memories/facts/list.md';
const noted = (first: object) => ({
  turns: [
    {
      calls: [
        { tool: 'memory', input: first },
        { tool: 'notify', input: { text: 'I noted message {{messageId}}.' } },
      ],
    },
    { text: LAST_WORDS },
  ],
});

/** A job, a conversation and tasks; `result`: what the job's edits must leave, each of which is wrong when it is done twice. */
export interface KillWork {
  readonly scenario: Scenario;
  readonly result: Readonly<Record<string, string>>;
}

const workOf = (job: Scenario, names: readonly string[]): KillWork => ({
  scenario: withTalkAndTasks(job),
  result: Object.fromEntries(names.map((name) => [`${name}.txt`, `${name} end\n`])),
});

/** Of one list, a line for each message: it is longer when one is put in twice. */
const withTalkAndTasks = (job: Scenario): Scenario =>
  checkScenario(
    {
      ...job,
      projects: {
        [PROJECT]: {
          replies: [
            noted({ command: 'create', path: LIST, file_text: 'message {{messageId}}\n' }),
            noted({ command: 'insert', path: LIST, insert_line: 0, insert_text: 'message {{messageId}}\n' }),
          ],
        },
      },
      tasks: { replies: [{ when: 'long', text: `${LONG} {{prompt}}` }, { text: 'Answer to: {{prompt}}' }] },
    },
    'the scenario of kills',
  );

export const KILL_WORK = workOf(crashScenario, ['one', 'three', 'two', 'uno']);
/** Half of the events, and each kind of edit once. */
export const SMALL_KILL_WORK = workOf(smallScenario, ['one', 'uno']);

export const noteText = (k: number): string => `Note ${k}.`;
export const taskName = (k: number): string => `Task ${k}`;

/** Each kind of step that ends in the owner, in a thread or at the steward, one after the other and side by side. */
export function taskOf(k: number): TaskInput {
  const say = (name: string, prompt: string, more: object = {}) => ({
    name,
    action: 'llm_generate' as const,
    params: { prompt },
    ...more,
  });
  return {
    name: taskName(k),
    completionBehavior: 'NOTIFY_USER',
    steps: [
      say('Seed', `Seed of ${k}`),
      say('Left', `Left of {{Seed}}`, { isCheckpoint: true }),
      say('Right', `Long right of {{Seed}}`, { needs: ['Seed'] }),
      { name: 'Both', action: 'aggregate', params: { keys: ['Left', 'Right'] }, needs: ['Left', 'Right'] },
      {
        name: 'If',
        action: 'conditional',
        params: { condition: 'size({{Both}}) > 100', ifTrue: 'Tell', ifFalse: 'Not' },
      },
      { name: 'Tell', action: 'notify', params: { title: `Told by ${k}`, message: '{{Left}}' } },
      say('Not', 'Never'),
      { name: 'Ask', action: 'approval', params: { question: `May ${k} end?` } },
      say('End', `End of ${k}: {{Left}}`),
    ],
  };
}

/** What its steps must give, by name; null: not what counts. */
export function resultsOf(k: number): Readonly<Record<string, string | null>> {
  const seed = `Answer to: Seed of ${k}`;
  const left = `Answer to: Left of ${seed}`;
  return {
    Seed: seed,
    Left: left,
    Right: `${LONG} Long right of ${seed}`,
    Both: `${left}\n\n${LONG} Long right of ${seed}`,
    End: `Answer to: End of ${k}: ${left}`,
  };
}
