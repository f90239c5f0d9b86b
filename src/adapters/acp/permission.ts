/** Answers permission requests of an agent, by earlier updates about the same call and by `core/agent/agentPermission.ts`. */
import type { RequestPermissionRequest, RequestPermissionResponse } from '@agentclientprotocol/sdk';
import { askedOf, judgePermission, optionFor } from '../../core/agent/agentPermission.ts';
import { type Fields, isFields } from '../../core/text/json.ts';

export interface Grounds {
  /** argv lists that may run without a sandbox. */
  readonly allowed: readonly (readonly string[])[];
  /** Asks the steward, and resolves with the answer. */
  mayRun(command: string): Promise<boolean>;
  readonly sandboxed: boolean;
  readonly writes: boolean;
  /** Where a path leads in the clone or in another folder of the agent, relative to it; null if it leads outside. */
  wayInto(path: string): Promise<string | null>;
}

/** Number of remembered calls: permission is requested for recent ones. */
const MAX_CALLS = 100;
const CANCELLED: RequestPermissionResponse = { outcome: { outcome: 'cancelled' } };

export interface Doorkeeper {
  /** `update` of a `session/update`: a tool call or a change of one. */
  told(update: Fields): void;
  /** `signal` aborts when the turn is cancelled. */
  answer(request: RequestPermissionRequest, signal: AbortSignal): Promise<RequestPermissionResponse>;
  /** Whether a person is asked right now. */
  asking(): boolean;
}

export function openDoorkeeper(grounds: Grounds): Doorkeeper {
  const calls = new Map<unknown, Fields>();
  let asking = 0;
  const merged = (call: Fields): Fields => {
    const { toolCallId: id, ...news } = call;
    const known = Object.entries(news).filter(([, value]) => value !== undefined && value !== null);
    return { ...calls.get(id), ...Object.fromEntries(known) };
  };

  async function mayRunAll(commands: readonly string[], signal: AbortSignal): Promise<boolean> {
    asking++;
    try {
      for (const command of commands) {
        if (!(await Promise.race([grounds.mayRun(command), aborted(signal)]))) return false;
      }
      return true;
    } finally {
      asking--;
    }
  }

  async function allows(call: Fields, signal: AbortSignal): Promise<boolean> {
    const asked = askedOf(call);
    const inside = await Promise.all(asked.paths.map(async (path) => [path, await grounds.wayInto(path)] as const));
    const known = new Map(inside);
    const ruling = judgePermission(asked, { ...grounds, below: (path) => known.get(path) ?? null });
    return ruling.ruling === 'ask' ? mayRunAll(ruling.commands, signal) : ruling.ruling === 'allow';
  }

  return {
    told(update) {
      const id = update['toolCallId'];
      const call = merged(update);
      calls.delete(id);
      calls.set(id, call);
      const [oldest] = calls.keys();
      if (calls.size > MAX_CALLS) calls.delete(oldest);
    },
    async answer({ toolCall, options }, signal) {
      if (!isFields(toolCall) || signal.aborted) return CANCELLED;
      const allowed = await allows(merged(toolCall), signal);
      const optionId = signal.aborted
        ? null
        : (optionFor(options, allowed, grounds) ?? optionFor(options, false, grounds));
      return optionId === null ? CANCELLED : { outcome: { outcome: 'selected', optionId } };
    },
    asking: () => asking > 0,
  };
}

const aborted = (signal: AbortSignal): Promise<false> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(false), { once: true }));
