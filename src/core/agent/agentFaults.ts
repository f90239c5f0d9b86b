/** What it means when another agent's process is gone, or says no. */

import type { AgentEntry } from '../../shared/agent/executorSchemas.ts';
import { type AutonomousError, failure } from '../../shared/errors.ts';

export type AgentNames = Pick<AgentEntry, 'title' | 'install' | 'url' | 'loginHint' | 'signIn'>;

/** How the process ended, with the last of what it complained of. */
export interface AgentEnd {
  readonly exitCode: number | null;
  /** null: by itself. */
  readonly ended: string | null;
  readonly complaints: string;
}

const MAX_COMPLAINT = 2_000;
/** Exit codes above it are signals. */
const SIGNALS = 128;

/** An end that nobody asked for. `spoke`: it had answered before. */
export function endFailure(agent: AgentNames, end: AgentEnd, spoke: boolean): AutonomousError {
  const said = lastWords(end.complaints);
  const details = { exitCode: end.exitCode, ended: end.ended, said };
  if (end.ended === 'aborted') return failure('ABORTED', `${agent.title} was ended`, { details });
  if (end.ended === 'output') return floodFailure(agent);
  if (saysLogin(agent, end.complaints)) return loginFailure(agent, said);
  const how = end.ended ?? (end.exitCode === null ? 'without a word' : `exit code ${end.exitCode}`);
  const what = `${agent.title} ended by itself (${how})${said === '' ? '' : `: ${said}`}`;
  const killed = end.exitCode === null || end.exitCode > SIGNALS;
  if (spoke || killed) return failure('AGENT_DIED', what, { details });
  return failure('AGENT_UNUSABLE', `${what}. It said nothing in a form that we know`, {
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
  return failure('AGENT_FLOOD', `${agent.title} says more than anyone could read`);
}

export function silenceFailure(agent: AgentNames, ms: number): AutonomousError {
  return failure('AGENT_SILENT', `${agent.title} gave no sign for ${Math.round(ms / 1_000)} s`);
}

/** The end of what it said, on one line and without control characters. */
export function lastWords(text: string): string {
  const plain = text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours and other controls are what goes.
    .replaceAll(/\u001b\[[0-9;?]*[A-Za-z]|[\u0000-\u0008\u000b-\u001f\u007f]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return plain.length <= MAX_COMPLAINT ? plain : `…${plain.slice(-MAX_COMPLAINT)}`;
}
