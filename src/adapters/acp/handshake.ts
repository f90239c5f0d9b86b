/** Performs the handshake of a connection: the agent's identity, and whether both sides use the same protocol. */
import { type ClientContext, type InitializeResponse, RequestError } from '@agentclientprotocol/sdk';
import { type AgentNames, lastWords, loginFailure, saysLogin } from '../../core/agent/agentFaults.ts';
import { type AutonomousError, failure, findFailure } from '../../shared/errors.ts';

/** Version of the protocol. */
const PROTOCOL = 1;
export const AUTH_REQUIRED = -32_000;
const INTERNAL_ERROR = -32_603;
const UNSUPPORTED_VERSION = -32_022;

/** Throws AGENT_VERSION. `readAnswer` handles the other failures. */
export async function shakeHands(
  agent: ClientContext,
  names: AgentNames,
  ours: { readonly version: string; readonly works: boolean },
): Promise<InitializeResponse> {
  const answer = await agent.request('initialize', {
    protocolVersion: PROTOCOL,
    clientInfo: { name: 'autonomous', title: 'Autonomous', version: ours.version },
    clientCapabilities: { fs: { readTextFile: ours.works, writeTextFile: ours.works }, terminal: ours.works },
  });
  if (answer.protocolVersion !== PROTOCOL) throw versionFailure(names, answer.protocolVersion);
  return answer;
}

/** Translates the error of a request, in a turn or before one; anything else that was thrown is returned unchanged. */
export function answerFailure(names: AgentNames, thrown: unknown, inTurn: boolean): unknown {
  const known = findFailure(thrown);
  if (known !== undefined) return known;
  if (!(thrown instanceof RequestError)) return thrown;
  const said = lastWords([thrown.message, dataText(thrown.data)].filter((part) => part !== '').join(': '));
  if (thrown.code === AUTH_REQUIRED || saysLogin(names, said)) return loginFailure(names, said);
  if (thrown.code === UNSUPPORTED_VERSION) return versionFailure(names, supported(thrown.data));
  if (inTurn && thrown.code === INTERNAL_ERROR) {
    return failure('AGENT_DIED', `a turn of ${names.title} broke off: ${said}`, { details: { said } });
  }
  return failure('AGENT_UNUSABLE', `${names.title} answers with an error: ${said}`, {
    hint: `See ${names.url}.`,
    details: { answer: thrown.code },
  });
}

function versionFailure(names: AgentNames, theirs: unknown): AutonomousError {
  const spoken = lastWords(String(theirs));
  return failure('AGENT_VERSION', `${names.title} speaks version ${spoken} of the protocol, we speak ${PROTOCOL}`, {
    hint: `Install a version of it that speaks ${PROTOCOL} (${names.install}), or update Autonomous.`,
    details: { theirs: spoken, ours: PROTOCOL },
  });
}

function supported(data: unknown): string {
  const list = typeof data === 'object' && data !== null && 'supported' in data ? data.supported : null;
  return Array.isArray(list) ? list.join(', ') : 'unknown';
}

/**
 * The message in `data`, if it has the form in which the protocol's library relays an agent's failure; otherwise all
 * data.
 */
function dataText(data: unknown): string {
  if (data === undefined || data === null) return '';
  if (typeof data === 'string') return data;
  const details = typeof data === 'object' && 'details' in data ? data.details : null;
  return typeof details === 'string' ? details : JSON.stringify(data);
}
