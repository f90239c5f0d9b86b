/** Names of projects, which are names of folders too. */
import { failure } from '../../shared/errors.ts';
import { DEFAULT_PROJECT, MAIN_PROJECT } from '../../shared/project/projects.ts';

const NAME = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;
/** Names of devices on Windows, and the answer that a finding concerns no project. */
const RESERVED = /^(?:nobody|con|prn|aux|nul|com\d|lpt\d)$/;

/** Lower case alone, so that no two names are one folder where case does not count. Throws INVALID_INPUT with a name to take instead. */
export function checkProjectName(name: string): string {
  const instead = suggestion(name);
  const hint = instead === '' ? 'Take for example: api-migration.' : `Take for example: ${instead}.`;
  if (!NAME.test(name)) {
    throw failure('INVALID_INPUT', 'a project is named with a-z, 0-9 and hyphens inside, at most 64 of them', { hint });
  }
  if (name === MAIN_PROJECT || name === DEFAULT_PROJECT || RESERVED.test(name)) {
    throw failure('INVALID_INPUT', `the name ${name} is taken`, { hint });
  }
  return name;
}

function suggestion(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 50)
    .replace(/-+$/, '');
  const taken = plain === MAIN_PROJECT || plain === DEFAULT_PROJECT || RESERVED.test(plain);
  return taken ? `${plain}-project` : plain;
}
