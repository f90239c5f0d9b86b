/** How the facts of a check before filing are gathered: warnings do not refuse, and a process that calls no model asks nobody. */
import { expect, it } from 'vitest';
import { PRICES } from '../../../../src/core/money/price/prices.ts';
import { SLOW } from '../../../../src/core/workspace/notReady.ts';
import { type FilingPorts, filingCheck, modelsAsked } from '../../../../src/engine/job/filing.ts';
import { failure } from '../../../../src/shared/errors.ts';
import { jobOptions } from '../../../support/state/builders.ts';

const WANTED = {
  what: 'the job cannot start',
  model: { provider: 'anthropic', models: ['claude-opus-5-5'] },
  folder: '/w',
} as const;

const git: FilingPorts['git'] = {
  inspect: async () => ({ root: '/w', head: 'h', branch: 'main', dirty: [], untracked: [], objections: [] }),
};
const slow = failure('MODEL_UNAVAILABLE', 'the server did not answer', { hint: 'Look.', details: { reason: SLOW } });

it('tells of a slow server and goes on', async () => {
  const told: string[] = [];
  const check = filingCheck({ git, door: () => ({ check: async () => [slow] }), prices: PRICES }, (text) =>
    told.push(text),
  );
  await check(WANTED);
  expect(told).toEqual(['the server did not answer. Look.']);
});

it('looks at git alone where the process calls no model, or the work none', async () => {
  const refused = failure('KEY_MISSING', 'there is no key');
  const door: FilingPorts['door'] = () => ({ check: async () => [refused] });
  const none = () => undefined;
  await filingCheck({ git, door: null, prices: PRICES }, none)(WANTED);
  await filingCheck({ git, door, prices: PRICES }, none)({ ...WANTED, model: null });
  await expect(filingCheck({ git, door, prices: PRICES }, none)(WANTED)).rejects.toMatchObject({ code: 'NOT_READY' });
});

it('asks for a price only where the gateway pays', () => {
  const options = jobOptions({
    models: { planner: 'p', worker: 'w', reviewer: 'w', summarizer: 's' },
    executors: { worker: 'own', planner: 'ours' },
  });
  const entry = { title: 'Agent', models: 'own' };
  const agents = { own: entry, ours: { ...entry, models: 'gateway' } } as unknown as Parameters<typeof modelsAsked>[0];
  expect(modelsAsked(agents, options)).toEqual(['p', 'w', 's']);
});
