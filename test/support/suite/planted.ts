/** That a proof can fail: a bug is put into what it judges, and its own checker must find it. */
import { type TestContext, test } from 'vitest';
import { PLANTED } from './proof.ts';

/** A test of this in the forms of `npm run proof`, nothing in the short one. scripts/trust.mjs reads the name. */
export function planted(bug: string, body: (context: TestContext) => unknown): void {
  if (PLANTED) test(`planted: ${bug}: is caught`, body);
}
