/**
 * Writes the message of a feature's commit: a subject in the style of the repository, the worker's report, and trailers. The report is
 * a model's text: it is never the last paragraph, which alone git reads as trailers.
 */

import type { FeatureRow, JobRow } from '../../../shared/job/rows.ts';
import { withoutSecrets } from '../../guard/secrets.ts';
import { cutAtWord } from '../../text/cutText.ts';

/** Settings of a message beside the feature. */
export interface CommitStyle {
  /** Subjects of the repository's last commits, without merges. */
  readonly subjects: readonly string[];
  /** Whether the user is the author, so that Autonomous is named as a co-author. */
  readonly isByUser: boolean;
}

const WIDTH = 72;
const TYPES = ['feat', 'fix', 'docs', 'style', 'refactor', 'perf', 'test', 'build', 'ci', 'chore', 'revert'] as const;
type CommitType = (typeof TYPES)[number];
const CONVENTIONAL = new RegExp(`^(?:${TYPES.join('|')})(?:\\([^()]+\\))?!?: \\S`);
/** Matched against the feature's category, then the first word of its name. */
const CATEGORIES: Readonly<Partial<Record<CommitType, RegExp>>> = {
  fix: /^(?:bugs?|bug-?fix(?:es)?|fix(?:es)?)$/i,
  docs: /^(?:docs?|documentation)$/i,
  test: /^(?:tests?|testing)$/i,
  build: /^(?:build|deps|dependencies|packaging)$/i,
  ci: /^ci$/i,
  perf: /^perf(?:ormance)?$/i,
  refactor: /^refactor(?:ing)?$/i,
  chore: /^(?:chores?|maintenance|tooling)$/i,
};
const VERBS: Readonly<Partial<Record<CommitType, RegExp>>> = {
  fix: /^(?:fix|correct|repair|prevent)$/i,
  docs: /^(?:document|describe)$/i,
  test: /^(?:test|cover)$/i,
  perf: /^(?:speed|optimi[sz]e)$/i,
  refactor: /^(?:refactor|restructure|rename|extract|simplify)$/i,
};
/** Words by which servers of CI leave a commit out. A report does not decide that. */
const SKIPS_CI = /\[(skip ci|ci skip|no ci|skip actions|actions skip)\]|^(skip-checks *: *true)$/gim;
const FEATURE = 'Autonomous-Feature:';
const CO_AUTHOR = 'Co-authored-by: Autonomous <autonomous@localhost>';

const clean = withoutSecrets();

export function commitMessage(
  job: Pick<JobRow, 'id'>,
  feature: Pick<FeatureRow, 'id' | 'name' | 'category'>,
  summary: string | null,
  style: CommitStyle,
): string {
  const name = oneLine(feature.name);
  const wanted = isConventional(style.subjects) ? conventional(name, feature.category) : name;
  const subject = cutAtWord(wanted, WIDTH);
  // A name that was cut is in the body as a whole.
  const body = [subject === wanted ? '' : name, summary ?? ''].map(bodyText).filter((part) => part !== '');
  const trailers = [
    `Autonomous-Job: ${oneLine(job.id)}`,
    `${FEATURE} ${feature.id}`,
    ...(style.isByUser ? [CO_AUTHOR] : []),
  ];
  return `${[subject, ...body, trailers.join('\n')].join('\n\n')}\n`;
}

/** Lines of the last paragraph if they are trailers. A message of one line has none. */
export function trailersOf(message: string): readonly string[] {
  const paragraphs = message.trim().split(/\n{2,}/);
  const lines = paragraphs.length < 2 ? [] : (paragraphs.at(-1) ?? '').split('\n');
  return lines.every((line) => /^[A-Za-z][A-Za-z-]*: \S/.test(line)) ? lines : [];
}

/**
 * The message of one commit in place of several, oldest first: the first subject, the newest report on each feature, and all trailers
 * once. A worker's report covers its earlier attempts at the feature, but a report on a fix covers the fix alone.
 */
