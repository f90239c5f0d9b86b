/** Reads a session's answer from a round of tool calls: the only place that says whether one counts. Fails closed. */
import type { BetaToolResultBlockParam, BetaToolUseBlock } from '@anthropic-ai/sdk/resources/beta/messages/messages';
import { canonicalJson } from '../core/loopGuard.ts';
import type { AgentRole } from '../shared/domain.ts';
import { planSchema, reportSchema, type Verdict, verdictSchema } from '../shared/plan.ts';
import type { SessionAnswer } from './ports.ts';
import { faultText } from './tools/tool.ts';

type AnswerToolName = 'report' | 'submit_plan' | 'submit_verdict';

/** The tool that ends a session of this role; null: its answer is plain text. */
export function answerTool(role: AgentRole): AnswerToolName | null {
  if (role === 'worker') return 'report';
  if (role === 'planner') return 'submit_plan';
  return role === 'reviewer' ? 'submit_verdict' : null;
}

export type Judgement =
  | { readonly kind: 'none' }
  | { readonly kind: 'accepted'; readonly answer: SessionAnswer }
  | { readonly kind: 'invalid'; readonly fault: string }
  /** Refused because other calls came with it. The answer itself may be right. */
  | { readonly kind: 'held'; readonly fault: string };

/** Reads the answer from a journaled round. A round of an older version may hold an answer that was taken beside other calls. */
export function judgeAnswer(
  role: AgentRole,
  calls: readonly BetaToolUseBlock[],
  results: readonly BetaToolResultBlockParam[],
): Judgement {
  const tool = answerTool(role);
  const answers = calls.filter((call) => call.name === tool);
  const [first, ...more] = answers;
  if (tool === null || first === undefined) return { kind: 'none' };
  if (more.some((call) => canonicalJson(call.input) !== canonicalJson(first.input))) {
    return { kind: 'invalid', fault: `contradictory: ${tool} was called more than once with different values` };
  }
  const read = readAnswer(tool, first.input);
  if ('fault' in read) return { kind: 'invalid', fault: read.fault };
  const isAlone = answers.length === calls.length;
  const isRefused = results.some((result) => result.tool_use_id === first.id && result.is_error === true);
  if (isRefused && !isAlone) return { kind: 'held', fault: notAlone(tool) };
  return { kind: 'accepted', answer: read.answer };
}

/** Why an answer is refused that comes together with other calls, whose results its model has not seen; null if it is alone. */
export function answerWithOthers(role: AgentRole, calls: readonly BetaToolUseBlock[]): string | null {
  const tool = answerTool(role);
  if (tool === null || calls.every((call) => call.name !== tool)) return null;
  return calls.every((call) => call.name === tool || call.name === BESIDE) ? null : notAlone(tool);
}

/** The tool whose result cannot change an answer: a model marks its last step as done when it reports. */
const BESIDE = 'todo';

const notAlone = (tool: AnswerToolName): string =>
  `not taken: ${tool} must be the only call of its reply. The other calls ran: look at their results, then call ${tool} alone.`;

type ReadAnswer = { readonly answer: SessionAnswer } | { readonly fault: string };

function readAnswer(tool: AnswerToolName, input: unknown): ReadAnswer {
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
      return readPlan(input);
  }
}

function readVerdict(verdict: Verdict): ReadAnswer {
  if (verdict.verdict === 'REJECTED' && verdict.feedback === '') {
    return { fault: 'REJECTED needs feedback: what must be done differently' };
  }
  return { answer: { kind: 'verdict', verdict } };
}

/** Without row ids: those are the steward's to give. */
function readPlan(input: unknown): ReadAnswer {
  const parsed = planSchema.safeParse(input);
  if (!parsed.success) return { fault: faultText(parsed.error) };
  const phases = parsed.data.phases.map(({ id: _, ...phase }) => ({
    ...phase,
    features: phase.features.map(({ id: __, ...feature }) => feature),
  }));
  return { answer: { kind: 'plan', plan: { ...parsed.data, phases } } };
}
