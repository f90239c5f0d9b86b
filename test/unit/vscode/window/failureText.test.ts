/** What a failure says in a window: whole sentences. */
import { expect, it, vi } from 'vitest';
import { failure } from '../../../../src/shared/errors.ts';

vi.mock('vscode', () => ({}));

const { failureText } = await import('../../../../src/vscode/window/report.ts');

it.each([
  ['not a git repository: /w', 'Run git init.', 'Not a git repository: /w. Run git init.'],
  ['The brief is empty.', 'Say what shall be built.', 'The brief is empty. Say what shall be built.'],
  ['is it trusted?', '', 'Is it trusted?'],
  ['it waits', '', 'It waits.'],
])('%j with the hint %j', (message, hint, text) => {
  expect(failureText(failure('INVALID_INPUT', message, { hint }))).toBe(text);
});

it('takes what is no failure of ours', () => {
  expect(failureText(new Error('bad luck'))).toBe('Bad luck.');
  expect(failureText('odd')).toBe('Odd.');
});