export function foldedMessage(messages: readonly string[]): string {
  const [first = ''] = messages;
  const subject = first.trim().split('\n', 1)[0] ?? '';
  const bodies = new Map<string, string>();
  for (const [index, message] of messages.entries()) {
    const text = message.trim();
    const trailers = trailersOf(message);
    const body = text.slice(text.split('\n', 1)[0]?.length, text.length - trailers.join('\n').length).trim();
    const features = trailers.filter((line) => line.startsWith(FEATURE)).join('\n');
    if (body !== '') bodies.set(features === '' ? String(index) : features, body);
  }
  const lines = [...new Set(messages.flatMap(trailersOf))];
  const keys = [...new Set(lines.map((line) => line.slice(0, line.indexOf(':'))))];
  const trailers = keys.flatMap((key) => lines.filter((line) => line.startsWith(`${key}:`)));
  const parts = [subject, ...new Set(bodies.values()), trailers.join('\n')].filter((part) => part !== '');
  return `${parts.join('\n\n')}\n`;
}

/** Whether most of the subjects are conventional commits. */
function isConventional(subjects: readonly string[]): boolean {
  return subjects.filter((subject) => CONVENTIONAL.test(subject)).length * 2 > subjects.length;
}

function conventional(name: string, category: string): string {
  if (CONVENTIONAL.test(name)) return name;
  const [first = ''] = name.split(' ', 1);
  const type =
    TYPES.find((one) => CATEGORIES[one]?.test(category)) ?? TYPES.find((one) => VERBS[one]?.test(first)) ?? 'feat';
  // Only a word that is capitalized because it starts a sentence: neither README nor GitHub.
  const text = /^[A-Z][a-z]*$/.test(first) ? `${first.toLowerCase()}${name.slice(first.length)}` : name;
  return `${type}: ${text.replace(/\.$/, '')}`;
}

const oneLine = (text: string): string => plain(text).replaceAll(/\s+/g, ' ').trim();

/** Without control characters, except line breaks and tabs. */
const plain = (text: string): string =>
  clean(text)
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\P{Cc}\n\t]/gu, '');

/** Wraps paragraphs and list items. Code, tables and indented text are unchanged. */
function bodyText(text: string): string {
  const lines = plain(text)
    .replaceAll(SKIPS_CI, (_, words: string | undefined, line: string | undefined) => `(${words ?? line})`)
    .split('\n')
    .map((line) => line.trimEnd());
  const made: string[] = [];
  let paragraph: string[] = [];
  let isCode = false;
  const flush = (): void => {
    if (paragraph.length > 0) made.push(...wrapped(paragraph.join(' ')));
    paragraph = [];
  };
  for (const line of lines) {
    const isFence = /^\s*(?:```|~~~)/.test(line);
    const isKept = isFence || isCode || line === '' || /^(?: {4}|\t|\||#)/.test(line);
    if (isKept || /^\s*(?:[-*+]|\d+[.)]) /.test(line)) flush();
    if (isKept) made.push(line);
    else paragraph.push(paragraph.length === 0 ? line : line.trim());
    if (isFence) isCode = !isCode;
  }
  flush();
  return made
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .replace(/^\n+|\n+$/g, '');
}

/** The lines of a list item after its first one are indented below its text. */
function wrapped(text: string): string[] {
  const [lead = ''] = /^\s*(?:(?:[-*+]|\d+[.)]) )?/.exec(text) ?? [];
  const lines: string[] = [];
  let line = lead;
  for (const word of text.slice(lead.length).split(/\s+/)) {
    const isFirst = line.trim() === lead.trim();
    if (!isFirst && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = `${' '.repeat(lead.length)}${word}`;
    } else line += isFirst ? word : ` ${word}`;
  }
  return [...lines, line.trimEnd()];
}
