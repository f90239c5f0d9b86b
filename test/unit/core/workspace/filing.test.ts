/** What is missing before something is filed: one list of values, which every surface shows. */
import { describe, expect, it } from 'vitest';
import { PRICES } from '../../../../src/core/money/price/prices.ts';
import { type FilingFacts, filingProblems } from '../../../../src/core/workspace/filing.ts';
import { blockersIn, filingFailure, NO_COMMIT, SLOW } from '../../../../src/core/workspace/notReady.ts';
import { failure, type PlainFailure, toPlain } from '../../../../src/shared/errors.ts';

const plain = (...args: Parameters<typeof failure>): PlainFailure => toPlain(failure(...args));
const facts = (parts: Partial<FilingFacts> = {}): FilingFacts => ({
  model: { provider: 'anthropic', models: ['claude-opus-5-5'] },
  prices: PRICES,
  repository: null,
  door: [],
  ...parts,
});

const down = (reason: string, sent: boolean): PlainFailure =>
  plain('MODEL_UNAVAILABLE', 'the model server cannot be reached', { details: { reason, sent } });

const of = (failed: PlainFailure) => ({ connection: 'anthropic', failed });

describe('what is missing', () => {
  it('is nothing where all is there', () => expect(filingProblems(facts())).toEqual([]));

  it.each<[string, Partial<FilingFacts>, object]>([
    ['no git', { repository: plain('GIT_MISSING', 'git was not found') }, { check: 'git', remedies: [] }],
    [
      'no repository',
      { repository: plain('NOT_A_REPOSITORY', 'not a git repository: /x') },
      { check: 'repository', remedies: ['init_repository'] },
    ],
    [
      'no commit',
      { repository: plain('REPOSITORY_UNSUPPORTED', 'no commit yet', { details: { reason: NO_COMMIT } }) },
      { check: 'repository', remedies: ['commit'] },
    ],
    [
      'a bare repository',
      { repository: plain('REPOSITORY_UNSUPPORTED', 'this is a bare repository') },
      { check: 'repository', remedies: [] },
    ],
    [
      'no key',
      { door: [of(plain('KEY_MISSING', 'there is no key'))] },
      { check: 'key', remedies: ['set_key', 'choose_provider'] },
    ],
    [
      'no model of the editor',
      {
        model: { provider: 'vscode-lm', models: ['a'] },
        door: [{ connection: 'vscode-lm', failed: plain('MODEL_NOT_CHOSEN', 'no such model') }],
      },
      { check: 'key', remedies: ['choose_provider'] },
    ],
    [
      'a model without a price',
      { model: { provider: 'anthropic', models: ['own-1', 'claude-opus-5-5'] } },
      { check: 'price', code: 'MODEL_UNPRICED', message: 'there is no price for the model "own-1"' },
    ],
    ['a server that refuses', { door: [of(down('ECONNREFUSED', false))] }, { check: 'endpoint', blocks: true }],
    ['a server that is slow', { door: [of(down(SLOW, true))] }, { check: 'endpoint', blocks: false }],
    ['a server that broke off', { door: [of(down('ECONNRESET', true))] }, { check: 'endpoint', blocks: false }],
  ])('%s', (_, parts, expected) => expect(filingProblems(facts(parts))).toMatchObject([expected]));

  it('of a provider that names no price is no price', () => {
    expect(filingProblems(facts({ model: { provider: 'vscode-lm', models: ['copilot/any'] } }))).toEqual([]);
  });

  it('is the repository alone where no model is called', () => {
    const missing = facts({ model: null, repository: plain('GIT_MISSING', 'git was not found') });
    expect(filingProblems(missing).map(({ check }) => check)).toEqual(['git']);
  });
});

describe('the refusal', () => {
  const problems = filingProblems(
    facts({
      door: [of(plain('KEY_MISSING', 'there is no key', { hint: 'Set it.' }))],
      repository: plain('NOT_A_REPOSITORY', 'not a git repository: /x', { hint: 'git init' }),
    }),
  );

  it('of one problem is a sentence with its hint', () => {
    const { message, hint } = filingFailure('the job cannot start', problems.slice(0, 1));
    expect([message, hint]).toEqual(['the job cannot start: not a git repository: /x', 'git init']);
  });

  it('of several names each with its hint, and a surface reads them back', () => {
    const refused = filingFailure('the job cannot start', problems);
    expect(refused).toMatchObject({ code: 'NOT_READY', traits: { exit: 2 } });
    expect(refused.message).toBe(
      'the job cannot start:\n- not a git repository: /x\n  git init\n- there is no key\n  Set it.',
    );
    expect(blockersIn(refused)).toEqual({
      problems: ['not a git repository: /x', 'there is no key'],
      remedies: ['set_key', 'choose_provider', 'init_repository'],
      hints: [],
    });
    expect(blockersIn(failure('KEY_MISSING', 'x'))).toBeNull();
  });
});
