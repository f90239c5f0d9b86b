/** Several features at once, on rows alone: which start, which are merged, and what a kill at any moment leaves. */

import { describe, expect, it } from 'vitest';
import { playLanes } from '../../../support/state/laneGame.ts';
import { fc } from '../../../support/suite/property.ts';

const graph = fc
  .array(fc.array(fc.nat(29), { maxLength: 3 }), { minLength: 1, maxLength: 12 })
  .map((rows) => rows.map((on, index) => [...new Set(on.filter((one) => one < index))]));

describe('random graphs, conflicts, failures and kills', () => {
  it('start every feature on all that it depends on, and merge each that passes once', () => {
    let [returns, most] = [0, 0];
    fc.assert(
      fc.property(
        graph,
        fc.integer({ min: 1, max: 4 }),
        fc.infiniteStream(fc.nat(1_000_000)),
        (depends, lanes, luck) => {
          const dice = (sides: number): number => (luck.next().value as number) % sides;
          const played = playLanes(depends, lanes, dice);
          expect(played.broken).toEqual([]);
          const features = [...played.state.features.values()];
          const completed = features.filter(({ status }) => status === 'completed');
          // The branch has one commit of each feature that is completed, and of no other.
          expect(played.branch.map((commit) => commit.split('@')[0]).toSorted()).toEqual(
            completed.map(({ name }) => name).toSorted(),
          );
          returns += played.returns;
          most = Math.max(most, played.most);
        },
      ),
      { numRuns: 1_000 },
    );
    // What the game is about does happen in it.
    expect(returns).toBeGreaterThan(20);
    expect(most).toBeGreaterThan(2);
  });
});
