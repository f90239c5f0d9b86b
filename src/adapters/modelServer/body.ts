/** The body of a request, within its bounds. */
import type { IncomingMessage } from 'node:http';
import { isNestedDeeper } from '../../shared/jsonDepth.ts';
import { type HttpError, TOO_MUCH_AT_ONCE } from './errors.ts';
import { LIMITS } from './limits.ts';
import type { RequestBudget } from './sessionEndpoints.ts';

const TOO_LARGE: HttpError = {
  status: 413,
  type: 'request_too_large',
  message: `a request may have ${LIMITS.bodyBytes} bytes`,
};

/** null: it breaks off. What would be refused for its size is refused before it is read. */
export async function readBody(
  request: IncomingMessage,
  room: RequestBudget,
): Promise<{ readonly text: string } | HttpError | null> {
  if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') {
    return { status: 400, type: 'invalid_request_error', message: 'a compressed body is not read here' };
  }
  if (Number(request.headers['content-length'] ?? 0) > LIMITS.bodyBytes) return TOO_LARGE;
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > LIMITS.bodyBytes) return TOO_LARGE;
      if (!room.take(chunk.length)) return TOO_MUCH_AT_ONCE;
      chunks.push(chunk);
    }
  } catch {
    return null; // nobody is there any more
  }
  return textOf(Buffer.concat(chunks));
}

function textOf(bytes: Buffer): { readonly text: string } | HttpError {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return { status: 400, type: 'invalid_request_error', message: 'the body is not UTF-8' };
  }
  if (!isNestedDeeper(text, LIMITS.bodyDepth)) return { text };
  return { status: 400, type: 'invalid_request_error', message: 'the body is nested too deeply' };
}
