/** Fills the templates of an agent's line, word by word: what a value holds is never looked through again, and never for a shell. */

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

/** A file that holds what opens our model server goes when its agent does. */
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

/** What a person is asked about: the same for each turn and session of one clone, and without secrets. */
export function shownCommand({ argv }: Pick<AgentEntry, 'argv'>, clone: string): string {
  return argv.map((word) => quoted(word.replaceAll('{clone}', () => clone))).join(' ');
}

const isJson = (path: string): boolean => path.endsWith('.json');

/** A folder's name may hold what ends a string of JSON. */
function inJson(values: TemplateValues): TemplateValues {
  const escaped = Object.entries(values).map(([name, value]) => [name, JSON.stringify(value).slice(1, -1)] as const);
  return Object.fromEntries(escaped);
}

const quoted = (word: string): string => (/^[A-Za-z0-9_./:@%+,={}-]+$/.test(word) ? word : shellQuote(word));
