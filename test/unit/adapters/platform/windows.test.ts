/** What Windows needs otherwise, as rules: they are the same on every system. */
import { describe, expect, it } from 'vitest';
import { WINDOWS } from '../../../../src/adapters/platform/windows.ts';
import { fc } from '../../../support/suite/property.ts';

/** As cmd reads a line: what has a caret in front stands for itself, and nothing else may mean anything. */
function readByCmd(line: string): string {
  return line.replace(/\^(.)|([&|<>()"!%])/g, (_, kept?: string, meant?: string) => {
    if (kept === undefined) throw new Error(`cmd would act on ${meant}`);
    return kept;
  });
}

/** As a program of Windows takes its command line apart. */
function argumentsIn(line: string): string[] {
  return [...line.matchAll(/ "((?:\\*[^\\"]|\\+"|\\\\)*)"(?= |$)/g)].map(([, inner = '']) =>
    inner.replace(/(\\*)("|$)/g, (_, slashes: string, quote: string) => {
      const half = '\\'.repeat(slashes.length >> 1);
      return half + quote;
    }),
  );
}

describe('an environment', () => {
  it('has each variable once, whatever its case', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[A-Za-z_]{1,8}$/), fc.string()), (variables) => {
        const one = WINDOWS.environment(variables);
        for (const [name, value] of Object.entries(one)) {
          expect(name).toBe(name.toUpperCase());
          const first = Object.entries(variables).find(([other]) => other.toUpperCase() === name);
          expect(value).toBe(first?.[1]);
        }
        expect(WINDOWS.environment(one)).toEqual(one);
      }),
    );
    expect(WINDOWS.environment({ Path: 'C:\\a', windir: 'C:\\Windows' })).toEqual({
      PATH: 'C:\\a',
      WINDIR: 'C:\\Windows',
    });
  });

  it.each(['SYSTEMROOT', 'PATHEXT', 'COMSPEC', 'PROGRAMFILES(X86)', 'COMMONPROGRAMFILES'])(
    'of a command has %s',
    (name) => {
      expect(WINDOWS.inherited.test(name)).toBe(true);
    },
  );

  it.each(['APPDATA', 'USERPROFILE', 'ANTHROPIC_API_KEY', 'PROGRAM', 'SYSTEMROOT2'])(
    'of a command has no %s',
    (name) => {
      expect(WINDOWS.inherited.test(name)).toBe(false);
    },
  );
});

it('git takes long paths in our clones', () => {
  expect(WINDOWS.gitCore).toMatchObject({ longpaths: 'true' });
});

describe('the shell', () => {
  const files =
    (...there: readonly string[]) =>
    (name: string) =>
      there.find((file) => file === name || file.endsWith(`\\${name}.exe`)) ?? null;
  const commandOf = ({ name, start }: ReturnType<typeof WINDOWS.shell>) => ({ name, start: start('echo "a b"') });
  const shellOf = (...there: readonly string[]) =>
    commandOf(WINDOWS.shell({ SYSTEMROOT: 'C:\\Windows' }, files(...there)));

  it.each([
    ['C:\\Git\\cmd\\git.exe', 'C:\\Git\\bin\\bash.exe'],
    ['C:\\Git\\cmd\\git.exe', 'C:\\Git\\usr\\bin\\bash.exe'],
    ['C:\\Git\\mingw64\\bin\\git.exe', 'C:\\Git\\bin\\bash.exe'],
    ['C:\\Git\\mingw64\\bin\\git.exe', 'C:\\Git\\usr\\bin\\bash.exe'],
  ])('is the bash that comes with %s: %s', (git, bash) => {
    expect(shellOf(git, bash)).toEqual({
      name: 'bash',
      start: { file: bash, args: ['-c', 'echo "a b"'], isVerbatim: false },
    });
  });

  it('is never a bash of the PATH, which may be that of WSL', () => {
    expect(shellOf('C:\\Windows\\System32\\bash.exe')?.name).toBe('cmd');
  });

  it('is else PowerShell, and else cmd', () => {
    expect(shellOf('C:\\p\\pwsh.exe')?.start.args.slice(-2)).toEqual(['-Command', 'echo "a b"']);
    expect(shellOf()).toEqual({
      name: 'cmd',
      start: { file: 'C:\\Windows\\System32\\cmd.exe', args: ['/d', '/s', '/c', '"echo "a b""'], isVerbatim: true },
    });
  });
});

describe('a program', () => {
  it.each<[string, string | undefined, readonly string[]]>([
    ['git', undefined, ['git.com', 'git.exe', 'git.bat', 'git.cmd']],
    ['npm', '.EXE;.CMD;.JS;.PS1', ['npm.exe', 'npm.cmd']],
    ['git.exe', '.EXE;.CMD', ['git.exe']],
    ['a.b', '.EXE', ['a.b.exe']],
    ['script', '.JS', ['script.com', 'script.exe', 'script.bat', 'script.cmd']],
    ['C:\\tools\\rg', '.EXE', ['C:\\tools\\rg.exe']],
  ])('named %s with the endings %s', (name, PATHEXT, files) => {
    expect(WINDOWS.programNames(name, { PATHEXT })).toEqual(files);
  });

  it('that is one is started by itself', () => {
    const start = WINDOWS.start('C:\\a b\\git.exe', ['log', '%PATH%'], {});
    expect(start).toEqual({ file: 'C:\\a b\\git.exe', args: ['log', '%PATH%'], isVerbatim: false });
  });

  it('that is a script is started by the cmd of Windows, never by one that a variable names', () => {
    const start = WINDOWS.start('C:\\npm.CMD', ['run', 'a b'], { COMSPEC: 'C:\\evil.exe', SYSTEMROOT: 'D:\\Win' });
    expect(start).toMatchObject({ file: 'D:\\Win\\System32\\cmd.exe', isVerbatim: true });
    expect(start.args.slice(0, 3)).toEqual(['/d', '/s', '/c']);
  });

  it.each(['a\nb', 'a\rb', 'a\0b'])('that is a script takes no %j', (arg) => {
    expect(() => WINDOWS.start('C:\\npm.cmd', [arg], {})).toThrow('takes no argument with a line break');
  });

  it('that is a script is not started from a folder whose name cmd would replace', () => {
    expect(() => WINDOWS.start('C:\\%PATH%\\npm.cmd', [], {})).toThrow('which cmd replaces');
  });

  it('that is a script receives each argument as it was given', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[\x20-\x7e\xe4]{0,12}$/), { maxLength: 4 }), (args) => {
        const file = 'C:\\a b\\x&y.cmd';
        const [, , , line = ''] = WINDOWS.start(file, args, {}).args;
        const inner = line.slice(1, -1);
        expect(inner.startsWith(`"${file}"`)).toBe(true);
        expect(argumentsIn(readByCmd(readByCmd(inner.slice(file.length + 2))))).toEqual(args);
      }),
    );
  });
});
