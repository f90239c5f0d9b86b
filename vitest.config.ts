import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { leftOut } from './scripts/test/systems.mjs';
import { LONG, PATIENCE_MS, PLANTED } from './test/support/suite/proof.ts';
import { LONGEST_SILENCE_MS } from './test/support/time/silence.ts';

/** Of the integration tests, longest first. In a fresh clone vitest knows no times and goes by size: a long one came near the end, alone. */
const LONGEST = [
  'job/mistakes',
  'agent/engine',
  'project/threads',
  'job/pause',
  'workspace/looking',
  'session/sessionCommands',
  'git/tree',
  'git/merge',
  'job/retries',
  'crash/workerDeaths',
  'crash/signals',
  'git/knownChange',
  'job/userTree',
  'job/freshTree',
  'job/movedBase',
  'project/definitions',
  'job/judgeCommands',
  'git/followHead',
  'git/life',
  'job/waiting',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const at = LONGEST.findIndex((name) => moduleId.endsWith(`/integration/${name}.test.ts`));
      return at < 0 ? LONGEST.length : at;
    };
    return (await super.sort(files)).toSorted((one, other) => place(one) - place(other));
  }
}

/** On another system than Linux. */
const LEFT_OUT = leftOut().map(({ file }) => file);

/** They need what the registry gives and no lock file holds: a step of its own. */
const REAL_AGENTS = 'test/integration/agent/real*.test.ts';

const globalSetup = ['./test/support/suite/tempRoot.ts'];
const setupFiles = ['./test/support/suite/env.ts'];

const WITHOUT_EDITOR = 'test/unit/vscode/**/*.test.ts';

const unit = {
  globalSetup,
  setupFiles,
  // Times are told in the time of the place.
  env: { TZ: 'UTC' },
  // They share a process and what it has loaded: two thirds of their time was loading it again for each file.
  isolate: false,
  // Vitest leaves a core to itself, and of two would use one.
  maxWorkers: Math.max(2, availableParallelism() - 1),
  expect: { poll: { timeout: 60_000 } },
  testTimeout: LONG ? PATIENCE_MS : 120_000,
};

/** Who waits in a proof gives up where nothing happens; a whole test may take long on a slow machine. */
const PROOF_MS = PLANTED ? PATIENCE_MS : 600_000;

/** In the forms of test/support/suite/proof.ts. Files that only plant bugs have nothing in the short one. */
const proof = (name: 'faults' | 'hostile') => ({
  test: {
    name,
    sequence: { groupOrder: 2 },
    include: [`test/${name}/**/*.test.ts`],
    exclude: [...LEFT_OUT, ...(PLANTED ? [] : [`test/${name}/**/*Planted.test.ts`])],
    globalSetup,
    setupFiles,
    maxWorkers: 2,
    // As in the unit tests, they share what they import: in the short form that was a fifth of the time.
    isolate: PLANTED,
    testTimeout: PROOF_MS,
    hookTimeout: PROOF_MS,
  },
});

export default defineConfig({
  test: {
    // What CI shows of a failure is its message alone: a list of what is wrong must be in it.
    chaiConfig: { truncateThreshold: 1_000 },
    sequence: { sequencer: LongestFirst },
    // Vitest runs projects with different numbers of workers in groups, one after the other.
    projects: [
      {
        test: {
          ...unit,
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          exclude: [WITHOUT_EDITOR, ...LEFT_OUT],
        },
      },
      {
        test: {
          ...unit,
          name: 'unit-host',
          include: [WITHOUT_EDITOR],
          exclude: LEFT_OUT,
          setupFiles: [...setupFiles, './test/support/editor/freshModules.ts'],
        },
      },
      {
        test: {
          name: 'integration',
          sequence: { groupOrder: 1 },
          include: ['test/integration/**/*.test.ts'],
          exclude: [REAL_AGENTS, ...LEFT_OUT],
          globalSetup,
          setupFiles,
          // Real git, real processes, real disks: few at a time, and patient. Three files: what waits leaves its core to another.
          maxWorkers: 3,
          // As in the unit tests, they share what they import.
          isolate: false,
          // What waits fails when nothing happens any more, and says so; these only end what hangs otherwise.
          expect: { poll: { timeout: LONGEST_SILENCE_MS } },
          testTimeout: 4 * LONGEST_SILENCE_MS,
          hookTimeout: 4 * LONGEST_SILENCE_MS,
        },
      },
      proof('faults'),
      proof('hostile'),
      {
        test: {
          name: 'agents',
          sequence: { groupOrder: 3 },
          include: [REAL_AGENTS],
          globalSetup: [...globalSetup, './test/support/agent/realAgents.ts'],
          setupFiles,
          // One each: an agent is a whole program with a core of its own.
          maxWorkers: 2,
          testTimeout: 120_000,
          hookTimeout: 600_000,
        },
      },
      {
        test: {
          name: 'windows',
          sequence: { groupOrder: 5 },
          include: ['test/windows/**/*.test.ts'],
          globalSetup,
          setupFiles,
          testTimeout: 1_200_000,
          hookTimeout: 600_000,
        },
      },
      {
        test: {
          name: 'webview',
          sequence: { groupOrder: 4 },
          expect: { poll: { timeout: 180_000 } },
          include: ['test/webview/**/*.test.ts'],
          exclude: LEFT_OUT,
          globalSetup: [...globalSetup, './test/webview/setup.ts'],
          setupFiles,
          // They share a browser, which does most of the work, and a tab of it for each of the two.
          isolate: false,
          maxWorkers: 2,
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
    ],
  },
});
