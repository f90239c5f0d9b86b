/** Works run in the order of their calls, and a failure reaches its caller alone. */
import { expect, it } from 'vitest';
import { oneByOne } from '../../../../src/core/session/oneByOne.ts';

it('starts each work after the end of the one before, also after a failure', async () => {
  const inTurn = oneByOne();
  const seen: string[] = [];
  const work = (name: string, fails = false) =>
    inTurn(async () => {
      seen.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      seen.push(`${name} ends`);
      if (fails) throw new Error(name);
      return name;
    });
  const ended = await Promise.allSettled([work('a'), work('b', true), work('c')]);
  expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});
