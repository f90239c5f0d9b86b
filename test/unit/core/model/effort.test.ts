/** The effort of a role: which models take which, and what it adds to a request. */
import { describe, expect, it } from 'vitest';
import { effortFault } from '../../../../src/core/model/effort.ts';
import { PRICES } from '../../../../src/core/money/price/prices.ts';
import { jobOptions as optionsOf } from '../../../../src/engine/job/requests/brief.ts';
import { roleSpec } from '../../../../src/engine/job/roleSpec.ts';
import { firstRequest } from '../../../../src/engine/session/request.ts';
import { sessionSpec } from '../../../../src/engine/session/spec.ts';
import { EFFORTS, type Effort, modelWithEffort } from '../../../../src/shared/model/effort.ts';
import { jobOptions, jobRow } from '../../../support/state/builders.ts';

const models = (worker: string) => ({ ...jobOptions().models, worker });

describe('an effort', () => {
  it.each(Object.keys(PRICES.models))('of any level is taken by %s', (model) => {
    for (const level of EFFORTS)
      expect(effortFault(jobOptions({ models: models(model), effort: { worker: level } }))).toBeNull();
  });

  it.each([
    ['claude-haiku-4-5-20251001', 'low', 'Leave out the effort of the worker, or choose another model for it.'],
    ['claude-opus-4-5', 'max', 'It takes: low, medium, high.'],
    ['claude-sonnet-4-6', 'xhigh', 'It takes: low, medium, high, max.'],
  ] as const)('%s does not take %s', (model, level, hint) => {
    expect(effortFault(jobOptions({ models: models(model), effort: { worker: level } }))).toEqual({
      message: `${model} does not take the effort "${level}" that is chosen for the worker`,
      hint,
    });
  });

  it('of a model that is not known here is left to its server, and the editor takes none', () => {
    expect(effortFault(jobOptions({ models: models('my-model'), effort: { worker: 'max' } }))).toBeNull();
    const editor = { models: models('claude-haiku-4-5'), effort: { worker: 'max' }, provider: 'vscode-lm' } as const;
    expect(effortFault(jobOptions(editor))).toBeNull();
  });

  it.each([
    ['claude-sonnet-5-5', 'claude-sonnet-5-5', null],
    [' claude-sonnet-5-5  high ', 'claude-sonnet-5-5', 'high'],
    ['claude-sonnet-5-5 hgih', 'claude-sonnet-5-5 hgih', null],
    ['high', 'high', null],
  ] as const)('behind the name of a model: %j', (text, model, effort) => {
    expect(modelWithEffort(text)).toEqual({ model, effort });
  });

  it('is chosen with the brief, by role or behind a model, and the role counts', () => {
    const models = { worker: 'claude-sonnet-5-5 high', reviewer: 'claude-opus-5-5 max', planner: 'claude-opus-5' };
    const input = { brief: 'x', project: 'default', models, effort: { worker: 'low' } } as const;
    const options = optionsOf(input, jobOptions(), null);
    expect(options.models).toMatchObject({ worker: 'claude-sonnet-5-5', reviewer: 'claude-opus-5-5' });
    expect(options.effort).toEqual({ worker: 'low', reviewer: 'max' });
    expect(optionsOf({ brief: 'x', project: 'default' }, jobOptions(), null)).not.toHaveProperty('effort');
  });
});

describe('a request', () => {
  const sent = (effort: Effort | undefined) =>
    firstRequest(sessionSpec('reviewer', { model: 'm', opening: 'x', effort }), []);

  it('without an effort is as before', () => {
    expect(Object.keys(sent(undefined))).not.toContain('output_config');
    expect(sent(undefined).max_tokens).toBe(8_000);
  });

  it.each([
    ['low', 8_000],
    ['medium', 8_000],
    ['high', 16_000],
    ['xhigh', 40_000],
    ['max', 56_000],
  ] as const)('with %s asks for it, with room for the thinking in what is reserved', (effort, max_tokens) => {
    expect(sent(effort)).toMatchObject({ output_config: { effort }, max_tokens });
  });

  it('has the effort of its role alone', () => {
    const job = jobRow({ options: jobOptions({ effort: { worker: 'xhigh' } }) });
    expect(roleSpec('worker', job, { opening: 'x' })).toMatchObject({
      model: 'sonnet',
      effort: 'xhigh',
      maxTokens: 48_000,
    });
    expect(roleSpec('planner', job, { opening: 'x' })).not.toHaveProperty('effort');
  });
});
