/** Names where a repository's programs start and which commands it offers, from its manifests. */

import type { ListedFile } from '../../../../core/repository/repositoryFiles.ts';
import { type Fields, isFields, parseJson } from '../../../../core/text/json.ts';
import { oneLine } from './factsBudget.ts';

/** Files whose text `entryPoints` reads, if they are at the top. */
export const MANIFESTS = ['package.json', 'Makefile'];

const PLACES =
  /^(?:main\.go|cmd\/[^/]+\/main\.go|src\/(?:main|lib)\.rs|src\/bin\/[^/]+\.rs|manage\.py|(?:src\/)?[^/]+\/__main__\.py|Dockerfile|(?:docker-)?compose\.ya?ml)$/;
const MAX_PLACES = 12;
const MAX_VALUE = 100;
const MAX_SCRIPTS = 24;
const MAX_TARGETS = 20;
const DEPENDENCIES = ['dependencies', 'devDependencies', 'peerDependencies'];

/** Returns one line for each. `texts` holds the manifests that exist. */
export function entryPoints(files: readonly ListedFile[], texts: ReadonlyMap<string, string>): string[] {
  const places = files.filter(({ path }) => PLACES.test(path)).slice(0, MAX_PLACES);
  return [
    ...packageLines(texts.get('package.json')),
    ...makeLines(texts.get('Makefile')),
    ...(places.length === 0 ? [] : [`Entry files: ${places.map(({ path }) => path).join(', ')}`]),
  ].map((line) => oneLine(line, MAX_VALUE * 2));
}

function packageLines(text: string | undefined): string[] {
  const parsed = parseJson(text ?? '');
  if (parsed === undefined) return [];
  const manifest = fieldsOf(parsed);
  const fields = ['type', 'main', 'module', 'types', 'bin', 'exports', 'workspaces', 'engines', 'packageManager']
    .filter((name) => manifest[name] !== undefined)
    .map((name) => `${name} ${oneLine(JSON.stringify(manifest[name]), MAX_VALUE)}`);
  const scripts = Object.entries(fieldsOf(manifest['scripts']));
  const more = scripts.length - MAX_SCRIPTS;
  return [
    `package.json: ${fields.join(', ') || 'names no entry point'}`,
    ...scripts
      .slice(0, MAX_SCRIPTS)
      .map(([name, command]) => `npm run ${name}: ${oneLine(String(command), MAX_VALUE)}`),
    ...(more > 0 ? [`and ${more} more scripts of package.json`] : []),
    ...DEPENDENCIES.flatMap((kind) => dependencyLine(kind, Object.keys(fieldsOf(manifest[kind])))),
  ];
}

/** Names the declarations of a repository. The setup shows whether they are installed. */
function dependencyLine(kind: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`${kind} (${names.length}): ${names.join(', ')}`];
}

function makeLines(text: string | undefined): string[] {
  const targets = [...(text ?? '').matchAll(/^([A-Za-z0-9][\w.-]*):(?![=:])/gm)].map(([, name]) => name);
  const some = [...new Set(targets)].slice(0, MAX_TARGETS);
  return some.length === 0 ? [] : [`make: ${some.join(', ')}`];
}

const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
