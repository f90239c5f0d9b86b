/** Relays a streamed answer, reads its cost, and holds its last event until the cost is booked. */
import { type AutonomousError, asFailure, failure } from '../../../shared/errors.ts';
import type { Reservation } from '../door/admission.ts';
import type { Begun } from '../door/callCost.ts';
import { AnswerReader, type Bill, BrokenAnswer } from './answer.ts';
import { type Connection, orAborted } from './connection.ts';
import { SseSplitter } from './sse.ts';

export interface Metered {
  /** For the caller. */
  readonly body: ReadableStream<Uint8Array>;
  /**
   * Resolves when the call is booked, with the reason if the answer broke off, or null; rejects if the booking failed.
   */
  readonly ended: Promise<AutonomousError | null>;
}

/** The rest of a connection is read for this long after the last event, so that the connection can be reused. */
const DRAIN_MS = 1_000;

export interface MeterOptions {
  readonly connection: Connection;
  readonly money: Reservation;
  readonly after: (ms: number, run: () => void) => () => void;
  /** The error for the caller when the answer breaks off. */
  readonly broken: (cause: BrokenAnswer) => AutonomousError;
  /** Called with the whole answer before it is booked. Never rejects. */
  readonly keep: (text: string) => Promise<void>;
  /** Corrects the implausible parts of a bill. */
  readonly believed: (bill: Bill) => Bill;
  /** The reported prompt of the bill so far, when the answer breaks off. */
  readonly begun: (bill: Bill) => Begun | null;
}

/**
 * Reads as fast as the provider sends, whether or not the caller reads: a slow caller must not look like a dead
 * connection.
 */
export function meter(upstream: ReadableStream<Uint8Array>, options: MeterOptions): Metered {
  const { connection } = options;
  const sink = Promise.withResolvers<ReadableStreamDefaultController<Uint8Array>>();
  let open = true;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => sink.resolve(controller),
    cancel: () => {
      open = false;
      connection.abandon();
    },
  });
  const run = async (): Promise<AutonomousError | null> => {
    const controller = await sink.promise;
    const reader = upstream.getReader();
    try {
      const last = await copy(reader, options, (bytes) => open && controller.enqueue(bytes));
      if (open) {
        controller.enqueue(last);
        controller.close();
      }
      drain(reader, options.after);
      return null;
    } catch (thrown) {
      connection.abandon();
      const failed = thrown instanceof BrokenAnswer ? options.broken(thrown) : asFailure(thrown);
      if (open) controller.error(failed);
      if (thrown instanceof BrokenAnswer || failed.code === 'ABORTED') return failed;
      throw failed;
    } finally {
      connection.close();
    }
  };
  return { body, ended: run() };
}

/** Passes every event but the last to `give`, stores the answer and books the call, then returns the last. */
async function copy(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  { connection, money, keep, believed, begun }: MeterOptions,
  give: (bytes: Uint8Array) => void,
): Promise<Uint8Array> {
  const splitter = new SseSplitter();
  const answer = new AnswerReader();
  const heard: Uint8Array[] = [];
  let last: Uint8Array | null = null;
  try {
    while (last === null) {
      const { done, value } = await orAborted(reader.read(), connection.signal);
      if (done) throw new BrokenAnswer('cut', 'the answer ended in the middle');
      connection.heard();
      for (const event of splitter.push(value)) {
        heard.push(event.bytes);
        if (answer.take(event.data)) {
          last = event.bytes;
          break;
        }
        give(event.bytes);
      }
    }
  } catch (thrown) {
    const broken = whyBroken(thrown, connection);
    const reason = broken instanceof BrokenAnswer ? `${broken.reason}: ${broken.message}` : broken.message;
    await money.unsettle(reason, begun(answer.billSoFar()));
    throw broken;
  }
  await keep(Buffer.concat(heard).toString('utf8'));
  await book(money, believed(answer.bill()));
  return last;
}

function whyBroken(thrown: unknown, connection: Connection): BrokenAnswer | AutonomousError {
  if (connection.late === 'idle')
    return new BrokenAnswer('idle', 'the provider fell silent in the middle of the answer');
  if (connection.late === 'slow') return new BrokenAnswer('slow', 'the answer came more slowly than any model writes');
  if (connection.signal.aborted) return failure('ABORTED', 'aborted in the middle of the answer');
  if (thrown instanceof BrokenAnswer) return thrown;
  // The message of a connection or a decoder may quote what was sent: only the fact is kept.
  return new BrokenAnswer('cut', 'the connection was lost in the middle of the answer');
}

/** An answer whose bill is unclear is still an answer; its highest possible cost counts. */
export async function book(money: Reservation, bill: Bill): Promise<void> {
  if ('usage' in bill) await money.settle(bill.usage, bill.toolCalls, bill.model, bill.cost);
  else await money.unsettle(bill.unclear);
}

function drain(reader: ReadableStreamDefaultReader<Uint8Array>, after: MeterOptions['after']): void {
  const cancel = () => {
    reader.cancel().catch(() => undefined); // it had already ended
  };
  const stop = after(DRAIN_MS, cancel);
  const next = (): Promise<void> => reader.read().then(({ done }) => (done ? undefined : next()));
  next().then(stop, stop);
}
