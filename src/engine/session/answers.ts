/** Reads a session's answer from a round of tool calls: the only module that decides whether an answer counts. Fails closed. */
import type { BetaToolResultBlockParam, BetaToolUseBlock } from '@anthropic-ai/sdk/resources/beta/messages/messages';
import { correctedPlan } from '../../core/job/plan/planCorrections.ts';
import { canonicalJson } from '../../core/session/loopGuard.ts';
import { isFields } from '../../core/text/json.ts';
import { planSchema, reportSchema, type Verdict, verdictSchema } from '../../shared/job/plan.ts';
import { planCorrectionsSchema } from '../../shared/job/planCorrection.ts';
import type { AgentRole } from '../../shared/session.ts';
import type { SessionAnswer } from './ports.ts';
import { faultText } from './tools/tool.ts';

type AnswerToolName = 'report' | 'submit_plan' | 'submit_verdict';

/** The tool that ends a session of this role. Null if its answer is plain text. */
export function answerTool(role: AgentRole): AnswerToolName | null {
  if (role === 'worker') return 'report';
  if (role === 'planner') return 'submit_plan';
  return role === 'reviewer' ? 'submit_verdict' : null;
}

export type Judgement =
  | { readonly kind: 'none' }
  | { readonly kind: 'accepted'; readonly answer: SessionAnswer }
  | { readonly kind: 'invalid'; readonly fault: string }
  /** Refused because of other calls in the same reply. The answer itself may be right. */
  | { readonly kind: 'held'; readonly fault: string };

/**
 * The plan that the conversation holds after a round, whether it was taken or not: `before`, or what the round submitted or corrected.
 * Corrections apply to it.
 */
export function submittedAfter(role: AgentRole, calls: readonly BetaToolUseBlock[], before: unknown): unknown {
  const call = calls.find(({ name }) => name === answerTool(role));
  if (role !== 'planner' || call === undefined) return before;
  const submitted = wholePlan(call.input, before);
  return 'plan' in submitted ? submitted.plan : before;
}

/** Reads the answer from a journaled round; `submitted` is the plan that the conversation holds before it. A round of an older version may hold an answer that was taken beside other calls. */
export function judgeAnswer(
  role: AgentRole,
  calls: readonly BetaToolUseBlock[],
  results: readonly BetaToolResultBlockParam[],
  submitted: unknown,
): Judgement {
  const tool = answerTool(role);
  const answers = calls.filter((call) => call.name === tool);
  const [first, ...more] = answers;
  if (tool === null || first === undefined) return { kind: 'none' };
  if (more.some((call) => canonicalJson(call.input) !== canonicalJson(first.input))) {
    return { kind: 'invalid', fault: `contradictory: ${tool} was called more than once with different values` };
  }
  const read = readAnswer(tool, first.input, submitted);
  if ('fault' in read) return { kind: 'invalid', fault: read.fault };
  const isAlone = answers.length === calls.length;
  const isRefused = results.some((result) => result.tool_use_id === first.id && result.is_error === true);
  if (isRefused && !isAlone) return { kind: 'held', fault: notAlone(tool) };
  return { kind: 'accepted', answer: read.answer };
}

/** Reason why an answer beside other calls, whose results its model has not seen, is refused; null if it is alone. */
export function answerWithOthers(role: AgentRole, calls: readonly BetaToolUseBlock[]): string | null {
  const tool = answerTool(role);
  if (tool === null || calls.every((call) => call.name !== tool)) return null;
  return calls.every((call) => call.name === tool || call.name === BESIDE) ? null : notAlone(tool);
}

/** The tool whose result cannot change an answer: a model marks its last step as done when it reports. */
const BESIDE = 'todo';

const notAlone = (tool: AnswerToolName): string => {
  const again = tool === 'submit_plan' ? ' Your plan is kept: an empty list of corrections submits it as it is.' : '';
  return `not taken: ${tool} must be the only call of its reply. The other calls ran: look at their results, then call ${tool} alone.${again}`;
};

type ReadAnswer = { readonly answer: SessionAnswer } | { readonly fault: string };

function readAnswer(tool: AnswerToolName, input: unknown, submitted: unknown): ReadAnswer {
  switch (tool) {
    case 'report': {
      const parsed = reportSchema.safeParse(input);
      return parsed.success ? { answer: { kind: 'report', report: parsed.data } } : { fault: faultText(parsed.error) };
    }
    case 'submit_verdict': {
      const parsed = verdictSchema.safeParse(input);
      return parsed.success ? readVerdict(parsed.data) : { fault: faultText(parsed.error) };
    }
    case 'submit_plan':
      return readPlan(input, submitted);
  }
}

function readVerdict(verdict: Verdict): ReadAnswer {
  if (verdict.verdict === 'REJECTED' && verdict.feedback === '') {
    return { fault: 'REJECTED needs feedback: what must be done differently' };
  }
  return { answer: { kind: 'verdict', verdict } };
}

/** Instruction for a planner whose plan has faults. */
export const CORRECT_PLAN =
  'Call submit_plan again with corrections of these places alone: the rest of your plan is kept. The whole plan is taken too.';

/** Without row ids, which only the steward may set. */
function readPlan(input: unknown, submitted: unknown): ReadAnswer {
  const whole = wholePlan(input, submitted);
  if ('fault' in whole) return whole;
  const parsed = planSchema.safeParse(whole.plan);
  if (!parsed.success) return { fault: `${faultText(parsed.error)}\n${CORRECT_PLAN}` };
  const phases = parsed.data.phases.map(({ id: _, ...phase }) => ({
    ...phase,
    features: phase.features.map(({ id: __, ...feature }) => feature),
  }));
  return { answer: { kind: 'plan', plan: { ...parsed.data, phases } } };
}

type WholePlan = { readonly plan: unknown } | { readonly fault: string };

/** A call with corrections and a plan beside them is read as corrections, which allow no other field. */
function wholePlan(input: unknown, submitted: unknown): WholePlan {
  if (!isFields(input) || !Object.hasOwn(input, 'corrections')) return { plan: input };
  const parsed = planCorrectionsSchema.safeParse(input);
  if (!parsed.success) return { fault: `${faultText(parsed.error)}\nA call has either corrections or a whole plan.` };
  if (submitted === null)
    return { fault: 'nothing to correct: no plan was submitted or shown in this conversation. Submit the whole plan.' };
  const corrected = correctedPlan(submitted, parsed.data.corrections);
  return 'fault' in corrected ? { fault: `no correction was applied: ${corrected.fault}` } : corrected;
}
