/** What Linux and macOS have in common. */
import type { Platform } from './system.ts';

/** The shell that every Unix has. */
const SH = '/bin/sh';

type Own = 'name' | 'configFolder' | 'runtimeFolder' | 'gitCore' | 'notifier' | 'machineMark';

export const POSIX: Omit<Platform, Own> = {
  environment: (variables) => variables,
  programNames: (name) => [name],
  start: (file, args) => ({ file, args, isVerbatim: false }),
  shell: (_, find) => {
    const bash = find('bash');
    const file = bash ?? SH;
    return {
      name: bash === null ? 'sh' : 'bash',
      file,
      start: (command) => ({ file, args: ['-c', command], isVerbatim: false }),
    };
  },
  editor: (editor, file) => ({
    file: SH,
    args: ['-c', `${editor} "$1"`, 'editor', file],
    isVerbatim: false,
  }),
  inherited: /^(PATH|LANG|LANGUAGE|LC_[A-Z]+|TZ)$/,
  defaultPath: '/usr/local/bin:/usr/bin:/bin',
  homeVariables: (home, tmp) => ({ HOME: home, TMPDIR: tmp }),
  hasModes: true,
  syncsFolders: true,
  pipe: null,
  holdsFiles: false,
  hasGroups: true,
};
