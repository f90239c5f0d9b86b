/** Whether the proof of the budgets can fail: bugs put into the code that it judges. */
import { expect } from 'vitest';
import type { inputUpperBound } from '../../src/core/model/usage/inputBound.ts';
import { spendDays } from '../support/budget/budgetDays.ts';
import type { openTill } from '../support/budget/subject.ts';
import { reservedTooLow } from '../support/budget/tokenBound.ts';
import { planted } from '../support/suite/planted.ts';
import { buildWith, type PlantedBug } from '../support/suite/plantedBug.ts';
import { SEED } from '../support/suite/proof.ts';

const SUBJECT = 'test/support/budget/subject.ts';

interface Planted extends PlantedBug {
  readonly name: string;
  /** What is said of it. */
  readonly says: RegExp;
}

const BUGS: readonly Planted[] = [
  {
    name: 'admission looks only at settled money',
    file: 'src/core/money/budget.ts',
    find: 'if (spent + reserved + call.microUsd <= limitMicro) continue;',
    put: 'if (spent + call.microUsd <= limitMicro) continue;',
    says: /makes \d+ of .*, whose limit is/,
  },
  {
    name: 'a clock that goes back reopens the day',
    file: 'src/core/text/day.ts',
    find: "if (a.localeCompare(b, 'en') < 0) return b;",
    put: '',
    says: /of (own )?day .*, whose limit is/,
  },
  {
    name: 'an unknown price counts as zero',
    file: 'src/core/money/price/pricing.ts',
    find: 'if (tiers !== undefined) return tiers;',
    put: 'return tiers ?? [{ upTo: null, input: 0, output: 0, cacheRead: 0 }];',
    says: /whose price is unknown left/,
  },
  {
    name: 'calls in flight at a death are forgotten',
    file: 'src/core/workspace/reduceWorkspace.ts',
    find: "SPEND, spend.status, 'unsettle')",
    put: "SPEND, spend.status, 'release')",
    says: /makes \d+ of .*, whose limit is/,
  },
  {
    name: 'writing to the cache for an hour is reserved as for five minutes',
    file: 'src/core/money/price/pricing.ts',
    find: "const written = write === 'none' ? (tier.cacheWrite ?? 0) : writeRate(tier, write);",
    put: "const written = write === 'none' ? 0 : writeRate(tier, '5m');",
    says: /was not reserved at/,
  },
];

for (const { name, says, ...bug } of BUGS)
  planted(name, async () => {
    using built = await buildWith(bug, [SUBJECT]);
    const planted = (await import(built.program('subject').href)) as { openTill: typeof openTill };
    const { faults } = await spendDays(planted.openTill, 160, 1);
    expect(faults.join('\n')).toMatch(says);
  });

planted('of a long text an eighth is reserved', async () => {
  const bug = { file: 'src/core/model/usage/inputBound.ts', find: 'shape.bytes +', put: 'shape.bytes / 8 +' };
  using built = await buildWith(bug, ['src/core/model/usage/inputBound.ts']);
  const planted = (await import(built.program('inputBound').href)) as { inputUpperBound: typeof inputUpperBound };
  expect(reservedTooLow(planted.inputUpperBound, SEED)).toHaveLength(4);
});
