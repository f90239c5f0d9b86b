/** Which questions about a missing key a new owner settles: what each provider's own check reports decides. */
import { expect, test } from 'vitest';
import { doorsOf } from '../../../../../src/app/open/model/models.ts';
import type { Provider } from '../../../../../src/engine/session/gatewayPorts.ts';
import { resumeLeftJobs } from '../../../../../src/engine/workspace/threads/leftJobs.ts';
import { PROVIDERS } from '../../../../../src/shared/model/models.ts';
import { newApproval } from '../../../../support/state/builders.ts';
import { addJob, openMemoryStore } from '../../../../support/state/memoryStore.ts';
import { FakeClock } from '../../../../support/time/fakeClock.ts';

const OF_THE_WINDOW: Provider = { name: 'vscode-lm', send: () => Promise.reject(new Error('not asked')) };

/** Providers whose questions are settled. */
async function settled(key: string | null, injected = {}): Promise<readonly string[]> {
  const clock = new FakeClock();
  const store = await openMemoryStore(clock);
  for (const [at, provider] of PROVIDERS.entries()) {
    await addJob(store, provider, { provider });
    const asked = { id: at + 1, job_id: provider, kind: 'provider', subject: `provider:KEY_MISSING:${at}` } as const;
    await store.commit({ type: 'approval_requested', approval: newApproval(asked) });
  }
  const door = doorsOf({ key: () => key, baseUrl: null }, null, injected);
  await resumeLeftJobs({ store, clock, door, work: () => undefined });
  return [...store.state.approvals.values()].flatMap(({ status, job_id }) => (status === 'void' ? [job_id ?? ''] : []));
}

test.each([
  ['no key, outside of a window', null, {}, ['simulated']],
  ['a key of blanks', ' ', {}, ['simulated']],
  ['a key', 'sk-ant-0123456789', {}, ['anthropic', 'simulated']],
  ['the models of a window', null, { 'vscode-lm': OF_THE_WINDOW }, ['simulated', 'vscode-lm']],
])('%s', async (_, key, injected, expected) => {
  expect(await settled(key, injected)).toEqual(expected);
});
