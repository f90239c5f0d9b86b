/** Finds the files of the user's tree that the user's git would run, or read settings from. */
import { join, resolve } from 'node:path';
import { mayBeWithin, namesBelow } from '../../../core/guard/foldedPath.ts';
import type { ExecutedPlace } from '../../../engine/job/gitPorts.ts';
import { resolved } from '../../platform/executables.ts';
import type { UserSide } from './sides.ts';
import { openUserRepository } from './userRepository.ts';
import { readSettings } from './userSettings.ts';

/** Settings whose values are paths: of a folder whose programs run, or of a file with further settings. */
const PATHS = /^(?:core\.(?:hookspath|attributesfile)|include\.path|includeif\..*\.path|init\.templatedir)$/i;
const COMMANDS = new RegExp(
  `^(?:${[
    'core\\.(?:fsmonitor|editor|pager|sshcommand|askpass|gitproxy|alternaterefscommand)',
    'filter\\..*\\.(?:clean|smudge|process)',
    'diff\\.(?:external|.*\\.(?:textconv|command))',
    'merge\\..*\\.driver',
    '(?:alias|pager)\\..*',
    'gpg\\.(?:.*\\.)?program',
    'credential\\.(?:.*\\.)?helper',
    'sequence\\.editor',
    'interactive\\.difffilter',
    'hook\\..*\\.command',
    'trailer\\..*\\.(?:command|cmd)',
    '(?:mergetool|difftool|browser|man)\\..*\\.(?:cmd|path)',
  ].join('|')})$`,
  'i',
);

/** The path inside the tree, as given and over every link; empty if it is outside, or the whole tree. */
function inside(root: string, path: string): readonly string[] {
  return [...new Set([path, resolved(path)])]
    .filter((one) => mayBeWithin(one, root))
    .map((one) => namesBelow(one, root).join('/'))
    .filter((way) => way !== '');
}

/** Words of a command line that can be file names. */
const wordsOf = (command: string): string[] => command.split(/[\s"'`;|&<>()=!$]+/).filter((word) => word !== '');

/** See GitPort.executedPlaces. */
export async function executedPlaces(user: UserSide, projectDir: string): Promise<readonly ExecutedPlace[]> {
  const { root } = await openUserRepository(user, projectDir);
  const settings = await readSettings(user.git, root);
  const home = user.env['HOME'] ?? user.env['USERPROFILE'];
  return settings.flatMap(({ key, value }) => {
    const isPath = PATHS.test(key);
    if (!isPath && !COMMANDS.test(key)) return [];
    const words = isPath ? [value] : wordsOf(value);
    // A path in a configuration file is relative to that file, any other path to the tree.
    const bases = isPath ? [root, join(root, '.git')] : [root];
    const inHome = (word: string): string => (home === undefined ? word : word.replace(/^~(?=[\\/])/, () => home));
    const paths = words.flatMap((word) => bases.flatMap((base) => inside(root, resolve(base, inHome(word)))));
    return [...new Set(paths)].map((path) => ({ path, isFolder: isPath, setting: key }));
  });
}
