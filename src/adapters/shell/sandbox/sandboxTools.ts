/** Finds the tools of the sandbox on this machine, and gives exact instructions to install the missing ones. */
import { existsSync, readFileSync } from 'node:fs';
import type { Diagnostic } from '../../../shared/diagnostic.ts';
import { errnoOf } from '../../../shared/errors.ts';
import { findExecutable, ownFolders } from '../../platform/executables.ts';
import { type Environment, platform } from '../../platform/platform.ts';
import { findRipgrep } from '../../platform/ripgrep.ts';
import { bad, good } from '../diagnostic.ts';

/** Absolute paths of the programs that the sandbox uses. */
export interface SandboxTools {
  readonly bwrap: string;
  readonly socat: string;
  readonly ripgrep: string;
}

const INSTALL: readonly (readonly [program: string, command: string])[] = [
  ['apt-get', 'apt-get install bubblewrap socat'],
  ['dnf', 'dnf install bubblewrap socat'],
  ['pacman', 'pacman -S bubblewrap socat'],
  ['apk', 'apk add bubblewrap socat'],
  ['zypper', 'zypper install bubblewrap socat'],
];

function sudo(command: string): string {
  return process.getuid?.() === 0 ? command : `sudo ${command}`;
}

function installCommand(path: string): string {
  const known = INSTALL.find(([program]) => findExecutable(program, path) !== null);
  return known === undefined ? 'install bubblewrap and socat with your package manager' : `run: ${sudo(known[1])}`;
}

function sysctl(name: string): string | null {
  try {
    return readFileSync(`/proc/sys/${name.replaceAll('.', '/')}`, 'utf8').trim();
  } catch (thrown) {
    // This kernel has no such switch.
    if (errnoOf(thrown) !== undefined) return null;
    throw thrown;
  }
}

/** Checks only that the tools exist; the escape probes check that they work. */
export function lookForTools(environment: Environment): {
  readonly tools: SandboxTools | null;
  readonly diagnostics: readonly Diagnostic[];
} {
  if (platform.name !== 'linux' && platform.name !== 'macos') {
    const fix =
      'run Autonomous inside WSL 2 (in VS Code: Autonomous: Reopen in WSL), a dev container or a Linux machine to run commands unattended';
    return { tools: null, diagnostics: [bad('sandbox-platform', `there is no sandbox for ${platform.name}`, fix)] };
  }
  const path = environment['PATH'] ?? '';
  const ripgrep = findRipgrep(environment);
  const linux = platform.name === 'linux';
  const own = ownFolders(path);
  const bwrap = linux ? findExecutable('bwrap', own) : '';
  const socat = linux ? findExecutable('socat', own) : '';
  const container = linux ? containerFix({ environment, ...HERE }) : null;
  const install =
    installCommand(path) + (container === null ? '' : `; most containers also have to allow namespaces: ${container}`);
  const look = (name: string, found: string | null, fix: string): Diagnostic =>
    found === null ? bad(name, `${name} is not installed`, fix) : good(name, found);
  const diagnostics = [
    ...(linux ? [look('bwrap', bwrap, install), look('socat', socat, install)] : []),
    look(
      'rg',
      ripgrep,
      'install ripgrep so that `rg` is on PATH; an npm package of Autonomous brings it unless installed with --omit=optional',
    ),
  ];
  const tools = bwrap === null || socat === null || ripgrep === null ? null : { bwrap, socat, ripgrep };
  return { tools, diagnostics };
}

/** Switches of kernels: the value that refuses user namespaces, and one that allows them. */
const SWITCHES = [
  ['kernel.unprivileged_userns_clone', '0', '1'],
  ['user.max_user_namespaces', '0', '15000'],
] as const;

const APPARMOR_PROFILE =
  'abi <abi/4.0>, include <tunables/global> profile bwrap /usr/bin/bwrap flags=(unconfined) { userns, include if exists <local/bwrap> }';

/** What a fix depends on. */
export interface Surroundings {
  readonly environment: Environment;
  exists(path: string): boolean;
  /** Null if this kernel has no such switch. */
  sysctl(name: string): string | null;
}

const HERE = { exists: existsSync, sysctl };
const OPTIONS = ['seccomp=unconfined', 'apparmor=unconfined', 'systempaths=unconfined'];

/** What allows namespaces to a container; null if this is not a container. */
function containerFix({ environment, exists }: Surroundings): string | null {
  if (environment['CODESPACES'] === 'true' || environment['REMOTE_CONTAINERS'] === 'true') {
    const words = OPTIONS.flatMap((option) => ['--security-opt', option]);
    return `add "runArgs": ${JSON.stringify(words)} to devcontainer.json and rebuild the container`;
  }
  if (environment['KUBERNETES_SERVICE_HOST'] !== undefined) {
    return 'allow user namespaces in the securityContext of this pod: seccompProfile and appArmorProfile of type Unconfined, procMount Unmasked with hostUsers: false';
  }
  if (!['/.dockerenv', '/run/.containerenv'].some(exists)) return null;
  const options = OPTIONS.map((option) => `--security-opt ${option}`).join(' ');
  return `start this container with ${options}`;
}

/** The fix if bubblewrap exists but does not start. `said` is its output. */
export function fixForStart(
  said: string,
  environment: Environment,
  here: Omit<Surroundings, 'environment'> = HERE,
): string {
  // The sandbox library looks for it by that program.
  if (said.startsWith('Shell ')) return 'install the program `which`';
  if (/CAP_SETFCAP|uid map|uid_map/i.test(said)) {
    return 'start this container with --cap-add SETFCAP, or run as a user other than root';
  }
  const container = containerFix({ environment, ...here });
  if (container !== null) return `this container refuses user namespaces: ${container}`;
  if (here.sysctl('kernel.apparmor_restrict_unprivileged_userns') === '1') {
    return `AppArmor refuses user namespaces (Ubuntu 24.04 does); allow them to bubblewrap: echo '${APPARMOR_PROFILE}' | ${sudo('tee /etc/apparmor.d/bwrap')} && ${sudo('systemctl reload apparmor')}`;
  }
  for (const [name, off, on] of SWITCHES) {
    if (here.sysctl(name) === off) return `user namespaces are off; run: ${sudo(`sysctl -w ${name}=${on}`)}`;
  }
  return 'allow bubblewrap to create user namespaces (docs/platforms.md), or approve each command';
}
