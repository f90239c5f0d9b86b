/** Lets a model of the user's connections show once a day that it calls tools and reads whole prompts, before work depends on it. */
import { randomBytes } from 'node:crypto';
import { checkBody, judgeCheck, LEAST_CONTEXT } from '../../../core/model/modelCheck.ts';
import type { KeptChecks, ModelRequest, Provider } from '../../../engine/session/gatewayPorts.ts';
import { failure } from '../../../shared/errors.ts';
import type { ConnectionName } from '../../../shared/model/models.ts';

/** One model that a check is about: its full name, and the name that the server knows. */
export interface CheckedModel {
  readonly name: string;
  readonly connection: ConnectionName;
  readonly model: string;
  readonly provider: Provider;
}

/** Sends a request as the session's own, with its money; resolves with the whole text of the answer. */
export type Send = (request: ModelRequest, provider: Provider) => Promise<string>;

/** A word is forgotten now and then by a small model: the second failure counts. */
const TRIES = 2;

export class ModelProof {
  readonly #kept: KeptChecks;
  readonly #running = new Map<string, Promise<void>>();

  constructor(kept: KeptChecks) {
    this.#kept = kept;
  }

  /** Throws MODEL_REQUEST_REFUSED with the reason and what helps. One exchange runs for a model, however many sessions need it. */
  async need(checked: CheckedModel, sessionId: number, send: Send, signal: AbortSignal): Promise<void> {
    const { provider, model } = checked;
    const key = provider.checks?.key(model);
    if (key === undefined || (await this.#kept.isValid(key))) return;
    let running = this.#running.get(key);
    if (running === undefined) {
      running = this.#prove(checked, key, sessionId, send, signal).finally(() => this.#running.delete(key));
      this.#running.set(key, running);
    }
    await running;
  }

  async #prove(checked: CheckedModel, key: string, sessionId: number, send: Send, signal: AbortSignal): Promise<void> {
    const { provider, name, model } = checked;
    const long = provider.checks?.isLocal === true;
    for (let tries = 1; ; tries++) {
      const word = `zeta-${randomBytes(3).toString('hex')}`;
      const request = {
        path: '/v1/messages',
        method: 'POST',
        headers: HEADERS,
        body: checkBody(name, word, long),
        sessionId,
      };
      const judged = judgeCheck(await send(request, provider), word, long);
      const context = await provider.checks?.context(model, signal);
      const isSmall = context?.tokens != null && context.tokens < LEAST_CONTEXT;
      if (isSmall)
        throw unusable(
          name,
          `its server reads ${context.tokens} tokens of a prompt; ${LEAST_CONTEXT} are needed`,
          context.fix,
        );
      if (judged.ok) return this.#kept.keep(key);
      if (tries >= TRIES) {
        const isCut = judged.why.includes('cuts prompts');
        throw unusable(name, judged.why, isCut ? (context?.fix ?? '') : 'Choose a model that calls tools.');
      }
    }
  }
}

const HEADERS = { 'content-type': 'application/json', accept: 'application/json' };

const unusable = (name: string, why: string, hint: string) =>
  failure('MODEL_REQUEST_REFUSED', `the model ${name} cannot do the work: ${why}`, { hint, details: { by: 'check' } });
