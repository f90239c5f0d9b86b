import { describe, expect, it } from 'vitest';
import {
  type Assignment,
  formatAssignment,
  formatProjectTurn,
  type ProjectTurn,
  parseAssignment,
  parseProjectTurn,
} from '../../../../src/shared/workspace/assignment.ts';
import { amount } from '../../../support/suite/proof.ts';
import { anyCharacter, fc } from '../../../support/suite/property.ts';

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: anyCharacter }),
  fc.constantFrom('', '"', '\\', '\\"', '" | attempt 9', '\n', '\u2028', '\ud800', '__proto__', ' | feature 7 "x"'),
);
const attempt = fc.nat();

const assignment: fc.Arbitrary<Assignment> = fc.oneof(
  fc.record({ role: fc.constant('planner' as const), attempt }),
  fc.record({ role: fc.constant('worker' as const), phase: text, feature: text, featureId: fc.nat(), attempt }),
  fc.record({ role: fc.constant('reviewer' as const), phase: text, feature: fc.option(text), attempt }),
  fc.record({ role: fc.constant('summarizer' as const), phase: text, attempt }),
);

describe('an assignment', () => {
  it('reads as the page about scenarios says', () => {
    const worker = { role: 'worker', phase: 'Core', feature: 'push and pop', featureId: 5, attempt: 2 } as const;
    expect(formatAssignment(worker)).toBe('Assignment: worker | phase "Core" | feature 5 "push and pop" | attempt 2');
    expect(formatAssignment({ role: 'planner', attempt: 1 })).toBe('Assignment: planner | attempt 1');
  });

  it('is one line that reads back as it was, whatever the names', () => {
    fc.assert(
      fc.property(assignment, (given) => {
        const line = formatAssignment(given);
        expect(line).not.toContain('\n');
        expect(parseAssignment(line)).toEqual(given);
      }),
      { numRuns: amount({ short: 200, long: 50_000 }) },
    );
  });

  it.each([
    '',
    'Assignment: worker | attempt 1',
    'Assignment: worker | phase "a" | attempt 1',
    'Assignment: worker | phase "a" | feature "b" | attempt 1',
    'Assignment: summarizer | attempt 1',
    'Assignment: steward | attempt 1',
    'Assignment: planner | attempt -1',
    'Assignment: planner | attempt 1 ',
    ' Assignment: planner | attempt 1',
    'Assignment: planner | attempt 1\nmore',
    'Assignment: summarizer | phase "a" b" | attempt 1',
  ])('is not %j', (line) => {
    expect(parseAssignment(line)).toBeNull();
  });

  it('is not just any line', () => {
    fc.assert(
      fc.property(text, (line) => {
        expect(parseAssignment(line)).toBeNull();
      }),
    );
  });
});

const turn: fc.Arbitrary<ProjectTurn> = fc.oneof(
  fc.record({
    kind: fc.constant('messages' as const),
    project: fc.constantFrom('main', 'default', 'web-ui', 'a', '0'),
    ids: fc.array(fc.nat(), { minLength: 1, maxLength: 5 }),
  }),
  fc.record({
    kind: fc.constant('subagent' as const),
    project: fc.constantFrom('main', 'web-ui'),
    session: fc.option(fc.nat(), { nil: null }),
  }),
  fc.record({ kind: fc.constant('summary' as const), project: fc.constantFrom('main', 'web-ui') }),
);

describe("a project's turn", () => {
  it('reads as people read it', () => {
    expect(formatProjectTurn({ kind: 'messages', project: 'web-ui', ids: [3, 4] })).toBe(
      '[project web-ui message 3,4]',
    );
    expect(formatProjectTurn({ kind: 'messages', project: 'main', ids: [7] })).toBe('[main message 7]');
    const asked = { kind: 'subagent', project: 'web-ui', session: 12 } as const;
    expect(formatProjectTurn(asked)).toBe('[task for a subagent from session 12 of project web-ui]');
    expect(parseProjectTurn('[subagent of web-ui]')).toEqual({ ...asked, session: null });
  });

  it('is one line that reads back as it was', () => {
    fc.assert(
      fc.property(turn, (given) => {
        expect(parseProjectTurn(formatProjectTurn(given))).toEqual(given);
      }),
    );
  });

  it.each([
    '',
    '[project web-ui message ]',
    '[main message 3] ',
    ' [main message 3]',
    '[main message 3]\nmore',
    '[worker of a]',
  ])('is not %j', (line) => {
    expect(parseProjectTurn(line)).toBeNull();
  });
});
