/** Lists hosts that setup commands may reach: the public package registries, and the one in the user's npm settings. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errnoOf } from '../../../shared/errors.ts';
import type { Environment } from '../../platform/platform.ts';

const PUBLIC = [
  'registry.npmjs.org',
  'registry.yarnpkg.com',
  'npm.jsr.io',
  'pypi.org',
  'files.pythonhosted.org',
  'crates.io',
  'index.crates.io',
  'static.crates.io',
  'proxy.golang.org',
  'sum.golang.org',
  'rubygems.org',
  'index.rubygems.org',
  'repo.packagist.org',
  'repo.maven.apache.org',
  'repo1.maven.org',
  'plugins.gradle.org',
  'services.gradle.org',
  'api.nuget.org',
  'repo.hex.pm',
  'pub.dev',
].map((host) => `${host}:443`);

export interface Registries {
  /** `host:port` entries. */
  readonly hosts: readonly string[];
  /** Variables that make npm use the user's registry although its settings file is unreadable; never with credentials. */
  readonly env: Readonly<Record<string, string>>;
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (thrown) {
    // Missing or unreadable settings name no registry.
    if (errnoOf(thrown) !== undefined) return '';
    throw thrown;
  }
}

/** A registry URL without credentials, query or fragment; null if the text is not a URL. */
function registryUrl(text: string): URL | null {
  const value = text.trim().replace(/^["']|["']$/g, '');
  if (!URL.canParse(value)) return null;
  const url = new URL(value);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  for (const part of ['username', 'password', 'search', 'hash'] as const) url[part] = '';
  return url;
}

/** `registry` and `@scope:registry` of one npmrc text, in order. */
function registriesOf(npmrc: string): { readonly scope: string; readonly value: string }[] {
  return npmrc.split(/\r?\n/).flatMap((line) => {
    const match = /^\s*(@[\w.-]+:)?registry\s*=\s*(\S+)\s*$/.exec(line);
    return match === null ? [] : [{ scope: match[1] ?? '', value: match[2] ?? '' }];
  });
}

function portOf(url: URL): string {
  return url.port !== '' ? url.port : url.protocol === 'http:' ? '80' : '443';
}

/**
 * Reads the environment, the user's npmrc and the global one, never a repository's: otherwise a repository could open
 * hosts. `home` is the user's real home.
 */
export function readRegistries(ours: Environment, home: string): Registries {
  const set = (name: string): string | undefined => ours[name] ?? ours[name.toUpperCase()];
  const files = [
    set('npm_config_userconfig') ?? join(home, '.npmrc'),
    set('npm_config_globalconfig') ?? join(dirname(dirname(process.execPath)), 'etc', 'npmrc'),
    '/etc/npmrc',
  ];
  const listed = files.flatMap((file) => registriesOf(readText(file)));
  const fromEnv = set('npm_config_registry');
  const main = [
    ...(fromEnv === undefined ? [] : [fromEnv]),
    ...listed.filter((one) => one.scope === '').map((one) => one.value),
  ]
    .map(registryUrl)
    .find((url) => url !== null);
  const urls = [main, ...listed.filter((one) => one.scope !== '').map((one) => registryUrl(one.value))];
  const hosts = urls.flatMap((url) => (url ? [`${url.hostname}:${portOf(url)}`] : []));
  return {
    hosts: [...new Set([...PUBLIC, ...hosts])],
    env: main ? { npm_config_registry: main.href } : {},
  };
}
