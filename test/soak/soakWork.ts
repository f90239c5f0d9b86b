/** What is at work in a soak: a job in each lane that also waits for a command, and beside them what a proof of kills has. */
import { checkScenario, type Scenario } from '../../src/adapters/simulated/scenario.ts';
import { CRASH_BRIEF, CRASH_COMMANDS } from '../support/crash/crashScenario.ts';
import { KILL_WORK } from '../support/kill/killWork.ts';

/** A project each, with one job after the other. */
export const LANES = ['lane-1', 'lane-2', 'lane-3', 'lane-4'] as const;

/** Long enough to be killed meanwhile. */
export const SLEEP = ['sleep', '3'] as const;
const FEATURE = 'Three';

export const soakScenario: Scenario = checkScenario(
  {
    ...KILL_WORK.scenario,
    features: {
      ...KILL_WORK.scenario.features,
      [FEATURE]: {
        attempts: KILL_WORK.scenario.features[FEATURE]?.attempts.map(({ turns }) => ({
          turns: [{ calls: [{ tool: 'bash', input: { command: SLEEP.join(' ') } }] }, ...turns],
        })),
      },
    },
  },
  'the scenario of a soak',
);

/** No two of them make the same requests of the model. */
export const soakBrief = (lane: string, nth: number) => ({
  project: lane,
  brief: `${CRASH_BRIEF}\n\nThis is job ${nth} of ${lane}.`,
  setup: [],
  mergeMode: 'branch' as const,
  allowedCommands: [...CRASH_COMMANDS, SLEEP].map((argv) => [...argv]),
});
