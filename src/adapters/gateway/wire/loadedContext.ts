/** How many tokens a local server reads of a prompt at present, as it states it, and what raises that. */
import { z } from 'zod';
import { parseJson } from '../../../core/text/json.ts';
import type { LoadedContext } from '../../../engine/session/gatewayPorts.ts';
import { textWithin } from './boundedText.ts';
import type { ModelHost } from './modelHost.ts';

interface Server {
  readonly path: string;
  /** Null if the answer does not state it. */
  read(answer: unknown, model: string): number | null;
  fix(model: string): string;
}

const tokens = z.int().positive();
const byName = (list: z.ZodType<readonly { readonly [key: string]: unknown }[]>, answer: unknown, model: string) =>
  list
    .safeParse(answer)
    .data?.find((one) => one['name'] === model || one['id'] === model || one['name'] === `${model}:latest`);

const Entries = z.array(z.record(z.string(), z.unknown()));

/** By preset. The forms are those of the servers' documentation. */
const SERVERS: Readonly<Record<string, Server>> = {
  ollama: {
    path: '/api/ps',
    read: (answer, model) => {
      const list = z.looseObject({ models: Entries }).safeParse(answer).data?.models;
      return tokens.safeParse(byName(Entries, list, model)?.['context_length']).data ?? null;
    },
    fix: () => 'Start it with a larger context: OLLAMA_CONTEXT_LENGTH=65536 ollama serve',
  },
  lmstudio: {
    path: '/api/v0/models',
    read: (answer, model) => {
      const list = z.looseObject({ data: Entries }).safeParse(answer).data?.data;
      return tokens.safeParse(byName(Entries, list, model)?.['loaded_context_length']).data ?? null;
    },
    fix: (model) => `Load it with a larger context: lms load ${model} --context-length 65536`,
  },
  llamacpp: {
    path: '/props',
    read: (answer) => {
      const shape = z.looseObject({ default_generation_settings: z.looseObject({ n_ctx: tokens }) });
      return shape.safeParse(answer).data?.default_generation_settings.n_ctx ?? null;
    },
    fix: () => 'Start it with a larger context: llama-server -c 65536 …',
  },
  vllm: {
    path: '/v1/models',
    read: (answer, model) => {
      const list = z.looseObject({ data: Entries }).safeParse(answer).data?.data;
      return tokens.safeParse(byName(Entries, list, model)?.['max_model_len']).data ?? null;
    },
    fix: () => 'Start it with a larger context: vllm serve … --max-model-len 65536',
  },
};

const MAX_BYTES = 1024 * 1024;

export async function loadedContext(
  preset: string | null,
  host: ModelHost,
  model: string,
  signal: AbortSignal,
): Promise<LoadedContext> {
  const server = preset === null ? undefined : SERVERS[preset];
  if (server === undefined) return { tokens: null, fix: 'Start the server with a larger context.' };
  const fix = server.fix(model);
  try {
    const reply = await host.send(server.path, { method: 'GET', headers: {}, body: null }, signal);
    const text = await textWithin(reply.body, MAX_BYTES, signal);
    if (reply.status !== 200 || text === null) return { tokens: null, fix };
    return { tokens: server.read(parseJson(text), model), fix };
  } catch {
    // An older version of the server lacks the address. The exchange itself has a prompt that a small context cuts.
    return { tokens: null, fix };
  }
}
