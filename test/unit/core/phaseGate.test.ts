/** What the steward reads at the gate of a phase. */
import { describe, expect, test } from 'vitest';
import { type FeatureFact, type PhaseFacts, phaseGateText, withoutFiles } from '../../../src/core/phaseGate.ts';

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
  stat: ' src/stack.js | 12 ++++\n 1 file changed, 12 insertions(+)\n',
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
      ].join('\n'),
    );
  });

  test('names what is missing', () => {
    const text = phaseGateText(facts({ reason: '', evidence: [], features: [], stat: '' }));
    expect(text).toBe('Verify commands: none\n\nFeatures: none\n\nChanges: none');
  });

  test('stays short, whatever there is', () => {
    const many = Array.from({ length: 500 }, (_, at) => at);
    const stat = `${many.map((at) => ` file${at}.js | 1 +`).join('\n')}\n 500 files changed, 500 insertions(+)\n`;
    const text = phaseGateText({
      reason: 'Good. '.repeat(2_000),
      evidence: many.map((at) => ({
        command: `check ${at} ${'x'.repeat(900)}`,
        exitCode: 0,
        ended: null,
        asBefore: false,
      })),
      features: many.map((at) => feature(`feature ${at}`, { status: at % 2 ? 'completed' : 'failed' })),
      stat,
    });
    expect(text.length).toBeLessThan(16_000);
    expect(text).toContain('- 480 more commands');
    expect(text).toContain('- 230 more features');
    expect(text).toContain('- completed (250): feature 1, ');
    expect(text).toMatch(/ file19\.js \| 1 \+\n … 480 more lines\n 500 files changed, 500 insertions\(\+\)$/);
    const short = withoutFiles(text);
    expect(short).not.toMatch(/file19|more lines/);
    expect(short).toMatch(/Changes:\n 500 files changed/);
  });
});
