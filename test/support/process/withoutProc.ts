/** A system without /proc, for a program of its own: `node --import ./withoutProc.ts PROGRAM`. `ps` still has it. */
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
syncBuiltinESMExports();
