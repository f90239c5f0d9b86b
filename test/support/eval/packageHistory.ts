/** The history of a published package as an eval finds it: each change is a commit with its test, beside commits that are no tasks. */
import type { Change, Package } from '../mistakes/packages.ts';

export interface PlannedCommit {
  readonly message: string;
  readonly files: Readonly<Record<string, string>>;
}

/** The files of a change on top of `files`. */
export function changed(
  files: Readonly<Record<string, string>>,
  { file, edits, test }: Change,
): Record<string, string> {
  const text = edits.reduce((before, { at, becomes }) => {
    if (!before.includes(at)) throw new Error(`${file} lacks ${at}`);
    return before.replace(at, () => becomes);
  }, files[file] ?? '');
  return { [file]: text, [test.file]: test.content };
}

const messageOf = ({ name, description }: Change): string =>
  `${name}\n\n${description}\n\nSigned-off-by: User <user@example.org>`;

/** Oldest first, on top of the package's files. Between the changes are a commit of documents and one of a test alone. */
export function historyOf(of: Package): readonly PlannedCommit[] {
  const files: Record<string, string> = { ...of.files };
  const commits: PlannedCommit[] = [];
  for (const [index, change] of of.changes.entries()) {
    const next = changed(files, change);
    Object.assign(files, next);
    commits.push({ message: messageOf(change), files: next });
    if (index === 0) commits.push({ message: 'Describe the changes', files: { 'CHANGES.md': 'Changes.\n' } });
    if (index === 1)
      commits.push({
        message: 'Test nothing',
        files: { 'test/nothing.test.js': "require('node:test')('nothing', () => {});\n" },
      });
  }
  return commits;
}
