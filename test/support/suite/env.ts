/**
 * Runs before every test file: no test sees the git, key, proxy or home settings of the person who runs it.
 * HOME and the XDG folders point into a temp folder of this file. Names are short: a socket's path may not exceed about 104 bytes.
 */
import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { keepTemplatesIn } from '../git/repoTemplate.ts';

const STRIPPED = /^(GIT_|ANTHROPIC_|AUTONOMOUS_)|^((HTTPS?|ALL|FTP|NO)_PROXY)$/i;

for (const name of Object.keys(process.env)) {
  if (STRIPPED.test(name)) delete process.env[name];
}

const home = mkdtempSync(join(inject('tempRoot'), 'h-'));
const folders = {
  HOME: home,
  USERPROFILE: home,
  XDG_CONFIG_HOME: join(home, '.config'),
  XDG_DATA_HOME: join(home, '.local', 'share'),
  XDG_STATE_HOME: join(home, '.local', 'state'),
  XDG_CACHE_HOME: join(home, '.cache'),
  XDG_RUNTIME_DIR: join(home, '.run'),
};
for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true, mode: 0o700 });
// No test keeps the machine of the person awake.
Object.assign(process.env, folders, { GIT_CONFIG_NOSYSTEM: '1', AUTONOMOUS_KEEP_AWAKE: 'off' });
keepTemplatesIn(join(inject('tempRoot'), 'repositories'));
