/**
 * The Messages API as Google's Vertex AI takes it: the model is part of the address, and the version part of the body. Answers are those of
 * the Messages API. Source: https://docs.claude.com/en/api/claude-on-vertex-ai
 */
import { z } from 'zod';
import { withoutKept } from '../../../core/model/keptParts.ts';
import { parseJson } from '../../../core/text/json.ts';
import type { ModelRequest, Provider } from '../../../engine/session/gatewayPorts.ts';
import type { ConnectionName } from '../../../shared/model/models.ts';
import type { HostRequest, ModelHost } from './modelHost.ts';

const MODELS = '/publishers/anthropic/models';
const VERSION = 'vertex-2023-10-16';

const Body = z.looseObject({ model: z.string(), stream: z.boolean().optional() });

export function vertexProvider(name: ConnectionName, host: ModelHost): Provider {
  return {
    name,
    countsTokens: true,
    check: () => host.check(),
    send: (request, signal) => {
      const { path, ...sent } = inVertex(request);
      return host.send(path, sent, signal);
    },
  };
}

/** The request in the form of Vertex AI. Its path begins behind the location. */
function inVertex({ path, method, headers, body }: ModelRequest): HostRequest & { readonly path: string } {
  const { 'anthropic-version': _, ...rest } = headers;
  const parsed = Body.parse(parseJson(withoutKept(body)));
  const counts = path.split('?', 1)[0] === '/v1/messages/count_tokens';
  const { model, ...withoutModel } = parsed;
  const content = { anthropic_version: VERSION, ...(counts ? parsed : withoutModel) };
  const specifier = parsed.stream === true ? 'streamRawPredict' : 'rawPredict';
  const place = counts ? 'count-tokens:rawPredict' : `${encodeURIComponent(model).replaceAll('%40', '@')}:${specifier}`;
  return { path: `${MODELS}/${place}`, method, headers: rest, body: JSON.stringify(content) };
}
