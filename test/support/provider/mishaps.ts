/** What a provider, or the way to it, does wrong with one request. */
import type { ModelAnswer } from './modelAnswers.ts';

/** What ends or spoils a stream after some of its events. */
export type Break =
  | 'cut'
  /** In good order, as if that were all. */
  | 'ended'
  | 'reset'
  | 'silence'
  /** A byte now and then, so that no single wait is long. */
  | 'dribble'
  | 'overloaded'
  | 'notUtf8'
  | 'notJson'
  | 'cutInside';

export type Mishap =
  /** Nobody is at the address, or nobody that can be trusted. */
  | { readonly at: 'address'; readonly address: 'refused' | 'tls' | 'dns' }
  | {
      readonly at: 'status';
      readonly status: number;
      readonly type: string;
      readonly message?: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly html?: true;
    }
  /** The connection is reset where an answer should begin. */
  | { readonly at: 'request' }
  | { readonly at: 'stream'; readonly after: number; readonly then: Break }
  /** The compressed stream ends after this share of its bytes, in twelfths. */
  | { readonly at: 'gzip'; readonly twelfths: number }
  /** The answer comes whole, but it is an odd one. */
  | { readonly at: 'answer'; readonly change: (answer: ModelAnswer) => ModelAnswer }
  /** Events that nobody knows, after so many of the stream's own. */
  | { readonly at: 'events'; readonly after: number };

/** Whether the provider answers the request at all: what it does not answer it does not bill. */
export function isAnswered(mishap: Mishap | null): boolean {
  return mishap === null || (mishap.at !== 'address' && mishap.at !== 'status' && mishap.at !== 'request');
}

/** How long nobody may come back after it. */
export function retryAfterMs(mishap: Mishap | null): number {
  const said = mishap?.at === 'status' ? mishap.headers?.['retry-after'] : undefined;
  return said === undefined ? 0 : Number(said) * 1_000;
}
