/** What the steward reads at the gate of a phase. */
import { describe, expect, test } from 'vitest';
import {
  afterApproval,
  type FeatureFact,
  type PhaseFacts,
  phaseGateText,
  withoutFiles,
} from '../../../../../src/core/job/gate/phaseGate.ts';
import type { JobRow, PhaseRow } from '../../../../../src/shared/job/rows.ts';
import { jobRow, phaseRow } from '../../../../support/state/builders.ts';

const feature = (name: string, patch: Partial<FeatureFact> = {}): FeatureFact => ({
  name,
  status: 'completed',
  failure_reason: null,
  held: null,
  ...patch,
});

const facts = (patch: Partial<PhaseFacts> = {}): PhaseFacts => ({
  reason: 'All criteria hold.',
  evidence: [
    { command: 'npm test', exitCode: 0, ended: null, fresh: { inTree: 'passed' }, asBefore: false },
    { command: 'npm run lint', exitCode: 1, ended: null, asBefore: true },
  ],
  features: [
    feature('Add'),
    feature('Remove'),
    feature('Undo', { status: 'failed', failure_reason: 'refused by the steward: \n Not now.' }),
    feature('Redo', { status: 'pending', held: 'depends on "Undo", which failed' }),
  ],
  rejections: [],
  stat: ' src/stack.js | 12 ++++\n 1 file changed, 12 insertions(+)\n',
  next: 'If you approve: phase 2 of 2, "CLI", is next.',
  ...patch,
});

describe('the question about a phase', () => {
  test('shows the words of the reviewer, the evidence, the features and the files', () => {
    expect(phaseGateText(facts())).toBe(
      [
        'All criteria hold.',
        '',
        'Verify commands:',
        '- npm run lint: failed (exit code 1, as before any work)',
        '- npm test: passed, in a fresh checkout',
        '',
        'Features:',
        '- failed: Undo (refused by the steward: Not now.)',
        '- held: Redo (depends on "Undo", which failed)',
        '- completed (2): Add, Remove',
        '',
        'Changes:',
        ' src/stack.js | 12 ++++',
        ' 1 file changed, 12 insertions(+)',
        '',
        'If you approve: phase 2 of 2, "CLI", is next.',
      ].join('\n'),
    );
  });

  test('shows the newest rejections before it', () => {
    const rejections = [
      'the reviewer: 1',
      'the reviewer: 2',
      'the reviewer: 3',
      'the steward (question 4): No\n licence.',
    ];
    expect(phaseGateText(facts({ rejections }))).toContain(
      'All criteria hold.\n\nRejected before:\n- 1 older\n- the reviewer: 2\n- the reviewer: 3\n- the steward (question 4): No licence.\n\nVerify',
    );
  });

  test('states what an approval leads to', () => {
    const phases = [1, 2].map((number) => phaseRow({ id: number, number, title: `P${number}` }));
    const [first, last] = phases as [PhaseRow, PhaseRow];
    const job = (gates: JobRow['options']['gates']) => ({ options: { ...jobRow({}).options, gates } });
    expect(afterApproval(job([]), first, phases)).toBe('If you approve: phase 2 of 2, "P2", is next.');
    expect(afterApproval(job(['merge']), last, phases)).toMatch(/last phase.* You are asked again before the merge\.$/);
    expect(afterApproval(job([]), last, phases)).toMatch(/ Then it is merged\.$/);
  });

  test('names what is missing', () => {
    const text = phaseGateText(facts({ reason: '', evidence: [], features: [], stat: '', next: '' }));
    expect(text).toBe('Verify commands: none\n\nFeatures: none\n\nChanges: none');
  });

  test('stays short, whatever there is', () => {
    const many = Array.from({ length: 500 }, (_, at) => at);
    const stat = `${many.map((at) => ` file${at}.js | 1 +`).join('\n')}\n 500 files changed, 500 insertions(+)\n`;
    const text = phaseGateText({
      reason: 'Good. '.repeat(2_000),
      rejections: many.map(() => 'Bad. '.repeat(2_000)),
      evidence: many.map((at) => ({
        command: `check ${at} ${'x'.repeat(900)}`,
        exitCode: 0,
        ended: null,
        asBefore: false,
      })),
      features: many.map((at) => feature(`feature ${at}`, { status: at % 2 ? 'completed' : 'failed' })),
      stat,
      next: 'Next.',
    });
    expect(text.length).toBeLessThan(16_000);
    expect(text).toContain('- 480 more commands');
    expect(text).toContain('- 230 more features');
    expect(text).toContain('- completed (250): feature 1, ');
    expect(text).toMatch(/ file19\.js \| 1 \+\n … 480 more lines\n 500 files changed, 500 insertions\(\+\)\n\nNext\.$/);
    const short = withoutFiles(text);
    expect(short).not.toMatch(/file19|more lines/);
    expect(short).toMatch(/Changes:\n 500 files changed/);
  });
});
