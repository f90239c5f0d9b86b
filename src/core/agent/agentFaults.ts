/** Classifies the end or the refusal of another agent's process as a failure. */

import type { AgentEntry } from '../../shared/agent/executorSchemas.ts';
import { type AutonomousError, failure } from '../../shared/errors.ts';

export type AgentNames = Pick<AgentEntry, 'title' | 'install' | 'url' | 'loginHint' | 'signIn'>;

/** The end of the process, with the end of its error output. */
export interface AgentEnd {
  readonly exitCode: number | null;
  /** Null if the process ended without a request. */
  readonly ended: string | null;
  readonly complaints: string;
}

const MAX_COMPLAINT = 2_000;
/** Exit codes above it are signals. */
const SIGNALS = 128;

/** Returns the failure for an end that was not requested. `spoke`: whether the agent had replied before. */
export function endFailure(agent: AgentNames, end: AgentEnd, spoke: boolean): AutonomousError {
  const said = lastWords(end.complaints);
  const details = { exitCode: end.exitCode, ended: end.ended, said };
  if (end.ended === 'aborted') return failure('ABORTED', `${agent.title} was ended`, { details });
  if (end.ended === 'output') return floodFailure(agent);
  if (saysLogin(agent, end.complaints)) return loginFailure(agent, said);
  const how = end.ended ?? (end.exitCode === null ? 'unknown reason' : `exit code ${end.exitCode}`);
  const what = `${agent.title} ended unexpectedly (${how})${said === '' ? '' : `: ${said}`}`;
  const killed = end.exitCode === null || end.exitCode > SIGNALS;
  if (spoke || killed) return failure('AGENT_DIED', what, { details });
  return failure('AGENT_UNUSABLE', `${what}. It sent no message in a supported format`, {
    hint: `Try it in a terminal; how to install it: ${agent.install}.`,
    details,
  });
}

export function saysLogin({ loginHint }: AgentNames, text: string): boolean {
  return loginHint !== undefined && text.toLowerCase().includes(loginHint.toLowerCase());
}

export function loginFailure(agent: AgentNames, said: string): AutonomousError {
  return failure('AGENT_LOGIN', `${agent.title} is not signed in${said === '' ? '' : `: ${said}`}`, {
    hint: `To sign in: ${agent.signIn ?? 'start it in a terminal'}. Then try again; see ${agent.url}.`,
  });
}

export function floodFailure(agent: AgentNames): AutonomousError {
  return failure('AGENT_FLOOD', `${agent.title} sent more output than the limit allows`);
}

export function silenceFailure(agent: AgentNames, ms: number): AutonomousError {
  return failure('AGENT_SILENT', `${agent.title} gave no sign for ${Math.round(ms / 1_000)} s`);
}

/** Returns the end of the agent's output, on one line and without control characters. */
export function lastWords(text: string): string {
  const plain = text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours and other controls are what goes.
    .replaceAll(/\u001b\[[0-9;?]*[A-Za-z]|[\u0000-\u0008\u000b-\u001f\u007f]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return plain.length <= MAX_COMPLAINT ? plain : `…${plain.slice(-MAX_COMPLAINT)}`;
}
