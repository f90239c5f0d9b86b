/** A provider over loopback HTTP that keeps its bill, is overloaded now and then, and now and then loses an answer on its way. */
import type { ServerResponse } from 'node:http';
import { microUsdOf } from '../provider/prices.ts';
import {
  apiError,
  cut,
  json,
  message,
  type ScriptedServer,
  type SeenRequest,
  scriptedServer,
  sse,
  textEvents,
} from '../provider/scriptedServer.ts';

interface Asked {
  readonly model: string;
  readonly max_tokens: number;
  readonly stream?: boolean;
}

/** `bill`: of each answer, as it is made. */
export function budgetServer(random: (below: number) => number, bill: number[]): Promise<ScriptedServer> {
  return scriptedServer((response, request) => answer(response, request, random, bill));
}

/** Four bytes a token; never more than was reserved, as the real one. */
function answer(
  response: ServerResponse,
  request: SeenRequest,
  random: (below: number) => number,
  bill: number[],
): void | Promise<void> {
  const { model, max_tokens, stream = false } = JSON.parse(request.body) as Asked;
  const prompt = Math.ceil(request.body.length / 4);
  if (request.url.includes('count_tokens')) return json(200, { input_tokens: prompt })(response, request);
  const mishap = random(40);
  if (mishap < 2) return apiError(529, 'overloaded_error')(response, request);
  const cached = request.body.includes('cache_control') ? random(prompt) : 0;
  const written = random(cached + 1);
  const [input, output] = [prompt - cached, 1 + random(max_tokens)];
  bill.push(microUsdOf(model, { input, output, cacheRead: cached - written, cacheWrite5m: written, cacheWrite1h: 0 }));
  const reported = {
    input_tokens: input,
    output_tokens: output,
    cache_read_input_tokens: cached - written,
    cache_creation_input_tokens: written,
  };
  const events = textEvents('hello', reported, model);
  if (stream && mishap < 4) return cut(events.slice(0, random(events.length)))(response, request);
  return (stream ? sse(events) : message('hello', reported, model))(response, request);
}
