/**
 * A system without /proc, for a program of its own: `node --import ./withoutProc.ts PROGRAM`. `ps` still has it. TEST_PS=hides hides
 * environments, as macOS does those of its own programs; TEST_PS=fails starts no `ps`, as a machine with too many processes.
 */
import childProcess from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const missing = (path: unknown): boolean => /^\/proc(\/|$)/.test(String(path));

for (const name of ['readFileSync', 'readdirSync', 'readlinkSync', 'openSync'] as const) {
  const real = fs[name] as (...args: unknown[]) => unknown;
  const without = (path: unknown, ...rest: unknown[]): unknown => {
    if (missing(path))
      throw Object.assign(new Error(`ENOENT: no such file or directory, '${path}'`), { code: 'ENOENT' });
    return real(path, ...rest);
  };
  Object.assign(fs, { [name]: without });
}

const start = childProcess.execFileSync as (...args: unknown[]) => unknown;
const played = (file: unknown, args: readonly string[], ...rest: unknown[]): unknown => {
  const how = file === '/bin/ps' ? process.env['TEST_PS'] : undefined;
  if (how === 'fails') throw Object.assign(new Error('spawnSync /bin/ps EAGAIN'), { code: 'EAGAIN', status: null });
  return start(file, how === 'hides' ? args.map((arg) => (arg === 'eww' ? 'ww' : arg)) : args, ...rest);
};
Object.assign(childProcess, { execFileSync: played });
syncBuiltinESMExports();
