/** Converts one round between the API and the journal: the tool calls of a reply and their results. */
import type {
  BetaContentBlockParam,
  BetaToolResultBlockParam,
  BetaToolUseBlock,
} from '@anthropic-ai/sdk/resources/beta/messages/messages';
import { areInvalid } from '../../../core/model/invalidArguments.ts';
import {
  callKey,
  countRepeat,
  type LoopVerdict,
  loopVerdict,
  NO_REPEATS,
  type Repeats,
} from '../../../core/session/loopGuard.ts';
import { type AutonomousError, failure } from '../../../shared/errors.ts';
import type { AgentRole } from '../../../shared/session.ts';
import { answerTool, answerWithOthers, type Judgement, judgeAnswer } from '../answers.ts';
import { blocksOf, errorResult, type Message, resultText, withText } from './messages.ts';

/** Repeats of single calls, and of whole rounds of several. */
export interface LoopGuard {
  readonly calls: Repeats;
  readonly rounds: Repeats;
}

export const FRESH_GUARD: LoopGuard = { calls: NO_REPEATS, rounds: NO_REPEATS };

const LOOP_NOTICE =
  '\n\n[engine] The same call gave the same result several times in a row. Do something else, or end with your answer tool.';
const INTERRUPTED = 'interrupted: it is not known what this call did';

type Calls = readonly BetaToolUseBlock[];
type Results = readonly BetaToolResultBlockParam[];

/** One result for each call, in order; a result that the journal lost is an error result. Other blocks follow. */
export function pairResults(calls: Calls, message: unknown): readonly BetaContentBlockParam[] {
  const blocks = isUserMessage(message) ? blocksOf(message) : [];
  const results = blocks.filter((block) => block.type === 'tool_result');
  const paired = calls.map(
    (call) => results.find((result) => result.tool_use_id === call.id) ?? errorResult(call.id, INTERRUPTED),
  );
  return [...paired, ...blocks.filter((block) => block.type === 'text')];
}

/** The state of a conversation before a round, by which the round is judged. */
interface BeforeRound {
  readonly guard: LoopGuard;
  readonly submitted: unknown;
}

/** Returns the results that the model gets: its answer judged, and a notice on a call that repeats without effect. */
export function settleRound(role: AgentRole, before: BeforeRound, calls: Calls, given: Results): Results {
  const fault = answerWithOthers(role, calls) ?? faultOf(judgeAnswer(role, calls, given, before.submitted));
  const judged = given.map((result, index) =>
    fault === null || calls[index]?.name !== answerTool(role) ? result : errorResult(result.tool_use_id, fault),
  );
  const { warned } = guardRound(before.guard, calls, judged);
  return judged.map((result, index) => (warned.has(index) ? withText(result, LOOP_NOTICE) : result));
}

const faultOf = (judgement: Judgement): string | null => ('fault' in judgement ? judgement.fault : null);

export interface GuardedRound {
  readonly guard: LoopGuard;
  readonly verdict: LoopVerdict;
  /** Indexes of the results that carry the warning. */
  readonly warned: ReadonlySet<number>;
}

/** Counts a round. The notice of an earlier count does not make a result another one. */
export function guardRound(before: LoopGuard, calls: Calls, results: Results): GuardedRound {
  const warned = new Set<number>();
  let repeats = before.calls;
  let ended = false;
  const keys = calls.map((call, index) => {
    const text = resultText(results[index] ?? errorResult(call.id, INTERRUPTED));
    const key = callKey(call.name, call.input, withoutNotice(text));
    repeats = countRepeat(repeats, key);
    if (loopVerdict(repeats) !== 'ok') warned.add(index);
    ended ||= loopVerdict(repeats) === 'end';
    return key;
  });
  const rounds = countRepeat(before.rounds, keys.join('\n'));
  if (loopVerdict(rounds) !== 'ok') warned.add(calls.length - 1);
  ended ||= loopVerdict(rounds) === 'end';
  return { guard: { calls: repeats, rounds }, verdict: ended ? 'end' : warned.size > 0 ? 'warn' : 'ok', warned };
}

/** In a result of several blocks the notice is a separate block, without a line break before it. */
function withoutNotice(text: string): string {
  const notice = [`\n${LOOP_NOTICE}`, LOOP_NOTICE].find((end) => text.endsWith(end)) ?? '';
  return text.slice(0, text.length - notice.length);
}

function isUserMessage(message: unknown): message is { role: 'user'; content: string | BetaContentBlockParam[] } {
  return (
    typeof message === 'object' &&
    message !== null &&
    'role' in message &&
    message.role === 'user' &&
    'content' in message
  );
}

/** After two errors, a model that still writes no valid arguments is not asked again. */
const MOST_INVALID_ROUNDS = 3;

/** The failure of a model whose last replies only had calls without valid arguments; null if it can continue. */
export function unableToCall(messages: readonly Message[]): AutonomousError | null {
  const replies = messages.filter(({ role }) => role === 'assistant').map(blocksOf);
  const calls = replies.map((blocks) => blocks.filter((block) => block.type === 'tool_use'));
  const isInvalid = (of: (typeof calls)[number]): boolean =>
    of.length > 0 && of.every(({ input }) => areInvalid(input));
  const rounds = calls.length - 1 - calls.findLastIndex((of) => !isInvalid(of));
  // An approval to retry grants as many rounds once more.
  if (rounds === 0 || rounds % MOST_INVALID_ROUNDS !== 0) return null;
  return failure(
    'MODEL_REQUEST_REFUSED',
    `the model cannot call tools: its arguments were not valid JSON ${rounds} times in a row`,
    { hint: 'Choose a model that calls tools.' },
  );
}
