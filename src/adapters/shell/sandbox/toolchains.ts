/**
 * Lists the parts of the user's home that a command may read although the home is denied: installed toolchains.
 * Credentials in there (`.cargo/credentials.toml`) are denied by name.
 */
import { existsSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import { isWithin, mayLeadInto, resolved } from '../../platform/executables.ts';
import type { Environment } from '../../platform/platform.ts';

const IN_HOME = `
  .nvm .fnm .volta .nodenv .n n .npm-global .npm-packages .yarn .bun .deno .cargo .rustup go/bin go/pkg sdk .goenv .dotnet
  .sdkman .jenv .jabba .gradle/wrapper .pyenv .rye .virtualenvs .local/share/virtualenvs .conda .mamba anaconda3
  miniconda3 miniforge3 mambaforge .rbenv .rvm .phpenv .composer/vendor .opam .ghcup .cabal/bin .stack .elan .juliaup
  .julia/juliaup .swiftly .flutter flutter Android/Sdk Library/Android/sdk .asdf .local/bin .local/lib .local/pipx
  .nix-profile .linuxbrew .local/share/mise .local/share/fnm .local/share/uv .local/share/pnpm .local/share/pipx
  .local/share/rtx .local/share/swiftly Library/pnpm Library/Python
`
  .trim()
  .split(/\s+/);

/** Names of folders on a PATH that contain programs: any other folder may contain a user's work. */
const OF_PROGRAMS = new Set(['bin', 'sbin', 'shims', 'Scripts', '.bin']);
/** Folders that belong to an installation with programs in `bin`. */
const BESIDE_BIN = ['lib', 'lib64', 'libexec', 'include', 'share'];

/** The folder of programs, and the required parts of its installation; never a whole folder of the user. */
function installationOf(folder: string, home: string): readonly string[] {
  const top = dirname(folder);
  const others = [home, join(home, '.local')].includes(top) || existsSync(join(top, '.git'));
  return basename(folder) !== 'bin' || others ? [folder] : [folder, ...BESIDE_BIN.map((name) => join(top, name))];
}

/**
 * Absolute paths; those that do not exist are kept. `denied`: paths that no command may read, including the home; PATH
 * entries inside the others are ignored.
 */
export function toolchains(ours: Environment, home: string, denied: readonly string[]): string[] {
  const homes = [home, resolved(home)];
  const closed = denied.filter((path) => ![path, resolved(path)].some((one) => homes.includes(one)));
  const onPath = (ours['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && OF_PROGRAMS.has(basename(folder)))
    .flatMap((folder) => [...new Set([folder, resolved(folder)])])
    .filter((folder) => homes.some((place) => folder !== place && isWithin(folder, place)))
    .flatMap((folder) => installationOf(folder, homes.find((place) => isWithin(folder, place)) ?? home))
    .filter((folder) => !mayLeadInto(folder, closed));
  // Node itself, wherever it is: the sandbox is probed with it.
  const node = resolved(process.execPath);
  const own = denied.some((place) => isWithin(node, resolved(place))) ? installationOf(dirname(node), home) : [];
  return [...new Set([...IN_HOME.map((name) => join(home, name)), ...onPath, ...own])];
}
