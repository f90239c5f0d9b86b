import { expect, it } from 'vitest';
import { repeatedKey } from '../../../../src/core/text/repeatedKey.ts';
import { anyCharacter, fc } from '../../../support/suite/property.ts';

const value = fc.jsonValue({ maxDepth: 4, stringUnit: anyCharacter });
const indent = fc.constantFrom(undefined, 1);

it('finds none where there is none', () => {
  fc.assert(
    fc.property(value, indent, (json, spaces) => {
      expect(repeatedKey(JSON.stringify(json, null, spaces))).toBeNull();
    }),
  );
});

it('finds one wherever it is', () => {
  const name = fc.string({ unit: anyCharacter });
  fc.assert(
    fc.property(fc.dictionary(name, value, { minKeys: 1 }), value, value, fc.nat(), (members, beside, again, pick) => {
      const names = Object.keys(members);
      const twice = names[pick % names.length] ?? '';
      const object = `${JSON.stringify(members).slice(0, -1)}, ${JSON.stringify(twice)} : ${JSON.stringify(again)}}`;
      expect(repeatedKey(`[${JSON.stringify(beside)}, {"a": "b", "c": ["a", ${object}]}]`)).toBe(twice);
    }),
  );
});

it('reads what is escaped', () => {
  expect(repeatedKey('{"a\\"b":1,"a\\u0022b":2}')).toBe('a"b');
  expect(repeatedKey('{"a\\\\":"a","b":"\\\\","c":"b"}')).toBeNull();
});
