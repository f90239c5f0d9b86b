import fc from 'fast-check';
import { expect, it } from 'vitest';
import { spendUnder } from '../../support/agentBudgets.ts';

it('an agent with subagents never spends past its limit, and the ledger is the bill', async () => {
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(fc.nat(), async (seed) => {
      const run = await spendUnder(seed);
      expect(run.heldMicroUsd).toBeLessThanOrEqual(run.limitMicroUsd);
      expect(run.ledgerMicroUsd).toBe(run.billMicroUsd);
      expect(run.strange).toEqual([]);
      refused += run.refused;
    }),
    { numRuns: 20, endOnFailure: true },
  );
  expect(refused).toBeGreaterThan(0);
});
