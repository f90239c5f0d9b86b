import { mkdtempSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRegistries } from '../../../../../src/adapters/shell/sandbox/registries.ts';

const none = { npm_config_globalconfig: '/nowhere' };

function homeWith(npmrc: string): string {
  const home = mkdtempSync(join(homedir(), 'npm-'));
  writeFileSync(join(home, '.npmrc'), npmrc);
  return home;
}

describe('the registries that setup may reach', () => {
  it('are the public ones', () => {
    const { hosts, env } = readRegistries(none, mkdtempSync(join(homedir(), 'npm-')));
    expect(hosts).toEqual(expect.arrayContaining(['registry.npmjs.org:443', 'pypi.org:443', 'static.crates.io:443']));
    expect(hosts.every((host) => /^[a-z\d.-]+:443$/.test(host))).toBe(true);
    expect(env).toEqual({});
  });

  it('and those of the user, without the credentials', () => {
    const home = homeWith(
      [
        '; a comment',
        'registry = "https://user:pass@npm.corp.example:8443/main/?token=x#y"',
        '@corp:registry=http://scoped.corp.example/npm/',
        '//npm.corp.example:8443/:_authToken=sk-not-for-you',
      ].join('\r\n'),
    );
    const { hosts, env } = readRegistries(none, home);
    expect(hosts).toEqual(expect.arrayContaining(['npm.corp.example:8443', 'scoped.corp.example:80']));
    expect(env).toEqual({ npm_config_registry: 'https://npm.corp.example:8443/main/' });
  });

  it('the environment goes before the file', () => {
    const home = homeWith('registry=https://file.example/');
    for (const name of ['npm_config_registry', 'NPM_CONFIG_REGISTRY']) {
      const { hosts, env } = readRegistries({ ...none, [name]: 'https://env.example/' }, home);
      expect(hosts).toContain('env.example:443');
      expect(env).toEqual({ npm_config_registry: 'https://env.example/' });
    }
  });

  it.each(['registry=*', 'registry=file:///etc', 'registry=not a url', 'registry=', 'xregistry=https://a.example/'])(
    'takes nothing from %j',
    (line) => {
      const { hosts, env } = readRegistries(none, homeWith(line));
      expect(hosts).toEqual(readRegistries(none, homeWith('')).hosts);
      expect(env).toEqual({});
    },
  );
});
