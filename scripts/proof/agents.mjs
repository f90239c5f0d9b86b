/**
 * Installs real agents for the tests, only from the npm registry: `node scripts/proof/agents.mjs` installs them once, about 600 MB, into
 * AUTONOMOUS_AGENTS_CACHE or the user's cache folder, and prints their paths as JSON. No install script runs. cline and Claude Code are one program
 * each, in a package per platform; the other contents of their main packages are left out, and so is the second Claude Code of the adapter's SDK,
 * because CLAUDE_CODE_EXECUTABLE names the first.
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { constants, homedir, setPriority } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { node24, run } from '../setup.mjs';

const platform = `${process.platform}-${process.arch}`;

/** Keyed by the name of the program: the package, its exact version, and the program's path in it. */
const AGENTS = {
  cline: [`@cline/cli-${platform}`, '3.0.65', join('bin', 'cline')],
  claude: [`@anthropic-ai/claude-code-${platform}`, '2.1.330', 'claude'],
  'claude-agent-acp': ['@agentclientprotocol/claude-agent-acp', '0.101.0', join('dist', 'index.js')],
};
const QUIET = ['--no-audit', '--no-fund', '--loglevel=error'];
/** Gives up soon if the registry does not answer. */
const PATIENCE = ['--fetch-timeout=60000', '--fetch-retries=1'];
const INSTALL = ['--no-save', '--omit=optional', '--ignore-scripts', ...QUIET, ...PATIENCE];
const LOOK_MS = 500;

function cacheFolder() {
  const { AUTONOMOUS_AGENTS_CACHE, XDG_CACHE_HOME } = process.env;
  if (AUTONOMOUS_AGENTS_CACHE) return AUTONOMOUS_AGENTS_CACHE;
  const caches = process.platform === 'darwin' ? join(homedir(), 'Library', 'Caches') : join(homedir(), '.cache');
  return join(XDG_CACHE_HOME || caches, 'autonomous-agents');
}

const specs = Object.values(AGENTS).map(([name, version]) => `${name}@${version}`);
const fingerprint = createHash('sha256')
  .update([...specs, ...INSTALL].join(' '))
  .digest('hex')
  .slice(0, 16);

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM'; // of another user: alive too
  }
}

/** Allows one installation at a time: a second run waits and uses the result of the first. */
async function locked(file, body) {
  for (let told = false; ; told = true) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const holder = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
    // An empty file was created a moment ago. If its process has ended, take the lock and install again.
    if (holder > 0 && !isAlive(holder)) rmSync(file, { force: true });
    else if (!told) console.error('Agents for the tests: another run installs them; waiting for it');
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  try {
    return await body();
  } finally {
    rmSync(file, { force: true });
  }
}

async function install(folder) {
  const started = Date.now();
  console.error(`Agents for the tests: installing ${specs.join(', ')} (about 600 MB, once)`);
  const fresh = `${folder}.new`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(join(fresh, 'bin'), { recursive: true });
  writeFileSync(join(fresh, 'package.json'), '{ "private": true }\n');
  const env = { ...process.env, PATH: `${dirname(node24)}${delimiter}${process.env.PATH ?? ''}` };
  const code = await run('npm', ['install', ...INSTALL, ...specs], {
    cwd: fresh,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (code !== 0) throw new Error(`npm install ended with ${code}: see above.`);
  for (const [program, [name, , path]] of Object.entries(AGENTS)) {
    if (!existsSync(join(fresh, 'node_modules', name, path))) throw new Error(`${name} holds no ${path}`);
    symlinkSync(join('..', 'node_modules', name, path), join(fresh, 'bin', program));
  }
  renameSync(fresh, folder);
  console.error(`Agents for the tests: installed in ${((Date.now() - started) / 1000).toFixed(0)} s`);
}

/** Other versions are of no use any more. */
function removeOlder(cache) {
  for (const name of readdirSync(cache)) {
    if (/^[0-9a-f]{16}(\.new)?$/.test(name) && name !== fingerprint)
      rmSync(join(cache, name), { recursive: true, force: true });
  }
}

/**
 * Resolves to `{ bin, cline, claude, claude-agent-acp }`: paths of a folder for the PATH, and of the programs. Rejects with a
 * sentence when the registry does not give them.
 */
export async function ensureAgents() {
  if (process.platform === 'win32') throw new Error('Real agents are run on Linux and macOS only.');
  const cache = cacheFolder();
  const folder = join(cache, fingerprint);
  if (!existsSync(folder)) {
    mkdirSync(cache, { recursive: true });
    await locked(join(cache, 'lock'), async () => {
      if (existsSync(folder)) return;
      await install(folder);
      removeOlder(cache);
    });
  }
  const bin = join(folder, 'bin');
  return { bin, ...Object.fromEntries(Object.keys(AGENTS).map((program) => [program, join(bin, program)])) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--nice')) setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  try {
    console.log(JSON.stringify(await ensureAgents(), null, 2));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
