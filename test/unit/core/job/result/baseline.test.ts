/** Which verify commands run before any work, and what their failures mean later. */
import { describe, expect, it } from 'vitest';
import { missingLine } from '../../../../../src/core/job/missingTool.ts';
import { nextAction } from '../../../../../src/core/job/nextAction.ts';
import {
  baselineDue,
  failedBefore,
  failsAsBefore,
  missingForAll,
} from '../../../../../src/core/job/result/baseline.ts';
import type { Evidence } from '../../../../../src/shared/job/evidence.ts';
import type { JobRow } from '../../../../../src/shared/job/rows.ts';
import { promptEvidence } from '../../../../support/session/promptRows.ts';
import {
  attemptRow,
  featureRow,
  JOB_ID,
  jobRow,
  phaseRow,
  planOf,
  START_MS,
  stateOf,
} from '../../../../support/state/builders.ts';
import { acceptedJob } from '../../../../support/state/fold.ts';

const ran = (patch: Partial<Evidence>): Evidence => ({ ...promptEvidence, command: 'npm test', ...patch });
const notFound = ran({ exitCode: 127, tail: 'sh: 1: tap: not found' });

describe('the baseline', () => {
  const phases = [
    phaseRow({ id: 1, number: 1, status: 'pending', verify_commands: ['npm test', 'npm run lint'] }),
    phaseRow({ id: 2, number: 2, status: 'pending', verify_commands: ['npm test'] }),
  ];
  const features = [featureRow({ id: 1, phase_id: 2, verify_commands: ['node --test a'] })];
  const due = (patch: Partial<JobRow>, attempts = [] as ReturnType<typeof attemptRow>[]) => {
    const job = jobRow({ baseline_checks: null, ...patch });
    return baselineDue(stateOf({ jobs: [job], phases, features, attempts }), job);
  };

  it('is every verify command once, those of features too, before the first phase starts', () => {
    const commands = ['npm test', 'npm run lint', 'node --test a'];
    expect(due({})).toEqual(commands);
    const state = stateOf({ jobs: [jobRow({ baseline_checks: null })], phases, features });
    expect(nextAction(state, JOB_ID, START_MS)).toEqual({ do: 'check_baseline', commands });
  });

  it('runs once, also over a restart, and not in a job that was under way without it', () => {
    expect(due({ baseline_checks: [] })).toBeNull();
    expect(due({ baseline_checks: [notFound] })).toBeNull();
    expect(due({}, [attemptRow({})])).toBeNull();
    expect(due({ setup_added: ['npm i'] }, [attemptRow({})])).not.toBeNull();
  });

  it('runs again after a setup command was added, unless all passed', () => {
    const job_id = JOB_ID;
    const fold = acceptedJob(planOf({ Core: ['a'] }));
    const checks = () => fold.state.jobs.get(JOB_ID)?.baseline_checks;
    fold.commit({ type: 'baseline_checked', job_id, evidence: [notFound], skipped: null });
    expect(checks()).toHaveLength(1);
    fold.commit({ type: 'setup_added', job_id, command: 'npm i', by: 'steward' });
    expect(checks()).toBeNull();
    fold.commit({ type: 'baseline_checked', job_id, evidence: [ran({})], skipped: null });
    fold.commit({ type: 'setup_added', job_id, command: 'npm run build', by: 'steward' });
    expect(checks()).toHaveLength(1);
  });
});

describe('the question whether to begin without what is missing', () => {
  const module = (name: string) => ran({ exitCode: 1, tail: `Error: Cannot find module '${name}'` });
  const python = (name: string) => ran({ exitCode: 1, tail: `/usr/bin/python3: No module named ${name}` });
  const passed = ran({ exitCode: 0, tail: '' });
  const missing = (...checks: Evidence[]) => missingForAll(stateOf({ jobs: [jobRow({})] }), JOB_ID, checks);

  it('is put if no command can pass, with what each one lacks', () => {
    expect(missing(notFound, module('tape'), python('pytest'))).toEqual([
      '`npm test`: sh: 1: tap: not found',
      "`npm test`: Error: Cannot find module 'tape'",
      '`npm test`: /usr/bin/python3: No module named pytest',
    ]);
  });

  it.each([
    ['no command ran', []],
    ['one passed', [notFound, passed]],
    ['one fails by itself', [notFound, ran({ exitCode: 1, tail: '1 failing' })]],
    ['the work may make the file', [module('./cli.js')]],
    ['the work may make the script', [ran({ exitCode: 127, tail: 'sh: 1: ./check.sh: not found' })]],
    ['the work may make the module', [python('mytool')]],
  ])('is not put if %s', (_why, checks) => {
    expect(missing(...checks)).toBeNull();
  });

  it('is not put after an attempt', () => {
    const state = stateOf({ jobs: [jobRow({})], attempts: [attemptRow({})] });
    expect(missingForAll(state, JOB_ID, [notFound])).toBeNull();
  });
});

describe('a failure before any work', () => {
  const failed = ran({ exitCode: 1, tail: '1 failing in 20 ms' });
  const job = jobRow({ baseline_checks: [failed, ran({ command: 'ls' })] });

  it('is known by its command', () => {
    expect(failedBefore(job, 'npm test')).toBe(failed);
    expect(failedBefore(job, 'ls')).toBeUndefined();
    expect(failedBefore(jobRow({ baseline_checks: null }), 'npm test')).toBeUndefined();
  });

  it.each([
    [{ exitCode: 1, tail: '1 failing in 31 ms' }, true],
    [{ exitCode: 1, tail: '2 failing in 20 ms' }, false],
    [{ exitCode: 2, tail: '1 failing in 20 ms' }, false],
    [{ exitCode: 0, tail: '1 failing in 20 ms' }, false],
    [{ exitCode: 1, tail: '1 failing in 20 ms', command: 'npm run lint' }, false],
  ] as const)('is the same as %j: %j', (patch, isSame) => {
    expect(failsAsBefore(job, ran(patch))).toBe(isSame);
  });

  it.each([
    [{ exitCode: 127, tail: 'x\nsh: 1: tap: not found\n' }, 'sh: 1: tap: not found'],
    [{ exitCode: 1, tail: "Error: Cannot find module 'express'\n at x" }, "Error: Cannot find module 'express'"],
    [{ exitCode: 1, tail: "Cannot find package '@scope/x' imported" }, "Cannot find package '@scope/x' imported"],
    [
      { exitCode: 1, tail: "ModuleNotFoundError: No module named 'requests'" },
      "ModuleNotFoundError: No module named 'requests'",
    ],
    [{ exitCode: 1, tail: "Cannot find module './parser.js'" }, null],
    [{ exitCode: 1, tail: 'AssertionError' }, null],
  ])('of %j names what is missing', (one, line) => {
    expect(missingLine(one)).toBe(line);
  });
});
