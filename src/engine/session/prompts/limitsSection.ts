/** Writes what the limits leave to a session into its prompt. */
import type { LimitLeft } from '../../../core/money/limitsLeft.ts';
import { limitNamed } from '../../../core/money/limitWords.ts';
import { section } from './sections.ts';

const HEADING = 'Limits of this session';
/** The line that the section begins with. */
export const LIMITS = `# ${HEADING}\n`;

/** The amounts that the limits leave to the session. They differ between sessions, so the shared part of the prompt does not have them. */
export function limitsSection(left: readonly LimitLeft[]): string {
  return section(HEADING, left.map((one) => `- ${limitLine(one)}`).join('\n'));
}

function limitLine({ counts, limit, left, most }: LimitLeft): string {
  const amount = (value: number): string =>
    counts === 'money' ? dollars(value) : Math.floor(value).toLocaleString('en-US');
  const name = limit === 'calls' || limit === 'tokens' ? `the job's ${limit} limit` : limitNamed(limit);
  const what = `${counts.slice(0, 1).toUpperCase()}${counts.slice(1)}: at most ${amount(left)}`;
  return left === most ? `${what}, which is ${name}.` : `${what}. That is what is left of ${name} of ${amount(most)}.`;
}

const CENT = 10_000;

/** Never more than there is. */
function dollars(microUsd: number): string {
  return `$${(Math.floor(microUsd / CENT) / 100).toFixed(2)}`;
}
