/** Reads the body of an answer as text or JSON, completely and up to a limit. */
import type { IncomingMessage } from 'node:http';
import type { HttpGet } from '../../engine/task/step/stepPorts.ts';
import { isNestedDeeper } from '../../shared/jsonDepth.ts';
import { type Json, TASK_LIMITS } from '../../shared/task/tasks.ts';
import { HttpFault } from './fault.ts';

type Wanted = Pick<Parameters<HttpGet>[0], 'maxBytes' | 'as'>;

const EXCERPT = 300;

/** Throws HttpFault. */
export async function bodyOf(answer: IncomingMessage, shown: string, { maxBytes, as }: Wanted): Promise<Json> {
  try {
    const bytes = await wholeBody(answer, shown, maxBytes);
    const status = answer.statusCode ?? 0;
    const text = textOf(bytes, answer.headers['content-type'] ?? '');
    if (status < 200 || status > 299) {
      const said = (text ?? '').replace(/\s+/g, ' ').trim().slice(0, EXCERPT);
      throw new HttpFault(`${shown} answered ${status} ${answer.statusMessage ?? ''}${said === '' ? '' : `: ${said}`}`);
    }
    if (text === null) throw new HttpFault(`the answer of ${shown} is not text`);
    return as === 'text' ? text : parsed(text, shown);
  } finally {
    answer.destroy();
  }
}

async function wholeBody(answer: IncomingMessage, shown: string, maxBytes: number): Promise<Buffer> {
  const coding = answer.headers['content-encoding'] ?? 'identity';
  if (coding !== 'identity') throw new HttpFault(`${shown} answered in an encoding that was not asked for: ${coding}`);
  const tooLong = (): HttpFault => new HttpFault(`the answer of ${shown} is longer than ${maxBytes} bytes`);
  if (Number(answer.headers['content-length'] ?? 0) > maxBytes) throw tooLong();
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw tooLong();
      chunks.push(chunk);
    }
  } catch (thrown) {
    if (thrown instanceof HttpFault) throw thrown;
    throw new HttpFault(`the answer of ${shown} broke off`, { cause: thrown });
  }
  return Buffer.concat(chunks);
}

/** Returns null if the body is not text, or not in its declared charset. */
function textOf(bytes: Buffer, contentType: string): string | null {
  const label = /charset="?([\w.:-]+)/i.exec(contentType)?.[1] ?? 'utf-8';
  try {
    const text = new TextDecoder(label, { fatal: true }).decode(bytes);
    return text.includes('\0') ? null : text;
  } catch (thrown) {
    // An unknown charset, or bytes that are invalid in it.
    if (thrown instanceof RangeError || thrown instanceof TypeError) return null;
    throw thrown;
  }
}

function parsed(text: string, shown: string): Json {
  const { resultDepth } = TASK_LIMITS;
  if (isNestedDeeper(text, resultDepth)) {
    throw new HttpFault(`${shown} answered JSON that is nested deeper than ${resultDepth} times`);
  }
  try {
    return JSON.parse(text) as Json;
  } catch (cause) {
    throw new HttpFault(`the answer of ${shown} is not JSON`, { cause });
  }
}
