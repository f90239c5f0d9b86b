/** Reads an answer while it streams: whether it is complete, and its cost. */
import { z } from 'zod';
import { parseJson } from '../../../core/text/json.ts';
import type { Usage } from '../../../shared/money.ts';
import { UsageReport } from './usage.ts';

export type Bill =
  | {
      readonly usage: Usage;
      readonly toolCalls: number;
      /** The model that the answer names; null if it names none. */
      readonly model: string | null;
      /** USD, as the server itself states the cost; null if it does not. */
      readonly cost: number | null;
      /** The count that fell from one report to the next; null if no count fell. */
      readonly fell: string | null;
    }
  | { readonly unclear: string };

/** The reason why an answer does not count; `reason` is a word or the provider's error type. */
export class BrokenAnswer extends Error {
  readonly reason: string;

  constructor(reason: string, message: string) {
    super(message);
    this.reason = reason;
  }
}

const Block = z.looseObject({ type: z.string() });

const Content = z.array(Block);

const Envelope = z.looseObject({
  type: z.string(),
  index: z.number().nullish(),
  content_block: Block.nullish(),
  delta: z.looseObject({ stop_reason: z.unknown().optional() }).nullish(),
  content: z.unknown().optional(),
  stop_reason: z.unknown().optional(),
  message: z.looseObject({ usage: z.unknown(), model: z.unknown().optional() }).optional(),
  model: z.unknown().optional(),
  usage: z.unknown().optional(),
  error: z.looseObject({ type: z.string().optional() }).optional(),
});

function envelope(text: string): z.infer<typeof Envelope> {
  const parsed = Envelope.safeParse(parseJson(text));
  if (!parsed.success) throw new BrokenAnswer('malformed', 'the answer has no form that the Messages API knows');
  return parsed.data;
}

/** Follows the events of one streamed answer. */
export class AnswerReader {
  readonly #report = new UsageReport();
  /** Blocks that call a tool and have not ended, by their index in the answer. */
  readonly #calling = new Set<number | null | undefined>();
  #toolCalls = 0;
  #cut = false;
  #started = false;
  #model: string | null = null;
  #final = false;

  /** Takes the data of one event; returns true if it was the last. Throws BrokenAnswer. Unknown events are ignored. */
  take(data: string): boolean {
    if (data === '') return false;
    const event = envelope(data);
    switch (event.type) {
      case 'message_start':
        this.#started = true;
        this.#model = nameOf(event.message?.model);
        this.#read(event.message?.usage);
        return false;
      case 'content_block_start':
        if (event.content_block?.type === 'tool_use') this.#calling.add(event.index);
        return false;
      case 'content_block_stop':
        if (this.#calling.delete(event.index)) this.#toolCalls++;
        return false;
      case 'message_delta':
        this.#final = true;
        this.#cut ||= isCut(event.delta);
        this.#read(event.usage);
        return false;
      case 'error': {
        const type = (event.error?.type ?? 'error').replace(/\W+/g, '_').slice(0, 40);
        throw new BrokenAnswer(type, `the provider ended the answer with ${type}`);
      }
      case 'message_stop':
        if (!this.#started) throw new BrokenAnswer('malformed', 'the answer ended before its first event');
        return true;
      default:
        return false;
    }
  }

  bill(): Bill {
    return this.#final ? this.billSoFar() : { unclear: 'no final usage reported' };
  }

  /**
   * The bill of an answer that broke off. Its prompt is billed as reported at the start; its output may cost more than
   * reported.
   */
  billSoFar(): Bill {
    return billed(this.#report, this.#cut ? 0 : this.#toolCalls, this.#model);
  }

  #read(usage: unknown): void {
    if (usage === undefined || usage === null) return;
    if (!this.#report.take(usage)) throw new BrokenAnswer('malformed', 'the usage makes no sense');
  }
}

/** The bill of an unstreamed answer. Throws BrokenAnswer if it is not a message. */
export function billOfMessage(text: string): Bill {
  const message = envelope(text);
  if (message.type !== 'message') throw new BrokenAnswer('malformed', 'the answer is not a message');
  const report = new UsageReport();
  if (!report.take(message.usage ?? {})) throw new BrokenAnswer('malformed', 'the usage makes no sense');
  const blocks = Content.safeParse(message.content).data ?? [];
  const calls = isCut(message) ? 0 : blocks.filter(({ type }) => type === 'tool_use').length;
  return billed(report, calls, nameOf(message.model));
}

function billed(report: UsageReport, toolCalls: number, model: string | null): Bill {
  const result = report.result();
  return 'usage' in result ? { ...result, toolCalls, model, fell: report.fell, cost: report.cost } : result;
}

const nameOf = (model: unknown): string | null => (typeof model === 'string' && model !== '' ? model : null);

/** The tools of an answer that was cut off do not run. */
function isCut(end: { readonly stop_reason?: unknown } | null | undefined): boolean {
  return end?.stop_reason === 'max_tokens';
}
