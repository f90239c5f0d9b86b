/** What Linux and macOS have in common. */
import type { Platform, Shell } from './system.ts';

export const POSIX: Omit<Platform, 'name' | 'configFolder' | 'runtimeFolder' | 'gitCore' | 'notifier'> = {
  environment: (variables) => variables,
  programNames: (name) => [name],
  start: (file, args) => ({ file, args, isVerbatim: false }),
  shells: (command, _, find) => {
    const bash = find('bash');
    const shell = (name: 'bash' | 'sh', file: string): Shell => ({
      name,
      start: { file, args: ['-c', command], isVerbatim: false },
    });
    return [...(bash === null ? [] : [shell('bash', bash)]), shell('sh', '/bin/sh')];
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
