/** What a process can know of another one, whatever their systems state. */
import { expect, it } from 'vitest';
import { type MachineMark, placeOf } from '../../../../src/core/state/processMark.ts';
import { fc } from '../../../support/suite/property.ts';

const few = fc.constantFrom('', 'a', 'b');
const marks: fc.Arbitrary<MachineMark> = fc.record({ machine: few, host: few, boot: few, space: few });

it('no process of a machine that may be another one is taken for one that has ended, or that can be seen', () => {
  fc.assert(
    fc.property(marks, marks, (one, own) => {
      const isSameBoot = one.boot !== '' && one.boot === own.boot;
      const isNamed = one.machine !== '' && one.machine === own.machine && one.host === own.host;
      const place = placeOf(one, own);
      if (!isSameBoot && !isNamed) expect(place).toBe('elsewhere');
      if (place === 'past')
        expect([isNamed, one.boot !== '', own.boot !== '', one.boot !== own.boot]).not.toContain(false);
      if (place === 'here') expect(one.space).toBe(own.space);
      expect(place === 'elsewhere').toBe(placeOf(own, one) === 'elsewhere');
    }),
  );
});
