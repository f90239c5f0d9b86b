/** Lets a model of the user's connections show once a day that it calls tools and reads whole prompts, before work depends on it. */
import { randomBytes } from 'node:crypto';
import { checkBody, judgeCheck, LEAST_CONTEXT } from '../../../core/model/modelCheck.ts';
import { serversName } from '../../../core/model/modelName.ts';
import { executorOfRole, modelsOfJob } from '../../../core/money/price/jobModels.ts';
import type { KeptChecks, ModelRequest, PassedCheck, Provider } from '../../../engine/session/gatewayPorts.ts';
import { BUILT_IN } from '../../../shared/agent/executors.ts';
import { asFailure, failure } from '../../../shared/errors.ts';
import type { SessionRow } from '../../../shared/session.ts';
import type { State } from '../../../shared/workspace/state.ts';
import type { MessageRequest } from '../send/request.ts';

/** The model that a check is about, with its connection, and what answers for it. */
export interface CheckedModel {
  readonly name: string;
  readonly provider: Provider;
}

/** Sends a request as the session's own, with its money; resolves with the whole text of the answer. */
export type Send = (request: ModelRequest) => Promise<string>;

/** Tokens of the answer: some models think for long before they call. */
const SHORT = 2_000;
const LONG = 10_000;
/** A word is forgotten now and then by a small model: the second failure counts. */
const TRIES = 2;

export class ModelProof {
  readonly #kept: KeptChecks;
  readonly #running = new Map<string, Promise<PassedCheck>>();

  constructor(kept: KeptChecks) {
    this.#kept = kept;
  }

  /**
   * The passed check; null for a model that needs none. Throws MODEL_REQUEST_REFUSED with the reason and what helps. One exchange runs for
   * a model, however many sessions need it.
   */
  async need(checked: CheckedModel, sessionId: number, send: Send, signal: AbortSignal): Promise<PassedCheck | null> {
    const { provider, name } = checked;
    const key = provider.checks?.key(serversName(provider.name, name));
    if (key === undefined) return null;
    const known = await this.#kept.find(key);
    if (known !== null) return known;
    const running = this.#running.get(key);
    if (running !== undefined) {
      try {
        return await running;
      } catch (thrown) {
        // The other session's own end or limit says nothing about the model.
        const { code } = asFailure(thrown);
        if ((code !== 'ABORTED' && code !== 'LIMIT_REACHED') || signal.aborted) throw thrown;
        return this.need(checked, sessionId, send, signal);
      }
    }
    const own = this.#prove(checked, key, sessionId, send, signal).finally(() => this.#running.delete(key));
    this.#running.set(key, own);
    return own;
  }

  async #prove(
    checked: CheckedModel,
    key: string,
    sessionId: number,
    send: Send,
    signal: AbortSignal,
  ): Promise<PassedCheck> {
    const { provider, name } = checked;
    const long = provider.checks?.isLocal === true;
    for (let tries = 1; ; tries++) {
      const word = `zeta-${randomBytes(3).toString('hex')}`;
      const request = {
        path: '/v1/messages',
        method: 'POST',
        headers: HEADERS,
        body: checkBody(name, word, { long, maxTokens: tries === 1 ? SHORT : LONG }),
        sessionId,
      };
      const judged = judgeCheck(await send(request), word, long);
      const context = await provider.checks?.context(serversName(provider.name, name), signal);
      const isSmall = context?.tokens != null && context.tokens < LEAST_CONTEXT;
      if (isSmall)
        throw unusable(
          name,
          `its server reads ${context.tokens} tokens of a prompt; ${LEAST_CONTEXT} are needed`,
          context.fix,
        );
      if (judged.ok) {
        const passed = { context: context?.tokens ?? null };
        await this.#kept.keep(key, passed);
        return passed;
      }
      if (tries >= TRIES) {
        throw unusable(
          name,
          judged.why,
          judged.cutsPrompts ? (context?.fix ?? '') : 'Choose a model that calls tools.',
        );
      }
    }
  }
}

const HEADERS = { 'content-type': 'application/json', accept: 'application/json' };

const unusable = (name: string, why: string, hint: string) =>
  failure('MODEL_REQUEST_REFUSED', `the model ${name} cannot do the work: ${why}`, { hint, details: { by: 'check' } });

/** Bytes of a token of code and text, at the most. */
const BYTES = 3.5;
/** Part of a context that an answer needs at the least. */
const ANSWER = 1 / 8;

/**
 * A local server cuts a prompt that does not fit, without an error. Throws MODEL_REQUEST_REFUSED as a provider that refuses such a prompt,
 * so that the conversation is handed over. `context`: null if it is not known.
 */
export function needsFit({ request, model }: MessageRequest, context: number | null): void {
  if (context === null) return;
  const tokens = Math.ceil(Buffer.byteLength(request.body) / BYTES);
  const most = Math.floor(context * (1 - ANSWER));
  if (tokens <= most) return;
  throw failure('MODEL_REQUEST_REFUSED', `prompt is too long: about ${tokens} tokens, ${model} takes ${most}`, {
    details: { status: 400, by: 'gateway', unfit: 'too_long', window: most },
  });
}

/** The models to check before a call: its own, and before a plan all models of the job, because the worker's must not fail after hours. */
export function checkedNames(call: MessageRequest, { job_id, role }: SessionRow, { jobs }: State): ReadonlySet<string> {
  const job = job_id === null || role !== 'planner' ? undefined : jobs.get(job_id);
  // Another agent's calls come when it works, if at all: it may bring its own account.
  const isOurs = (role: string): boolean => job !== undefined && executorOfRole(job.options, role) === BUILT_IN;
  return new Set([call.model, ...(job === undefined ? [] : modelsOfJob(job.options, isOurs))]);
}
