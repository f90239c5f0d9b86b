/** What Linux and macOS have in common. */
import type { Platform } from './system.ts';

export const POSIX: Omit<Platform, 'name' | 'configFolder' | 'runtimeFolder' | 'gitCore' | 'notifier'> = {
  environment: (variables) => variables,
  programNames: (name) => [name],
  start: (file, args) => ({ file, args, isVerbatim: false }),
  shell: (_, find) => {
    const bash = find('bash');
    const file = bash ?? '/bin/sh';
    return {
      name: bash === null ? 'sh' : 'bash',
      file,
      start: (command) => ({ file, args: ['-c', command], isVerbatim: false }),
    };
  },
  editor: (editor, file) => ({
    file: '/bin/sh',
    args: ['-c', `${editor} "$1"`, 'editor', file],
    isVerbatim: false,
  }),
  inherited: /^(PATH|LANG|LANGUAGE|LC_[A-Z]+|TZ)$/,
  defaultPath: '/usr/local/bin:/usr/bin:/bin',
  homeVariables: (home, tmp) => ({ HOME: home, TMPDIR: tmp }),
  hasModes: true,
  syncsFolders: true,
  hasPipes: false,
  holdsFiles: false,
  hasGroups: true,
};
