/** Reasons that the rows hold in words and that code reads: each is read as it was written, also by an older version. */
import { describe, expect, it, test } from 'vitest';
import {
  isCancelledBySteward,
  isStoppedByProject,
  reasonForAgents,
  stoppedByProject,
} from '../../../../src/core/job/jobStops.ts';
import { isRefusedBy, isRefusedByLimit, limitRefusal } from '../../../../src/core/money/limitWords.ts';
import { type Parked, parkedOf, parkedText } from '../../../../src/core/project/parked.ts';
import { fc } from '../../../support/suite/property.ts';

const REFUSED = ', which you refused: name another workdir, or unpark it to be asked again';

describe('why a project is parked', () => {
  it.each<[string, Parked]>([
    ['waits until project api is completed', { for: 'project', project: 'api' }],
    ['waits for your trust in /code/api', { for: 'trust', path: '/code/api', refused: false }],
    [`waits for your trust in /code/api${REFUSED}`, { for: 'trust', path: '/code/api', refused: true }],
    ['PROJECT.md is over 64 KiB', { for: 'file', what: 'is over 64 KiB' }],
    ['the workdir /code/api is gone', { for: 'workdir', what: '/code/api is gone' }],
    ['its thread died 3 times', { for: 'other', text: 'its thread died 3 times' }],
  ])('%s', (text, parked) => {
    expect(parkedOf(text)).toEqual(parked);
    expect(parkedText(parked)).toBe(text);
  });

  it('is written again as it was read, whatever the words', () => {
    const begins = fc.constantFrom(
      '',
      'waits until project ',
      'waits for your trust in ',
      'PROJECT.md ',
      'the workdir ',
    );
    const ends = fc.constantFrom('', ' is completed', REFUSED);
    fc.assert(
      fc.property(begins, fc.string(), ends, (...parts) => {
        const text = parts.join('');
        const parked = parkedOf(text);
        expect(parked === null ? null : parkedText(parked)).toBe(text);
      }),
    );
  });
});

describe('who stopped a job', () => {
  const job = (reason: string | null, status: 'cancelled' | 'paused' = 'cancelled') => ({
    status,
    reason,
    project_id: 'api',
  });

  it('is its project, in the words of older versions too', () => {
    expect(stoppedByProject('cancelled', 'api', 'not needed')).toBe('cancelled by project api: not needed');
    expect(isStoppedByProject(job('cancelled by project api: not needed'), 'cancelled')).toBe(true);
    expect(isStoppedByProject(job('cancelled by project api:'), 'cancelled')).toBe(true);
    expect(isStoppedByProject(job('paused by project api: later', 'paused'), 'paused')).toBe(true);
  });

  it('is not its project', () => {
    for (const reason of ['cancelled by project app: x', 'cancelled by you', null])
      expect([reason, isStoppedByProject(job(reason), 'cancelled')]).toEqual([reason, false]);
    expect(isStoppedByProject(job('paused by project api: later', 'paused'), 'cancelled')).toBe(false);
  });

  it('is the steward, who is "you" to people and "the steward" to agents', () => {
    expect(isCancelledBySteward(job('cancelled by you'))).toBe(true);
    expect(isCancelledBySteward(job('cancelled by you, at last'))).toBe(false);
    expect(['cancelled by you', 'paused by you', 'paused by you too'].map(reasonForAgents)).toEqual([
      'cancelled by the steward',
      'paused by the steward',
      'paused by you too',
    ]);
  });
});

test('a refusal by a limit is known by its words, and which limit it was', () => {
  const reason = limitRefusal('project_day', '$1.0000', '$0.9000 settled');
  expect(reason).toBe("the project's daily limit of $1.0000 is reached: $0.9000 settled");
  expect([isRefusedByLimit(reason), isRefusedBy(reason, 'project_day'), isRefusedBy(reason, 'day')]).toEqual([
    true,
    true,
    false,
  ]);
  expect(isRefusedByLimit('the model is overloaded')).toBe(false);
});
