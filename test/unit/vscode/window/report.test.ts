/** What a window offers where a check before filing found something missing: buttons that solve it on the spot. */
import { beforeEach, expect, it, vi } from 'vitest';
import { PRICES } from '../../../../src/core/money/price/prices.ts';
import { filingProblems } from '../../../../src/core/workspace/filing.ts';
import { filingFailure, NO_COMMIT } from '../../../../src/core/workspace/notReady.ts';
import { failure, toPlain } from '../../../../src/shared/errors.ts';
import { untilHolds } from '../../../support/time/untilHolds.ts';

const seen = vi.hoisted(() => ({ texts: [] as string[], buttons: [] as string[], ran: [] as unknown[][], press: '' }));

vi.mock('vscode', () => ({
  l10n: { t: (text: string) => text },
  window: {
    showWarningMessage: async (text: string, ...buttons: string[]) => {
      seen.texts.push(text);
      seen.buttons.push(...buttons);
      return buttons.find((button) => button === seen.press);
    },
    showErrorMessage: async (text: string, ...buttons: string[]) => {
      seen.texts.push(text);
      seen.buttons.push(...buttons);
      return buttons.find((button) => button === seen.press);
    },
  },
  commands: { executeCommand: async (...command: unknown[]) => void seen.ran.push(command) },
}));

const { logThrown, report } = await import('../../../../src/vscode/window/report.ts');
const { blockedBy } = await import('../../../../src/vscode/window/folder.ts');

beforeEach(() => Object.assign(seen, { texts: [], buttons: [], ran: [], press: '' }));

const log = { error: () => undefined } as unknown as Parameters<typeof report>[0];
const SECRET = `sk-ant-api03-${'a'.repeat(40)}`;
const KEY = failure('KEY_MISSING', 'there is no API key for Anthropic', { hint: 'In a terminal: export …' });
const REPOSITORY = failure('NOT_A_REPOSITORY', 'not a git repository: /w', { hint: 'git init' });
const COMMIT = failure('REPOSITORY_UNSUPPORTED', 'this repository has no commit yet', {
  hint: 'git commit',
  details: { reason: NO_COMMIT },
});
const GIT = failure('GIT_MISSING', 'git was not found', { hint: 'Install git.' });

function refused(repository: typeof GIT | null, door: readonly (typeof GIT)[]) {
  const problems = filingProblems({
    model: { provider: 'anthropic', models: [] },
    prices: PRICES,
    repository: repository === null ? null : toPlain(repository),
    door: door.map((failed) => ({ connection: 'anthropic', failed: toPlain(failed) })),
  });
  return filingFailure('the job cannot start', problems);
}

const SHOWN: readonly (readonly [string, ReturnType<typeof refused>, string, readonly string[]])[] = [
  ['no key', refused(null, [KEY]), 'There is no API key for Anthropic.', ['Set API Key', 'Choose Provider']],
  [
    'no key and no repository',
    refused(REPOSITORY, [KEY]),
    'Not a git repository: /w. There is no API key for Anthropic.',
    ['Set API Key', 'Choose Provider', 'Initialize Repository'],
  ],
  ['no commit', refused(COMMIT, []), 'This repository has no commit yet.', ['Commit All…']],
  ['no git, which no button gets', refused(GIT, []), 'Git was not found. Install git.', ['Show Log']],
];

it.each(SHOWN)('%s', (_, thrown, text, buttons) => {
  report(log, thrown);
  expect(seen.texts).toEqual([text]);
  expect(seen.buttons).toEqual(buttons);
});

it('a pressed button runs its command', async () => {
  seen.press = 'Initialize Repository';
  report(log, refused(REPOSITORY, [KEY]));
  await untilHolds(() => expect(seen.ran).toEqual([['git.init']]));
});

it('logs what was thrown without secrets and control characters', () => {
  const lines: string[] = [];
  logThrown(
    { error: (text: string | Error) => void lines.push(String(text)) },
    new Error(`\u001b[2Jno: ${SECRET}\u202e`),
  );
  logThrown({ error: (text: string | Error) => void lines.push(String(text)) }, `\u0007${SECRET}`);
  expect(lines.join('\n')).toMatch(/Error: <U\+001B>\[2Jno: /);
  for (const unseen of ['\u001b', '\u0007', '\u202e']) expect(lines.join('\n')).not.toContain(unseen);
  expect(lines.join('\n')).not.toContain(SECRET);
});

it.each([
  ['no_folder', 'Open a folder with a git repository first.', 'Open Folder', 'workbench.action.files.openFolder'],
  ['untrusted', 'This folder is in Restricted Mode:', 'Manage Trust', 'workbench.trust.manage'],
] as const)('offers the way out of %s to a command that cannot run', async (blocker, text, button, command) => {
  seen.press = button;
  report(log, blockedBy(blocker));
  await untilHolds(() => expect(seen.ran).toEqual([[command]]));
  expect(seen.texts).toEqual([expect.stringContaining(text)]);
  expect(seen.buttons).toEqual([button]);
});
