/** Whose words a note is, as the editor shows it: only the steward's are yours. */
import { expect, it, vi } from 'vitest';

vi.mock('vscode', () => ({
  l10n: { t: (text: string, ...values: unknown[]) => text.replaceAll(/\{(\d)\}/g, (_, at) => String(values[at])) },
}));

const { authorName } = await import('../../../../src/vscode/note/authorName.ts');

it.each([
  ['steward', null, 'You'],
  ['worker', 12, 'Agent, session 12'],
  ['main', null, 'Main agent'],
  ['import', null, 'Imported'],
  ['import', 3, 'Imported'],
  [null, null, 'Unknown author'],
] as const)('%s, session %s: %s', (created_by, created_by_session, name) => {
  expect(authorName({ created_by, created_by_session })).toBe(name);
});
