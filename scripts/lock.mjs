/**
 * Completes package-lock.json: npm leaves out optional packages of platforms that the registry in use does not offer
 * (https://github.com/npm/cli/issues/4828), and `npm ci` then refuses the file. Every optional dependency named by a locked package gets an entry
 * with its exact version, its os and its cpu. Run it after every `npm install <package>`. With --check it only prints what is missing, and fails.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const file = fileURLToPath(new URL('../package-lock.json', import.meta.url));
const lock = JSON.parse(readFileSync(file, 'utf8'));

const systems = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
  'wasm32',
];
const cpus = {
  armv7: 'arm',
  arm: 'arm',
  arm64: 'arm64',
  aarch64: 'arm64',
  x64: 'x64',
  ia32: 'ia32',
  ppc64: 'ppc64',
  riscv64: 'riscv64',
  s390x: 's390x',
  loong64: 'loong64',
  mips64el: 'mips64el',
  wasi: 'wasm32',
};

function platformOf(name) {
  const words = name.split(/[-/]/);
  const os = systems.find((system) => words.includes(system));
  const cpu = Object.entries(cpus).find(([word]) => words.includes(word))?.[1];
  if (!os || !cpu) return undefined;
  const musl = words.includes('musl') || words.includes('musleabihf');
  const glibc = words.includes('gnu') || words.includes('gnueabihf');
  const libc = musl ? ['musl'] : glibc ? ['glibc'] : undefined;
  return { os: os === 'wasm32' ? undefined : [os], cpu: [cpu], libc: os === 'linux' ? libc : undefined };
}

const present = (from, name) => {
  for (let at = from; ; at = at.slice(0, Math.max(at.lastIndexOf('/node_modules/'), 0))) {
    if (lock.packages[`${at}${at ? '/' : ''}node_modules/${name}`]) return true;
    if (at === '') return false;
  }
};

const missing = {};
for (const [path, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if (present(path, name)) continue;
    const platform = platformOf(name);
    if (!platform || !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) {
      throw new Error(`${path || 'package.json'}: unknown platform or version of ${name}@${version}`);
    }
    const { os, cpu, libc } = platform; // keys in npm's own order, so that npm leaves the file as it is
    missing[`node_modules/${name}`] = { version, cpu, dev: entry.dev, libc, optional: true, os };
  }
}

const names = Object.keys(missing);
if (process.argv.includes('--check')) {
  for (const name of names) process.stderr.write(`package-lock.json lacks ${name}: run npm run lock\n`);
  process.exitCode = names.length > 0 ? 1 : 0;
} else if (names.length > 0) {
  const root = lock.packages[''];
  const all = { ...lock.packages, ...missing };
  delete all[''];
  const sorted = Object.fromEntries(Object.entries(all).sort(([a], [b]) => a.localeCompare(b, 'en')));
  lock.packages = { '': root, ...sorted };
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
  process.stdout.write(`added ${names.length} optional packages of other platforms\n`);
}
