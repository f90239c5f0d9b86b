/** Reads the body of a request within its limits. */
import type { IncomingMessage } from 'node:http';
import { isNestedDeeper } from '../../shared/jsonDepth.ts';
import { boundedBody } from '../loopback/body.ts';
import { type HttpError, TOO_MUCH_AT_ONCE } from './errors.ts';
import { LIMITS } from './limits.ts';
import type { RequestBudget } from './sessionEndpoints.ts';

const TOO_LARGE: HttpError = {
  status: 413,
  type: 'request_too_large',
  message: `a request may have ${LIMITS.bodyBytes} bytes`,
};

/** Returns null if the body breaks off. A body that exceeds the limit is refused before it is read. */
export async function readBody(
  request: IncomingMessage,
  room: RequestBudget,
): Promise<{ readonly text: string } | HttpError | null> {
  if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') {
    return { status: 400, type: 'invalid_request_error', message: 'a compressed body is not read here' };
  }
  let body: Buffer | 'too_large' | 'no_room';
  try {
    body = await boundedBody(request, {
      declared: request.headers['content-length'],
      maxBytes: LIMITS.bodyBytes,
      take: room.take,
    });
  } catch {
    return null; // the caller left
  }
  if (body === 'no_room') return TOO_MUCH_AT_ONCE;
  return body === 'too_large' ? TOO_LARGE : textOf(body);
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
