/** Answers of the Messages API that are made here: events, their stream, and errors. */

/** A server-sent event of an answer, as text of the wire. */
export function event(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
}

export const EVENT_STREAM = { 'content-type': 'text/event-stream; charset=utf-8' } as const;
export const JSON_BODY = { 'content-type': 'application/json' } as const;

/** The texts as bytes, each when the reader asks for it. */
export function byteStream(
  texts: AsyncGenerator<string>,
  cancel: (reason: unknown) => Promise<unknown>,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await texts.next();
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    cancel: async (reason) => {
      await cancel(reason);
    },
  });
}

/** The body of a refusal. */
export const errorBody = (type: string, message: string): string =>
  JSON.stringify({ type: 'error', error: { type, message } });
