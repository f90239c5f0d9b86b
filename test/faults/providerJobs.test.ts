/** T4, as a whole job sees it: faults at random for all of its roles; it waits and asks, and loses neither a try nor a micro-dollar. */
import { expect, test } from 'vitest';
import { faultyJob } from '../support/provider/faultyJob.ts';
import { planted } from '../support/suite/planted.ts';
import { buildWith } from '../support/suite/plantedBug.ts';
import { amount, figure, SEED } from '../support/suite/proof.ts';

test(`T4: jobs among faults of every role, from seed ${SEED}`, async () => {
  const jobs = amount({ short: 1, long: 40 });
  const findings: string[] = [];
  let faults = 0;
  for (let seed = SEED; seed < SEED + jobs; seed++) {
    const job = await faultyJob(seed);
    faults += job.faults;
    findings.push(...job.findings);
  }
  figure({ method: 'T4', what: 'jobs among faults of every role', value: jobs, unit: '', aim: null });
  figure({ method: 'T4', what: 'faults that they met', value: faults, unit: '', aim: null });
  figure({
    method: 'T4',
    what: 'retries used, effects doubled or money lost by them',
    value: findings.length,
    unit: '',
    aim: { atMost: 0 },
  });
  expect(findings).toEqual([]);
  expect(faults).toBeGreaterThan(jobs * 5);
});

planted('a 429 uses a retry', async () => {
  using built = await buildWith(
    {
      file: 'src/engine/job/work/outcome.ts',
      find: "    await interrupt(context, attempt, 'unavailable');\n",
      put: "    const ended = { outcome: 'ended', turns: 0, reason: 'refusal', detail: 'x' };\n    return endAttempt(context, attempt, conversation, ended);\n",
    },
    ['src/worker.ts'],
  );
  const { findings } = await faultyJob(SEED, built.program('worker'));
  expect(findings.join('\n')).toMatch(/used a try|has \d+ attempts/);
});
