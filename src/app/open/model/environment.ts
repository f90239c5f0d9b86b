/** The account at Anthropic, or at a compatible server, that the environment names. */
import { failure } from '../../../shared/errors.ts';
import type { Credentials } from './models.ts';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * `ANTHROPIC_API_KEY` or `ANTHROPIC_AUTH_TOKEN` (sent as a bearer token, and preferred if both are set), `ANTHROPIC_BASE_URL`, and
 * `ANTHROPIC_CUSTOM_HEADERS`, a header in each line: `Name: value`. Throws INVALID_INPUT for a line that is not a header.
 */
export function environmentsAccount(env: Env): Omit<Credentials, 'connections' | 'proxy'> {
  const token = env['ANTHROPIC_AUTH_TOKEN'] || null;
  return {
    key: () => token ?? env['ANTHROPIC_API_KEY'] ?? null,
    baseUrl: env['ANTHROPIC_BASE_URL'] ?? null,
    auth: token === null ? 'x-api-key' : 'bearer',
    headers: headersIn(env['ANTHROPIC_CUSTOM_HEADERS'] ?? ''),
  };
}

function headersIn(text: string): Readonly<Record<string, string>> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    lines.map((line, at) => {
      const [, name, value] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*:\s*([\x20-\x7e]+?)\s*$/.exec(line) ?? [];
      if (name !== undefined && value !== undefined) return [name.toLowerCase(), value];
      // The line is not quoted: it may contain a secret.
      throw failure('INVALID_INPUT', `line ${at + 1} of ANTHROPIC_CUSTOM_HEADERS is not a header`, {
        hint: 'Write one header in each line: Name: value',
      });
    }),
  );
}
