/** A reservation is no cost: every list, tool and record shows what is settled, and apart from it what is only held. */
import { describe, expect, test } from 'vitest';
import { taskProgress, taskSummary } from '../../../../src/core/task/view/tasks.ts';
import { jobManifest } from '../../../../src/core/workspace/manifest.ts';
import { recordRows } from '../../../../src/core/workspace/rows.ts';
import { indexText, jobText, taskText } from '../../../../src/core/workspace/text.ts';
import { callMainTool } from '../../../../src/engine/main/mainTools.ts';
import type { SpendRow } from '../../../../src/shared/money.ts';
import type { State } from '../../../../src/shared/workspace/state.ts';
import { lookingAt } from '../../../support/editor/fakeWorkspace.ts';
import {
  attemptRow,
  featureRow,
  JOB_ID,
  jobRow,
  PROJECT_ID,
  phaseRow,
  sessionRow,
  spendRow,
} from '../../../support/state/builders.ts';
import { playedTask } from '../../../support/state/taskRows.ts';
import { terminalWorld } from '../../../support/world/terminalWorld.ts';

const TASK = 'task-1';
/** Today, by the clock of the terminal's tests. */
const DAY = '2026-11-02';

/** A job and a task, each with calls of $0.0065 settled, $0.3485 reserved and $0.0100 unsettled. */
function spending(): State {
  const { state, start } = playedTask([{ name: 'One', action: 'llm_generate', params: { prompt: 'x' } }]);
  start();
  state.jobs.set(JOB_ID, jobRow());
  state.phases.set(1, phaseRow());
  state.features.set(1, featureRow());
  state.sessions.set(1, sessionRow({ id: 1 }));
  state.attempts.set(1, attemptRow({ id: 1, status: 'running', cause: null }));
  const none = { job_id: null, phase_id: null, feature_id: null, attempt_id: null };
  const ofJob = { project_id: PROJECT_ID, day: DAY, provider: 'anthropic' } as const;
  const ofTask = { ...ofJob, ...none, task_id: TASK, step_id: 1 };
  let id = 0;
  for (const of of [ofJob, ofTask] as Partial<SpendRow>[]) {
    const rows = [
      { status: 'settled', reserved_micro_usd: 355_000, settled_micro_usd: 6_500 },
      { status: 'reserved', reserved_micro_usd: 348_500, settled_micro_usd: 0 },
      { status: 'unsettled', reserved_micro_usd: 10_000, settled_micro_usd: 0 },
    ] as const;
    for (const row of rows) state.spends.set(++id, spendRow({ ...of, ...row, id }));
  }
  return state;
}

/** Sums of settled and held money, of the job, the task, or both. */
const MIXED = /\$0\.(3550|0165|3650|3585|7100|0330|7300|7170)/;

function keepsApart(text: string): void {
  expect(text).toMatch(/\$0\.0(065|130)/);
  expect(text).toMatch(/\$0\.(3485|6970)/);
  expect(text).toMatch(/\$0\.0[12]00/);
  expect(text).not.toMatch(MIXED);
}

describe('money that is only held is told apart from what is settled', () => {
  test.each([
    ['jobs'],
    ['job', 'show', JOB_ID],
    ['board'],
    ['costs'],
    ['project', 'list'],
    ['project', 'show', PROJECT_ID],
    ['task', 'list'],
    ['task', 'show', TASK],
  ])('by autonomous %s %s', async (...words) => {
    const state = spending();
    const atWork = { works: true, jobs: [...state.jobs.keys()], turns: [] };
    const world = await terminalWorld({ columns: 160, workspace: lookingAt(state, atWork) });
    expect(await world.run(...words.filter((word) => word !== undefined))).toBe(0);
    keepsApart(world.out);
  });

  test.each([
    ['list_jobs', {}],
    ['job_status', { job: JOB_ID }],
    ['list_projects', {}],
    ['long_running_task', { action: 'get_progress', taskId: TASK }],
    ['long_running_task', { action: 'get_progress' }],
  ])("by the main agent's tool %s %o", async (name, input) => {
    const state = spending();
    const { clock } = await terminalWorld();
    const request = () => Promise.reject(new Error('a look changes nothing'));
    keepsApart(await callMainTool({ state, request, clock, readMemory: null }, name, input));
  });

  test('by what other programs read', () => {
    const state = spending();
    const spent = { costUsd: 0.0065, reservedUsd: 0.3485, unsettledUsd: 0.01 };
    expect(taskSummary(state, TASK, 0)).toMatchObject(spent);
    expect(taskProgress(state, TASK, 0)).toMatchObject(spent);
    expect(jobManifest(state, JOB_ID).metrics).toMatchObject({
      cumulative_cost_usd: 0.0065,
      reserved_cost_usd: 0.3485,
      unsettled_cost_usd: 0.01,
    });
  });

  test('by an export', () => {
    const rows = recordRows(spending(), null);
    const [job] = rows.jobs;
    const [task] = rows.tasks;
    if (job === undefined || task === undefined) throw new Error('nothing is exported');
    // A call in flight is exported as one that was perhaps billed.
    for (const text of [indexText(rows), jobText(rows, job), taskText(rows, task)])
      expect(text).toMatch(/\$0\.0(06500|13000), up to \$0\.(358500|717000) unsettled/);
  });
});
