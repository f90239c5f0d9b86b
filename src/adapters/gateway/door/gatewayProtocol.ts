/** Types of the messages between a worker thread and the owner's gateway, over a MessagePort. */
import type { SecretPrint } from '../../../core/guard/secretPrints.ts';
import type { PlainFailure } from '../../../shared/errors.ts';

export type ToOwner =
  | {
      readonly kind: 'call';
      /** Unique for this port. */
      readonly id: number;
      readonly sessionId: number;
      readonly asker: string;
      readonly path: string;
      readonly method: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
    }
  | { readonly kind: 'abort'; readonly id: number };

export type ToWorker =
  | {
      readonly kind: 'reply';
      readonly id: number;
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      /** A transferred stream. It errors with a `StreamFailure`. */
      readonly body: ReadableStream<Uint8Array>;
      readonly secrets: readonly SecretPrint[];
    }
  | { readonly kind: 'failed'; readonly id: number; readonly failure: PlainFailure };

/** The error of a transferred stream as plain data, because an error object loses its code when it crosses threads. */
export interface StreamFailure {
  readonly failure: PlainFailure;
}

export function isStreamFailure(value: unknown): value is StreamFailure {
  return typeof value === 'object' && value !== null && 'failure' in value;
}
