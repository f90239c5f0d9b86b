import { expect, it } from 'vitest';
import { fixForStart } from '../../../../../src/adapters/shell/sandbox/sandboxTools.ts';

const SAID = 'bwrap: No permissions to create new namespace';
const RESTRICTED = 'kernel.apparmor_restrict_unprivileged_userns';

/** A machine with these files, switches and variables. */
const fix = (
  files: readonly string[],
  switches: Readonly<Record<string, string>> = {},
  environment: Readonly<Record<string, string>> = {},
  said = SAID,
): string =>
  fixForStart(said, environment, { exists: (path) => files.includes(path), sysctl: (name) => switches[name] ?? null });

it('names what a container lacks, also on a host that restricts user namespaces itself', () => {
  for (const file of ['/.dockerenv', '/run/.containerenv'])
    expect(fix([file], { [RESTRICTED]: '1' })).toMatch(
      /^this container refuses user namespaces: start this container with --security-opt/,
    );
});

it('names the lines of devcontainer.json', () => {
  for (const name of ['CODESPACES', 'REMOTE_CONTAINERS']) {
    const text = fix(['/.dockerenv'], {}, { [name]: 'true' });
    const args = /"runArgs": (\[.*?\])/.exec(text)?.[1] ?? '';
    expect(JSON.parse(args)).toEqual(
      ['seccomp=unconfined', 'apparmor=unconfined', 'systempaths=unconfined'].flatMap((one) => ['--security-opt', one]),
    );
  }
});

it('names the settings of a pod', () => {
  expect(fix(['/.dockerenv'], {}, { KUBERNETES_SERVICE_HOST: '10.0.0.1' })).toContain('securityContext');
});

it('names the switch of the kernel', () => {
  expect(fix([], { [RESTRICTED]: '1' })).toContain('/etc/apparmor.d/bwrap');
  expect(fix([], { 'kernel.unprivileged_userns_clone': '0' })).toContain('kernel.unprivileged_userns_clone=1');
  expect(fix([], { 'user.max_user_namespaces': '0' })).toContain('user.max_user_namespaces=15000');
  expect(fix([], { 'user.max_user_namespaces': '63000' })).toContain('docs/platforms.md');
});

it('names the program that the sandbox library needs', () => {
  expect(fix(['/.dockerenv'], {}, {}, "Shell '/bin/sh' not found in PATH")).toBe('install the program `which`');
});

it('names a capability that root in a container lacks', () => {
  expect(fix(['/.dockerenv'], {}, {}, 'bwrap: setting up uid map: Permission denied')).toContain('--cap-add SETFCAP');
});
