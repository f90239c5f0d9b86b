/** Writes the texts of a handover: the request for a summary, and what a fresh conversation begins with. */

import type { AgentRole } from '../../../shared/session.ts';
import { HANDOVER_REQUEST } from '../../../shared/workspace/assignment.ts';
import { headOnly, quoted } from '../text.ts';
import { prompt, section } from './sections.ts';

/** Expected size of a summary with the thinking before it: the request asks for at most 900 words. */
export const SUMMARY_TOKENS = 1_500;
const MAX_SUMMARY = 24_000;

const KEPT: Partial<Record<AgentRole, string>> = {
  worker:
    'The fresh conversation receives your instructions, the assignment, the notes, the to-do list, the changed files and their diff. Do not repeat them.',
};
const KEPT_OTHERWISE = 'The fresh conversation receives your instructions and your assignment. Do not repeat them.';

export function handoverRequest(role: AgentRole): string {
  return prompt(
    `${HANDOVER_REQUEST} Reply with a summary for it, as plain text, without calling a tool. What you leave out is lost.`,
    KEPT[role] ?? KEPT_OTHERWISE,
    [
      'Write, in at most 900 words:',
      '- what is done, what is left, the next step, and the background commands that run;',
      '- what you found: paths, names, numbers, commands and their results, word for word where it matters;',
      '- what you decided and why, what you tried that failed and why;',
      '- what people asked for or decided since the assignment, word for word;',
      '- what an earlier summary states that is still needed.',
    ].join('\n'),
  );
}

/** The second request, after a reply that was no summary. */
export const SUMMARY_AGAIN =
  'Engine: no call of that reply ran. Write the summary now, as plain text, without calling a tool.';

/** The conversations of the assignment that have ended. */
interface Ended {
  /** Null if the model wrote none. */
  readonly summary: string | null;
  readonly turns: number;
  /** Limit of the assignment. */
  readonly mostTurns: number;
}

/**
 * The opening of the fresh conversation and the text that follows it. `given` is the opening, or what the session was given since its
 * assignment, which is first.
 */
export function freshTexts(
  role: AgentRole,
  given: string | readonly string[],
  { summary, turns, mostTurns }: Ended,
): readonly [opening: string, soFar: string] {
  const [assignment = '', ...later] = typeof given === 'string' ? [given] : given;
  const opening = prompt(assignment, section('Messages since the assignment, oldest first', later.join('\n\n')));
  const work = role === 'worker' ? ' Whatever it changed is in the working tree, as stated above.' : '';
  const used = `It took ${turns} of ${mostTurns} turns.`;
  const before = `You have worked on this assignment before, in a conversation that has ended. ${used}${work}`;
  const soFar =
    summary === null
      ? `${before} There is no summary of it: look at what is there before you continue.`
      : prompt(
          `${before} The summary is yours. Read a file again before you change it.`,
          quoted('summary', headOnly(summary, MAX_SUMMARY)),
          'Continue with the next step.',
        );
  return [opening, section('The work so far', soFar)];
}
