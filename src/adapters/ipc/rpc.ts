/**
 * Makes calls over frames in both directions, by birpc; failures are transferred as plain data and restored as
 * failures.
 */
import { createBirpc } from 'birpc';
import { z } from 'zod';
import { ERROR_TRAITS, type ErrorCode, failure, fromPlain, toPlain } from '../../shared/errors.ts';
import type { Frames } from './frames.ts';

/** Calls that an owner offers its clients. `params` come from another process: check them. */
export type Functions = Readonly<Record<string, (params: unknown) => Promise<unknown>>>;
/** Receives notifications of the other side. */
export type Listener = (topic: string, payload: unknown) => void;

export interface Peer {
  call(name: string, params: unknown): Promise<unknown>;
  tell(topic: string, payload: unknown): void;
  /** Pending calls reject with this. */
  close(reason: Error): void;
}

const failureSchema = z.object({
  code: z.enum(Object.keys(ERROR_TRAITS) as [ErrorCode, ...ErrorCode[]]).catch('INTERNAL'),
  message: z.string(),
  hint: z.string(),
  details: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())]))
    .catch({}),
});

/** birpc's messages: a call with its method and arguments, or an answer with a result or an error. */
const messageSchema = z.union([
  z.object({
    t: z.literal('q'),
    i: z.string().optional(),
    m: z.enum(['call', 'tell']),
    a: z.tuple([z.string().max(100), z.unknown()]),
  }),
  z.object({ t: z.literal('s'), i: z.string(), r: z.unknown().optional(), e: failureSchema.optional() }),
]);

/** birpc stores an `Error` in `e`. */
function pack(message: { readonly e?: unknown }): unknown {
  return message.e === undefined ? message : { ...message, e: toPlain(message.e) };
}

/**
 * `serve`: calls offered to the other side. `notify`: receives its notifications. A message of another form is
 * `refused`.
 */
export function peer(channel: Frames, serve: Functions, notify: Listener, refused: () => void): Peer {
  const local = {
    call: async (name: string, params: unknown): Promise<unknown> => {
      const served = Object.hasOwn(serve, name) ? serve[name] : undefined;
      if (served === undefined) throw failure('NOT_FOUND', `there is no call ${JSON.stringify(name)}`);
      return served(params);
    },
    tell: (topic: string, payload: unknown): void => notify(topic, payload),
  };
  const rpc = createBirpc<typeof local, typeof local, false>(local, {
    proxify: false,
    post: (message) => void channel.send(pack(message)),
    on: (take) =>
      channel.onMessage((raw) => {
        const message = messageSchema.safeParse(raw);
        if (!message.success) return refused();
        const { data } = message;
        take('e' in data && data.e !== undefined ? { ...data, e: fromPlain(data.e) } : data);
      }),
    // Calls have no time limit; a closed socket ends them.
    timeout: -1,
    // An answer that cannot be sent is replaced by a failure that can; a call's failure goes to its caller.
    onGeneralError: (_error, method) => method !== undefined,
  });
  return {
    call: (name, params) => rpc.$call('call', name, params),
    tell: (topic, payload) => void rpc.$callEvent('tell', topic, payload),
    close: (reason) => rpc.$close(reason),
  };
}
