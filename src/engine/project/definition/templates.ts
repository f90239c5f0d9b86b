/** Computes the initial definition of a project: a template's text with its model, limits and heartbeat, or the given parts. */
import { refuseHeartbeat } from '../../../core/guard/grants.ts';
import { failure, messageOf } from '../../../shared/errors.ts';
import type { ProjectDefinition } from '../../../shared/project/projects.ts';
import { parseDefinition, textOfFile } from './definition.ts';
import type { TemplateFiles } from './templatePorts.ts';

/** A template decides neither where a project works nor who answers it. */
export type Template = Pick<ProjectDefinition, 'body' | 'model' | 'limits' | 'heartbeat'>;

export interface Begun {
  readonly template: string | null;
  readonly body?: string | undefined;
  readonly goal?: string | undefined;
  readonly background?: string | undefined;
  readonly constraints?: string | undefined;
}

const NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;

type TemplateFolders = readonly TemplateFiles[];

/** Names of all templates: the user's hide the built-in ones, and both hide those of the workspace. */
export async function templateNames(places: TemplateFolders): Promise<readonly string[]> {
  const all = (await Promise.all(places.map((files) => files.names()))).flat().filter((name) => NAME.test(name));
  return [...new Set(all)].sort();
}

/**
 * Throws NOT_FOUND with the available names, INVALID_INPUT with the file and the line, or NOT_PERMITTED for a forbidden grant.
 */
async function loadTemplate(places: TemplateFolders, name: string): Promise<Partial<Template>> {
  const own = (await readFrom(places, 'user', name)) ?? (await readFrom(places, 'built-in', name));
  if (own !== null) return own;
  const shared = await readFrom(places, 'workspace', name);
  if (shared !== null) {
    refuseHeartbeat(shared, 'workspace');
    return shared;
  }
  const names = await templateNames(places);
  throw failure('NOT_FOUND', `there is no template ${name}`, { hint: `There are: ${names.join(', ')}.` });
}

async function readFrom(places: TemplateFolders, wanted: TemplateFiles['origin'], name: string) {
  for (const { origin, read } of NAME.test(name) ? places : []) {
    const found = origin === wanted ? await read(name) : null;
    if (found !== null) return parseTemplate(name, found);
  }
  return null;
}

/** A text without a frontmatter is a body. */
function parseTemplate(name: string, { path, bytes }: { path: string; bytes: Uint8Array }): Partial<Template> {
  try {
    const text = textOfFile(bytes);
    if (!text.startsWith('---') && !text.startsWith('\uFEFF---')) return { body: text };
    const { body, model, limits, heartbeat } = parseDefinition(text, name).file.definition;
    return { body, model, limits, heartbeat };
  } catch (thrown) {
    throw failure('INVALID_INPUT', `the template ${path} cannot be used: ${messageOf(thrown)}`, { cause: thrown });
  }
}

/** Puts the given text before the template's text under the same title. */
function bodyOf(template: string, { goal = '', background = '', constraints = '' }: Begun): string {
  const parts = Object.entries({ Goal: goal, Background: background, Constraints: constraints });
  const said = parts.filter(([, text]) => text.trim() !== '');
  return said.reduce((body, [title, text]) => withSection(body, title, text.trim()), template);
}

function withSection(body: string, title: string, text: string): string {
  const heading = new RegExp(`^## ${title}[ \\t]*$`, 'm').exec(body);
  if (heading === null) return `${body}${body === '' ? '' : '\n'}## ${title}\n\n${text}\n`;
  const at = heading.index + heading[0].length;
  const end = body.slice(at).search(/^## /m);
  const rest = end < 0 ? '' : `\n${body.slice(at + end)}`;
  const kept = title === 'Goal' ? '' : (end < 0 ? body.slice(at) : body.slice(at, at + end)).trim();
  return `${body.slice(0, at)}\n\n${text}\n${kept === '' ? '' : `\n${kept}\n`}${rest}`;
}

/** The text that the user edits before the project is created. */
export async function templateText(places: TemplateFolders, name: string): Promise<string> {
  return (await loadTemplate(places, name)).body ?? '';
}

/** Throws INVALID_INPUT where the goal is the template's, with its blanks. */
export async function beginDefinition(places: TemplateFolders, begun: Begun): Promise<Partial<Template>> {
  const template = begun.template === null ? {} : await loadTemplate(places, begun.template);
  const body = begun.body ?? bodyOf(template.body ?? '', begun);
  const left = blanksOf(template.body ?? '').filter((blank) => goalOf(body).includes(blank));
  if (left.length > 0) {
    throw failure('INVALID_INPUT', `the goal still has ${left.join(', ')} of the template ${begun.template}`, {
      hint: 'Say what the project is for.',
    });
  }
  return { ...template, body };
}

const goalOf = (body: string): string => /^## Goal[ \t]*$([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(body)?.[1] ?? '';

/** Placeholders in a template's goal, such as `{old}`. */
const blanksOf = (template: string): readonly string[] => [...new Set(goalOf(template).match(/\{[a-z][a-z ]*\}/g))];
