/** Asks an owner for a job, a conversation and tasks, answers its questions, and asks again after a kill for what did not come through. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isFinal, JOB } from '../../../src/core/state/machines.ts';
import { isOver } from '../../../src/core/state/rows.ts';
import type { Engine } from '../../../src/engine/state/api.ts';
import type { ApprovalRow } from '../../../src/shared/approval.ts';
import { type AutonomousError, findFailure } from '../../../src/shared/errors.ts';
import type { State } from '../../../src/shared/workspace/state.ts';
import { CRASH_BRIEF, CRASH_COMMANDS, STUCK_ANSWER } from '../crash/crashScenario.ts';
import { wholeLines } from '../state/eventFiles.ts';
import { noteText, PROJECT, taskName, taskOf } from './killWork.ts';

/** What the owner said is done: from then on it is, whatever happens. */
export interface Acknowledged {
  readonly what: 'job' | 'project' | 'message' | 'task' | 'decision';
  readonly id: string | number;
}

export interface Visit {
  /** To be called when something changed. */
  steer(): void;
  /** All that was asked is answered, or never will be. */
  over(): Promise<void>;
}

/** Asks, unless it was asked in this life already. */
export type Once = (key: string, ask: () => Promise<Acknowledged | null>) => void;

export class KillDriver {
  readonly acknowledged: Acknowledged[] = [];
  /** What it refused, and may not have. */
  readonly refused: string[] = [];
  /** Whether to ask again after this failure, as a person does who has read it. */
  asksAgain: (failure: AutonomousError) => boolean = () => false;
  /** So many messages and tasks are asked for by now. */
  wanted = { notes: 1, tasks: 1 };
  readonly #mergeMode: 'merge' | 'branch';
  readonly #jobs: (engine: Engine, once: Once) => void;

  /** `jobs`: asks for the jobs, and to go on with them; absent: for one. */
  constructor(mergeMode: 'merge' | 'branch', jobs?: (engine: Engine, once: Once) => void) {
    this.#mergeMode = mergeMode;
    this.#jobs = jobs ?? ((engine, once) => this.#oneJob(engine, once));
  }

  visit(engine: Engine): Visit {
    const asked = new Set<string>();
    const open = new Set<Promise<void>>();
    const once: Once = (key, ask) => {
      if (asked.has(key)) return;
      asked.add(key);
      const asking = ask()
        .then((done) => void (done !== null && this.acknowledged.push(done)))
        .catch((thrown: unknown) => {
          const failed = findFailure(thrown);
          if (failed !== undefined && this.asksAgain(failed)) asked.delete(key);
          // Its end is what the proof is about; it may have been done or not.
          else if (failed?.code !== 'OWNER_UNREACHABLE') this.refused.push(`${key}: ${String(thrown)}`);
        })
        .finally(() => open.delete(asking));
      open.add(asking);
    };
    return {
      steer: () => this.#steer(engine, asked, once),
      over: async () => {
        await Promise.all(open);
      },
    };
  }

  /** What is open of all that was asked for; empty: it is at rest. */
  open(state: State, stateDir: string): string[] {
    const open: string[] = [];
    const jobs = [...state.jobs.values()].filter(({ status }) => !isFinal(JOB, status));
    if (state.jobs.size === 0) open.push('no job');
    open.push(...jobs.map(({ status }) => `the job is ${status}`));
    const tasks = [...state.tasks.values()];
    const noted = [...state.messages.values()].filter(({ sender }) => sender === 'project').length;
    if (noted < this.wanted.notes) open.push(`${noted} notes`);
    if (tasks.length < this.wanted.tasks) open.push(`${tasks.length} tasks`);
    open.push(...tasks.filter((task) => !isOver(task)).map(({ name, status }) => `${name} is ${status}`));
    const calls = [...state.spends.values()].filter(({ status }) => status === 'reserved').length;
    if (calls > 0) open.push(`${calls} calls`);
    if (this.wanted.notes > 0 && !conversationRests(stateDir)) open.push('the conversation');
    return open;
  }

  #steer(engine: Engine, asked: ReadonlySet<string>, once: Once): void {
    const { state, request } = engine;
    this.#jobs(engine, once);
    for (const row of state.approvals.values()) {
      if (row.status === 'pending') once(`approval ${row.id}`, () => decide(request, row, this.#mergeMode));
    }
    if (!state.projects.has(PROJECT)) {
      once('project', async () => {
        await request('createProject', { name: PROJECT, goal: 'Note what is said.' });
        return { what: 'project', id: PROJECT };
      });
      return;
    }
    for (let k = 1; k <= this.wanted.notes; k++) {
      if ([...state.messages.values()].some(({ text }) => text === noteText(k))) continue;
      once(noteText(k), async () => {
        const { messageId } = await request('sendMessage', { project: PROJECT, text: noteText(k) });
        return { what: 'message', id: messageId };
      });
    }
    for (let k = 1; k <= this.wanted.tasks; k++) {
      const task = [...state.tasks.values()].find(({ name }) => name === taskName(k));
      if (task === undefined) {
        once(taskName(k), async () => {
          const { taskId } = await request('createTask', { project: PROJECT, definition: taskOf(k), start: true });
          return { what: 'task', id: taskId };
        });
      } else if (task.status === 'PENDING' && !asked.has(taskName(k))) {
        // The last owner died between its making and its start.
        once(`start ${task.id}`, () => request('startTask', { taskId: task.id }).then(() => null));
      }
    }
  }

  #oneJob({ state, request }: Engine, once: Once): void {
    const [job] = state.jobs.values();
    if (job === undefined) once('job', () => this.#file(request));
    else if (!isFinal(JOB, job.status)) {
      once('resume', () => request('resumeJob', { jobId: job.id }).then(() => null));
    }
  }

  async #file(request: Engine['request']): Promise<Acknowledged> {
    const { jobId } = await request('submitBrief', {
      brief: CRASH_BRIEF,
      setup: [],
      lanes: 1,
      mergeMode: this.#mergeMode,
      allowedCommands: CRASH_COMMANDS.map((argv) => [...argv]),
    });
    return { what: 'job', id: jobId };
  }
}

async function decide(
  request: Engine['request'],
  { id, kind, choices }: ApprovalRow,
  mode: 'merge' | 'branch',
): Promise<Acknowledged> {
  const feedback = kind === 'stuck' ? STUCK_ANSWER : null;
  const choice = kind === 'merge' ? mode : (choices[0] ?? null);
  await request('decide', { approvalId: id, decision: 'approved', feedback, choice });
  return { what: 'decision', id };
}

/** The last entry of its journal is words, without calls of tools. */
function conversationRests(stateDir: string): boolean {
  const file = join(stateDir, 'projects', PROJECT, 'session', 'current.jsonl');
  const last = existsSync(file) ? (wholeLines(readFileSync(file, 'utf8')).at(-1) ?? '') : '';
  return last.includes('"kind":"reply"') && last.includes('"stop_reason":"end_turn"');
}
