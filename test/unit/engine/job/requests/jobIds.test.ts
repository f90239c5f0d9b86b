import { expect, it } from 'vitest';
import { newJobId } from '../../../../../src/engine/job/requests/jobs.ts';
import type { JobRow } from '../../../../../src/shared/job/rows.ts';
import { FakeClock } from '../../../../support/time/fakeClock.ts';

it('is the id of no other job, whatever was filed in the same second', () => {
  const clock = new FakeClock();
  const stamp = newJobId(clock, { jobs: new Map() }).slice(0, -4);
  const all = Array.from({ length: 0x10000 }, (_, n) => `${stamp}${n.toString(16).padStart(4, '0')}`);
  const jobs = new Map(all.filter((id) => !id.endsWith('0007')).map((id) => [id, {} as JobRow]));
  expect(newJobId(clock, { jobs })).toBe(`${stamp}0007`);
});
