/** Fills the templates of an agent's line, word by word. A filled-in value is not searched for placeholders, and no shell is involved. */

import type { AgentEntry } from '../../shared/agent/executorSchemas.ts';
import { shellQuote } from '../text/shellQuote.ts';

/** Absent ones are left empty. */
export interface TemplateValues {
  readonly prompt?: string;
  readonly model?: string;
  readonly url?: string;
  readonly token?: string;
  readonly clone?: string;
  readonly mcp?: string;
}

export function filled(template: string, values: TemplateValues): string {
  return template.replaceAll(
    /\{(prompt|model|url|token|clone|mcp)\}/g,
    (_, name: keyof TemplateValues) => values[name] ?? '',
  );
}

/** A file with the token of the model server is removed when its agent ends. */
export function filledFiles(
  { files }: Pick<AgentEntry, 'files'>,
  values: TemplateValues,
): { readonly path: string; readonly content: string; readonly secret: boolean }[] {
  return Object.entries(files).map(([path, content]) => ({
    path,
    content: filled(content, isJson(path) ? inJson(values) : values),
    secret: content.includes('{token}'),
  }));
}

export function filledEnv({ env }: Pick<AgentEntry, 'env'>, values: TemplateValues): Record<string, string> {
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, filled(value, values)]));
}

/** The command that a person is asked about: the same for each turn and session of one clone, and without secrets. */
export function shownCommand({ argv }: Pick<AgentEntry, 'argv'>, clone: string): string {
  return argv.map((word) => quoted(word.replaceAll('{clone}', () => clone))).join(' ');
}

const isJson = (path: string): boolean => path.endsWith('.json');

/** A folder's name may contain characters that end a JSON string. */
function inJson(values: TemplateValues): TemplateValues {
  const escaped = Object.entries(values).map(([name, value]) => [name, JSON.stringify(value).slice(1, -1)] as const);
  return Object.fromEntries(escaped);
}

const quoted = (word: string): string => (/^[A-Za-z0-9_./:@%+,={}-]+$/.test(word) ? word : shellQuote(word));
