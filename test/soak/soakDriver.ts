/** Keeps a job at work in each lane, and messages and tasks coming, for as long as it is told to. */
import { isFinal, JOB } from '../../src/core/state/machines.ts';
import type { Engine } from '../../src/engine/state/api.ts';
import type { State } from '../../src/shared/workspace/state.ts';
import { type Acknowledged, KillDriver, type Once, type Visit } from '../support/kill/killDriver.ts';
import { soakBrief } from './soakWork.ts';

const jobsOf = (state: State, lane: string) => [...state.jobs.values()].filter(({ project_id }) => project_id === lane);

export class SoakDriver {
  /** Whether the next one follows a job that is over. */
  filling = true;
  /** Whoever is served now. */
  engine: Engine | null = null;
  readonly #lanes: readonly string[];
  readonly #ceilingBytes: number;
  readonly #driver: KillDriver;

  constructor(lanes: readonly string[], ceilingBytes: number) {
    this.#lanes = lanes;
    this.#ceilingBytes = ceilingBytes;
    this.#driver = new KillDriver('branch', (engine, once) => this.#jobs(engine, once));
  }

  get acknowledged(): readonly Acknowledged[] {
    return this.#driver.acknowledged;
  }

  get refused(): readonly string[] {
    return this.#driver.refused;
  }

  get wanted(): { notes: number; tasks: number } {
    return this.#driver.wanted;
  }

  open(state: State, stateDir: string): string[] {
    return this.#driver.open(state, stateDir);
  }

  visit(engine: Engine): Visit {
    this.engine = engine;
    const { steer, over } = this.#driver.visit(engine);
    return {
      steer,
      over: () => {
        this.engine = null;
        return over();
      },
    };
  }

  #jobs({ state, request }: Engine, once: Once): void {
    for (const lane of this.#lanes) {
      if (!state.projects.has(lane)) {
        once(lane, async () => {
          await request('createProject', { name: lane, goal: 'Write files.' });
          return { what: 'project', id: lane };
        });
        continue;
      }
      const jobs = jobsOf(state, lane);
      const open = jobs.find(({ status }) => !isFinal(JOB, status));
      if (open !== undefined)
        once(`resume ${open.id}`, () => request('resumeJob', { jobId: open.id }).then(() => null));
      else if (this.filling) {
        const nth = jobs.length + 1;
        once(`job ${nth} of ${lane}`, async () => {
          const { jobId } = await request('submitBrief', soakBrief(lane, nth));
          return { what: 'job', id: jobId };
        });
      }
      // As somebody does who has a small disk: the automatic ceiling is gigabytes.
      const over = jobs.length - (open === undefined ? 0 : 1);
      if (over > 0) {
        once(`clean after ${over} of ${lane}`, () =>
          request('cleanClones', { maxBytes: this.#ceilingBytes }).then(() => null),
        );
      }
    }
  }
}
